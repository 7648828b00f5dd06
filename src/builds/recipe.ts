/** How a commit becomes a program. */

import { z } from 'zod';
import { Fault, sha256 } from '../machine/index.js';
import type { Repository } from '../repository/index.js';

/** Longer than a month no timer can wait. */
const mostMinutes = 30_000;

/**
 * Commands run one after the other by `sh`, in the folder with the sources. `$CULPRIT_BUILD` is a folder that stays
 * between commits, so that a build goes on from the last one; `$CULPRIT_JOBS` how many compilers may run at once;
 * `$CULPRIT_COMPILE` is a program that, put before a compiler's call, compiles quickly and optimises nothing; `$CULPRIT_LINK`
 * makes a compiler link quickly, and without what was left out;
 * `$CULPRIT_COVERAGE_FLAGS` and `$CULPRIT_COVERAGE_LINK` are what a compiler and a linker must be given for a program that
 * counts what it executes, once `$CULPRIT_COVERAGE` has been run.
 */
export const recipeSchema = z.object({
  build: z
    .array(z.string())
    .min(1)
    .describe('commands for sh, run one after the other in the folder with the sources'),
  binary: z
    .string()
    .describe(
      'where the program is afterwards, below the sources or, from $CULPRIT_BUILD/, below the build folder',
    ),
  env: z.record(z.string(), z.string()).default({}).describe('variables for the commands'),
  memoryMegabytes: z
    .number()
    .positive()
    .default(2048)
    .describe('memory one build takes: as many go on at once as the machine has room for'),
  minutes: z.number().positive().max(mostMinutes).default(120).describe('after this long a build has failed'),
  /** Changes to the sources, as `git diff` prints them: applied to the commits they fit. */
  patches: z.array(z.object({ name: z.string(), text: z.string() })).default([]),
  goesOn: z
    .boolean()
    .default(false)
    .describe(
      'the build knows what it has finished, as ninja does: one that was cut off is continued, not begun anew',
    ),
});

export type Recipe = z.infer<typeof recipeSchema>;

/** A recipe that comes with culprit, and how the sources it is for are told. */
export interface KnownRecipe {
  readonly family: 'z3' | 'cvc4' | 'cvc5';
  /** Files that hold such text; one of them is enough. */
  readonly marks: readonly { readonly file: string; readonly holds: RegExp }[];
  readonly recipe: Recipe;
  /** The same program in a fraction of the time: not optimised, so that only its own count of its work tells anything. */
  readonly quick: Recipe;
  /** The same program, counting what it executes. */
  readonly coverage: Recipe;
  /** The same, counting what it executes and not optimised: what a line counts is the same, and it is built in half the time. */
  readonly 'quick-coverage': Recipe;
}

const cmakeOptions = '-G Ninja $(command -v ccache >/dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)';

/**
 * For a build that is not optimised, compiled by what run-recipe.ts names. The compiler is the one releases are built with:
 * clang takes some three fifths of gcc's time, but evaluates the arguments of calls in another order, which is another search.
 */
const quickCompiler =
  '-G Ninja -DCMAKE_C_COMPILER_LAUNCHER="$CULPRIT_COMPILE" -DCMAKE_CXX_COMPILER_LAUNCHER="$CULPRIT_COMPILE"';
/** Linked by a quicker linker than the usual one, where there is one, also without sources that nothing calls. */
const quickOptions = `${quickCompiler} -DCMAKE_EXE_LINKER_FLAGS="$CULPRIT_LINK"`;

/** For a build that counts what it executes. */
const counted = (options: string): string =>
  `${options} -DCMAKE_C_FLAGS="$CULPRIT_COVERAGE_FLAGS" -DCMAKE_CXX_FLAGS="$CULPRIT_COVERAGE_FLAGS"`;
const z3Coverage = (options: string): string =>
  `${counted(options)} -DCMAKE_EXE_LINKER_FLAGS="$CULPRIT_COVERAGE_LINK"`;
/**
 * Linked last of all, after the linker that CVC4 and cvc5 choose themselves, which is gold, and that knows nothing of how
 * counters are laid out; what they try out to learn what a machine has is linked without.
 */
const cvcCoverage = (options: string): string =>
  `${counted(options)} -DCMAKE_C_STANDARD_LIBRARIES="$CULPRIT_COVERAGE_LINK" -DCMAKE_CXX_STANDARD_LIBRARIES="$CULPRIT_COVERAGE_LINK"`;
const coverageBuild = (build: string[]): string[] => ['"$CULPRIT_COVERAGE"', ...build];

/** Z3's build with other options for CMake. Before 4.5 there was no CMake, and the sources were written for the C++ of 1998. */
function z3Build(options: string): string[] {
  return [
    `if [ -f CMakeLists.txt ]; then cmake -S . -B "$CULPRIT_BUILD" ${options} -DCMAKE_BUILD_TYPE=Release -DZ3_BUILD_LIBZ3_SHARED=OFF -DBUILD_LIBZ3_SHARED=OFF; ` +
      `else CXXFLAGS="\${CXXFLAGS:--std=gnu++98 -w}" python3 scripts/mk_make.py -b build; fi`,
    'if [ -f CMakeLists.txt ]; then ninja -C "$CULPRIT_BUILD" -j "$CULPRIT_JOBS" shell; ' +
      'else make -C build -j "$CULPRIT_JOBS" z3 && cp build/z3 "$CULPRIT_BUILD/z3"; fi',
  ];
}

/** CVC4's releases know floats, but its build leaves them out unless asked, also where what they need is there. */
const floatsOfCvc4 =
  '$(echo "#include <symfpu/core/unpackedFloat.h>" | c++ -E -x c++ - >/dev/null 2>&1 && echo -DUSE_SYMFPU=ON)';

/**
 * cvc5 before 1.1 looks for ANTLR under the name that its authors gave it, or fetches it; Debian's package has others, and
 * lies in several files: what `antlr3` of that package calls.
 */
const antlrOfDebian = ['antlr3', 'antlr3-runtime', 'stringtemplate4', 'stringtemplate']
  .map((name) => `/usr/share/java/${name}.jar`)
  .join(':');
const parserOfCvc5 = `$([ ! -e /usr/share/java/antlr3.jar ] || echo -DANTLR3_JAR=${antlrOfDebian})`;

/** Of ANTLR 3.4, which is the one to be had; CVC4 asks in a way that fails where its library is of C++ and static. */
const parserOfCvc4 = '-DHAVE_ANTLR3_FILE_STREAM_NEW=1';

/** Scripts of CVC4, and of cvc5 before 1.0.3, are older than bash 5.2, which gives `&` a meaning in what is put in place of something. */
const olderBash = `echo 'shopt -u patsub_replacement 2>/dev/null || :' > "$CULPRIT_BUILD/bash.sh"`;

function cvcBuild(family: 'cvc4' | 'cvc5', options: string): string[] {
  const asked = `${options} ${family === 'cvc4' ? `${floatsOfCvc4} ${parserOfCvc4}` : parserOfCvc5}`;
  return [
    olderBash,
    `cmake -S . -B "$CULPRIT_BUILD" ${asked} -DCMAKE_BUILD_TYPE=Production -DBUILD_SHARED_LIBS=OFF -DENABLE_SHARED=OFF -DENABLE_AUTO_DOWNLOAD=ON`,
    `BASH_ENV="$CULPRIT_BUILD/bash.sh" ninja -C "$CULPRIT_BUILD" -j "$CULPRIT_JOBS" ${family}-bin`,
  ];
}

/** What the builds of all solvers have in common. */
const usual = { env: {}, memoryMegabytes: 3072, minutes: 180, patches: [], goesOn: true };

/** Adding a solver means adding a row. */
const known: readonly KnownRecipe[] = [
  {
    family: 'z3',
    marks: [
      { file: 'CMakeLists.txt', holds: /project\s*\(\s*Z3\b/i },
      { file: 'scripts/mk_make.py', holds: /\bz3\b/i },
    ],
    recipe: { ...usual, build: z3Build(cmakeOptions), binary: '$CULPRIT_BUILD/z3' },
    quick: { ...usual, build: z3Build(quickOptions), binary: '$CULPRIT_BUILD/z3' },
    coverage: {
      ...usual,
      build: coverageBuild(z3Build(z3Coverage(cmakeOptions))),
      binary: '$CULPRIT_BUILD/z3',
    },
    'quick-coverage': {
      ...usual,
      build: coverageBuild(z3Build(z3Coverage(quickCompiler))),
      binary: '$CULPRIT_BUILD/z3',
    },
  },
  ...(['cvc4', 'cvc5'] as const).map(
    (family): KnownRecipe => ({
      family,
      marks: [{ file: 'CMakeLists.txt', holds: new RegExp(`project\\s*\\(\\s*${family}\\b`, 'i') }],
      recipe: { ...usual, build: cvcBuild(family, cmakeOptions), binary: `$CULPRIT_BUILD/bin/${family}` },
      quick: { ...usual, build: cvcBuild(family, quickOptions), binary: `$CULPRIT_BUILD/bin/${family}` },
      coverage: {
        ...usual,
        build: coverageBuild(cvcBuild(family, cvcCoverage(cmakeOptions))),
        binary: `$CULPRIT_BUILD/bin/${family}`,
      },
      'quick-coverage': {
        ...usual,
        build: coverageBuild(cvcBuild(family, cvcCoverage(quickCompiler))),
        binary: `$CULPRIT_BUILD/bin/${family}`,
      },
    }),
  ),
];

/** The recipe for a commit of a solver that culprit knows how to build. */
export async function knownRecipeAt(
  repository: Repository,
  commit: string,
  signal: AbortSignal,
): Promise<KnownRecipe | undefined | Fault> {
  const files = new Map<string, string>();
  for (const recipe of known) {
    for (const { file, holds } of recipe.marks) {
      const text = files.get(file) ?? (await repository.fileAt(commit, file, signal)) ?? '';
      if (text instanceof Fault) return text;
      files.set(file, text);
      if (holds.test(text)) return recipe;
    }
  }
  return undefined;
}

/** The same for recipes that make the same. */
export function recipeKey({ build, binary, env, patches }: Recipe): string {
  return sha256(JSON.stringify([build, binary, Object.entries(env).toSorted(), patches]));
}
