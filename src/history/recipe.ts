/** How a commit becomes a program. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Fault, usageFault } from '../solver/fault.js';
import type { Repository } from './repository.js';

/**
 * Commands run one after the other by `sh`, in the folder with the sources. `$CULPRIT_BUILD` is a folder that stays
 * between commits, so that a build goes on from the last one; `$CULPRIT_JOBS` how many compilers may run at once.
 */
export const recipeSchema = z.object({
  build: z.array(z.string()).min(1),
  /** Where the program is afterwards, below the sources or, from `$CULPRIT_BUILD/`, below the build folder. */
  binary: z.string(),
  env: z.record(z.string(), z.string()).default({}),
  /** Memory one build takes, in megabytes: as many go on at once as the machine has room for. */
  memoryMegabytes: z.number().positive().default(2048),
  /** Minutes after which a build has failed. */
  minutes: z.number().positive().default(120),
});

export type Recipe = z.infer<typeof recipeSchema>;

/** A recipe that is known by name, and how its sources are told. */
interface KnownRecipe {
  readonly name: 'z3' | 'cvc4' | 'cvc5';
  readonly fits: (source: string) => boolean;
  readonly recipe: Recipe;
}

function projectNamed(source: string, name: RegExp): boolean {
  const file = join(source, 'CMakeLists.txt');
  return existsSync(file) && name.test(readFileSync(file, 'utf8'));
}

const cmakeOptions =
  '-G Ninja -DCMAKE_BUILD_TYPE=Release $(command -v ccache >/dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)';

/** Adding a solver means adding a row. */
const known: readonly KnownRecipe[] = [
  {
    name: 'z3',
    fits: (source) => projectNamed(source, /project\s*\(\s*Z3\b/i),
    recipe: {
      build: [
        `cmake -S . -B "$CULPRIT_BUILD" ${cmakeOptions} -DZ3_BUILD_LIBZ3_SHARED=OFF -DBUILD_LIBZ3_SHARED=OFF`,
        'ninja -C "$CULPRIT_BUILD" -j "$CULPRIT_JOBS" shell',
      ],
      binary: '$CULPRIT_BUILD/z3',
      env: {},
      memoryMegabytes: 3072,
      minutes: 180,
    },
  },
  ...(['cvc4', 'cvc5'] as const).map(
    (name): KnownRecipe => ({
      name,
      fits: (source) => projectNamed(source, new RegExp(`project\\s*\\(\\s*${name}\\b`, 'i')),
      recipe: {
        build: [
          `cmake -S . -B "$CULPRIT_BUILD" ${cmakeOptions} -DENABLE_AUTO_DOWNLOAD=ON`,
          'ninja -C "$CULPRIT_BUILD" -j "$CULPRIT_JOBS"',
        ],
        binary: `$CULPRIT_BUILD/bin/${name}`,
        env: {},
        memoryMegabytes: 3072,
        minutes: 180,
      },
    }),
  ),
];

/** The recipe for a commit, if it is of a solver culprit knows. */
export async function recipeAt(
  repository: Repository,
  commit: string,
  signal: AbortSignal,
): Promise<KnownRecipe | Fault> {
  const folder = await mkdtemp(join(tmpdir(), 'culprit-recipe-'));
  try {
    await repository.checkOut(commit, folder, signal);
    return (
      known.find(({ fits }) => fits(join(folder, 'source'))) ??
      usageFault(
        `${repository.path} is no solver culprit knows how to build: say how with --build and --binary`,
      )
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same for recipes that make the same. */
export function recipeKey({ build, binary, env }: Recipe): string {
  return createHash('sha256')
    .update(JSON.stringify([build, binary, Object.entries(env).toSorted()]))
    .digest('hex');
}
