import { z } from 'zod';
import { Fault, sha256 } from '../machine/index.js';
import type { Repository } from '../repository/index.js';

const mostMinutes = 30_000;

/**
 * Commands that `sh` runs in order in the source folder. They can use these variables:
 *
 * - `$CULPRIT_BUILD`: a folder that persists between commits, for incremental builds
 * - `$CULPRIT_JOBS`: the number of parallel compilers
 * - `$CULPRIT_COMPILE`: a launcher in front of the compiler; compiles quickly, without optimisation
 * - `$CULPRIT_LINK`: a linker option; links quickly, and without left-out sources
 * - `$CULPRIT_COVERAGE_FLAGS`, `$CULPRIT_COVERAGE_LINK`: options of compiler and linker for coverage counters
 * - `$CULPRIT_COVERAGE`: a program to run before such a build
 */
export const recipeShape = {
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
    .describe('memory of one build in MB; limits the number of parallel builds'),
  minutes: z.number().positive().max(mostMinutes).default(120).describe('time limit of one build'),
  patches: z.array(z.object({ name: z.string(), text: z.string() })).default([]),
  resumable: z
    .boolean()
    .default(false)
    .describe('an interrupted build continues, as with ninja; otherwise it starts over'),
};

/** Accepts the former name of `resumable`, `goesOn`. */
export function withFormerNames<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || !('goesOn' in value)) return value;
    const { goesOn, ...rest } = value;
    return { resumable: goesOn, ...rest };
  }, schema);
}

export const recipeSchema = withFormerNames(z.object(recipeShape));

export type Recipe = z.infer<typeof recipeSchema>;

/** A recipe that comes with culprit, and how to recognise its sources. */
export interface KnownRecipe {
  readonly family: 'z3' | 'cvc4' | 'cvc5';
  /** Files with such text; one match is enough. */
  readonly marks: readonly { readonly file: string; readonly holds: RegExp }[];
  readonly recipe: Recipe;
  /** Unoptimised: builds in a fraction of the time; only the effort counter is comparable. */
  readonly quick: Recipe;
  readonly coverage: Recipe;
  /** Unoptimised with coverage counters: the counts are the same and it builds in half the time. */
  readonly 'quick-coverage': Recipe;
}

const cmakeOptions = '-G Ninja $(command -v ccache >/dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)';

/**
 * Options of unoptimised builds, compiled by quick-compile.sh. They use the same compiler as releases. clang takes
 * three fifths of gcc's time, but evaluates the arguments of calls in another order, which changes the search.
 */
const quickCompiler =
  '-G Ninja -DCMAKE_C_COMPILER_LAUNCHER="$CULPRIT_COMPILE" -DCMAKE_CXX_COMPILER_LAUNCHER="$CULPRIT_COMPILE"';
/** Uses a fast linker if there is one; can leave out sources that nothing calls. */
const quickOptions = `${quickCompiler} -DCMAKE_EXE_LINKER_FLAGS="$CULPRIT_LINK"`;

const counted = (options: string): string =>
  `${options} -DCMAKE_C_FLAGS="$CULPRIT_COVERAGE_FLAGS" -DCMAKE_CXX_FLAGS="$CULPRIT_COVERAGE_FLAGS"`;
const z3Coverage = (options: string): string =>
  `${counted(options)} -DCMAKE_EXE_LINKER_FLAGS="$CULPRIT_COVERAGE_LINK"`;
/**
 * Put last on the linker's command line, after the choice of gold by CVC4 and cvc5, because gold cannot lay out the
 * counters. CMake's own checks are linked without it.
 */
const cvcCoverage = (options: string): string =>
  `${counted(options)} -DCMAKE_C_STANDARD_LIBRARIES="$CULPRIT_COVERAGE_LINK" -DCMAKE_CXX_STANDARD_LIBRARIES="$CULPRIT_COVERAGE_LINK"`;

/** Z3's build with options for CMake. Before 4.5 there was no CMake, and the sources were in C++98. */
function z3Build(options: string): string[] {
  return [
    `if [ -f CMakeLists.txt ]; then cmake -S . -B "$CULPRIT_BUILD" ${options} -DCMAKE_BUILD_TYPE=Release -DZ3_BUILD_LIBZ3_SHARED=OFF -DBUILD_LIBZ3_SHARED=OFF; ` +
      `else CXXFLAGS="\${CXXFLAGS:--std=gnu++98 -w}" python3 scripts/mk_make.py -b build; fi`,
    'if [ -f CMakeLists.txt ]; then ninja -C "$CULPRIT_BUILD" -j "$CULPRIT_JOBS" shell; ' +
      'else make -C build -j "$CULPRIT_JOBS" z3 && cp build/z3 "$CULPRIT_BUILD/z3"; fi',
  ];
}

/** CVC4's releases support floats, but its build omits them unless requested, even if symfpu is installed. */
const floatsOfCvc4 =
  '$(echo "#include <symfpu/core/unpackedFloat.h>" | c++ -E -x c++ - >/dev/null 2>&1 && echo -DUSE_SYMFPU=ON)';

/**
 * cvc5 before 1.1 looks for ANTLR under its original file name, or downloads it. Debian's package uses other names
 * and several files, as its `antlr3` script lists.
 */
const antlrOfDebian = ['antlr3', 'antlr3-runtime', 'stringtemplate4', 'stringtemplate']
  .map((name) => `/usr/share/java/${name}.jar`)
  .join(':');
const parserOfCvc5 = `$([ ! -e /usr/share/java/antlr3.jar ] || echo -DANTLR3_JAR=${antlrOfDebian})`;

/** CVC4's check for this feature of ANTLR 3.4 fails if the library is C++ and static. */
const parserOfCvc4 = '-DHAVE_ANTLR3_FILE_STREAM_NEW=1';

/**
 * Scripts of CVC4, and of cvc5 before 1.0.3, predate bash 5.2, in which `&` has a meaning in pattern replacements.
 */
const olderBash = `echo 'shopt -u patsub_replacement 2>/dev/null || :' > "$CULPRIT_BUILD/bash.sh"`;

function cvcBuild(family: 'cvc4' | 'cvc5', options: string): string[] {
  const asked = `${options} ${family === 'cvc4' ? `${floatsOfCvc4} ${parserOfCvc4}` : parserOfCvc5}`;
  return [
    olderBash,
    `cmake -S . -B "$CULPRIT_BUILD" ${asked} -DCMAKE_BUILD_TYPE=Production -DBUILD_SHARED_LIBS=OFF -DENABLE_SHARED=OFF -DENABLE_AUTO_DOWNLOAD=ON`,
    `BASH_ENV="$CULPRIT_BUILD/bash.sh" ninja -C "$CULPRIT_BUILD" -j "$CULPRIT_JOBS" ${family}-bin`,
  ];
}

const usual = { env: {}, memoryMegabytes: 3072, minutes: 180, patches: [], resumable: true };

function variants(
  binary: string,
  build: (cmakeOptions: string) => string[],
  withCoverage: (cmakeOptions: string) => string,
): Pick<KnownRecipe, 'recipe' | 'quick' | 'coverage' | 'quick-coverage'> {
  const recipe = (commands: string[]): Recipe => ({ ...usual, build: commands, binary });
  const counting = (options: string): Recipe =>
    recipe(['"$CULPRIT_COVERAGE"', ...build(withCoverage(options))]);
  return {
    recipe: recipe(build(cmakeOptions)),
    quick: recipe(build(quickOptions)),
    coverage: counting(cmakeOptions),
    'quick-coverage': counting(quickCompiler),
  };
}

const known: readonly KnownRecipe[] = [
  {
    family: 'z3',
    marks: [
      { file: 'CMakeLists.txt', holds: /project\s*\(\s*Z3\b/i },
      { file: 'scripts/mk_make.py', holds: /\bz3\b/i },
    ],
    ...variants('$CULPRIT_BUILD/z3', z3Build, z3Coverage),
  },
  ...(['cvc4', 'cvc5'] as const).map(
    (family): KnownRecipe => ({
      family,
      marks: [{ file: 'CMakeLists.txt', holds: new RegExp(`project\\s*\\(\\s*${family}\\b`, 'i') }],
      ...variants(`$CULPRIT_BUILD/bin/${family}`, (options) => cvcBuild(family, options), cvcCoverage),
    }),
  ),
];

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

/** Equal for recipes with the same effect. */
export function recipeKey({ build, binary, env, patches }: Recipe): string {
  return sha256(JSON.stringify([build, binary, Object.entries(env).toSorted(), patches]));
}
