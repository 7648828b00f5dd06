/** Compilers that quick builds can be asked for: how a solver searches depends on the order they evaluate arguments in. */

/** What each is called for C and for C++, as make and CMake look for it. */
export const compilers = {
  gcc: { CC: 'gcc', CXX: 'g++' },
  clang: { CC: 'clang', CXX: 'clang++' },
} as const;

export type CompilerName = keyof typeof compilers;

export const compilerNames = ['gcc', 'clang'] as const satisfies readonly CompilerName[];
