/** The tools that tests call and npm does not install. */

import { findOnPath, type Machine } from '../src/machine/index.js';

export const solvers = ['z3', 'cvc4', 'cvc5'] as const;

/** Often installed under a name with a version, such as `clang-16`. */
const llvm = ['clang', 'clang++', 'opt', 'llvm-dis'];

const builders = ['cc', 'ar', 'ld', 'nm', 'objcopy', 'strip'];

export function missingSolvers(machine: Machine): readonly (typeof solvers)[number][] {
  return solvers.filter((name) => findOnPath(name, machine) === undefined);
}

export function hasCompilers(machine: Machine): boolean {
  return (
    llvm.every((name) => hasNumbered(name, machine)) &&
    builders.every((name) => findOnPath(name, machine) !== undefined)
  );
}

function hasNumbered(name: string, machine: Machine): boolean {
  const names = [name, ...Array.from({ length: 17 }, (_, at) => `${name}-${14 + at}`)];
  return names.some((numbered) => findOnPath(numbered, machine) !== undefined);
}
