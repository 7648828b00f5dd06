/**
 * Compilers for quick builds. The choice matters: a solver's search depends on the order in which the compiler
 * evaluates arguments.
 */

import { checkRunnable, type Fault, findOnPath, type Machine } from '../machine/index.js';

/** Names for C and C++, as make and CMake expect them. */
const compilers = {
  gcc: { CC: 'gcc', CXX: 'g++' },
  clang: { CC: 'clang', CXX: 'clang++' },
} as const;

export type CompilerName = keyof typeof compilers;

export const compilerNames = ['gcc', 'clang'] as const satisfies readonly CompilerName[];

/** Version suffixes used by distributions, newest first. */
const suffixes = ['', ...Array.from({ length: 30 }, (_, place) => `-${34 - place}`)];

/** The compiler with the plain name, else the newest with a version suffix such as `clang++-14`. */
export function compilerOf(
  name: CompilerName,
  machine: Machine,
): { readonly CC: string; readonly CXX: string } | Fault {
  const { CC, CXX } = compilers[name];
  const suffix = suffixes.find((end) => findOnPath(`${CXX}${end}`, machine) !== undefined) ?? '';
  return checkRunnable(`${CXX}${suffix}`, machine) ?? { CC: `${CC}${suffix}`, CXX: `${CXX}${suffix}` };
}
