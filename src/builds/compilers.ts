/** Compilers that quick builds can be asked for: how a solver searches depends on the order they evaluate arguments in. */

import { type Fault, findOnPath, type Machine, whyNotRunnable } from '../machine/index.js';

/** What each is called for C and for C++, as make and CMake look for it. */
const compilers = {
  gcc: { CC: 'gcc', CXX: 'g++' },
  clang: { CC: 'clang', CXX: 'clang++' },
} as const;

export type CompilerName = keyof typeof compilers;

export const compilerNames = ['gcc', 'clang'] as const satisfies readonly CompilerName[];

/** What distributions add to the names of those they have several of, newest first. */
const suffixes = ['', ...Array.from({ length: 30 }, (_, place) => `-${34 - place}`)];

/** A compiler by its plain name, or else the newest that has its number in its name, as `clang++-14`. */
export function compilerOf(
  name: CompilerName,
  machine: Machine,
): { readonly CC: string; readonly CXX: string } | Fault {
  const { CC, CXX } = compilers[name];
  const suffix = suffixes.find((end) => findOnPath(`${CXX}${end}`, machine) !== undefined) ?? '';
  return whyNotRunnable(`${CXX}${suffix}`, machine) ?? { CC: `${CC}${suffix}`, CXX: `${CXX}${suffix}` };
}
