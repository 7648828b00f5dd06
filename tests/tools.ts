/** The tools that tests call and npm does not install. */

import { findOnPath, type Machine } from '../src/machine/index.js';

export const solvers = ['z3', 'cvc4', 'cvc5'] as const;

/** Often installed under a name with a version, such as `clang-16`. */
const llvm = ['clang', 'clang++', 'opt', 'llvm-dis'];

const builders = ['cc', 'ar', 'ld', 'nm', 'objcopy', 'strip'];

/** Programs that `npm run test:unit` hides: these tools, others that build programs, and browsers. */
export const hiddenPrograms =
  /^(z3|cvc4|cvc5|(clang|opt|llvm|lld|lli|llc)\b.*|(.*-linux-gnu-)?(cc|c\+\+|gcc|g\+\+|cpp|c89|c99|ar|as|ld|nm|objcopy|objdump|strip|ranlib|gcov)\b.*|make|cmake|ninja|(chrom|google-chrome).*)$/;

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
