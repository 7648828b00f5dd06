/** Recipes of the user's own, from `builders` in `culprit.json`. */

import { resolve } from 'node:path';
import { z } from 'zod';
import { Fault, lookUp, readInputText, usageFault } from '../machine/index.js';
import { Repository } from '../repository/index.js';
import { type KnownFamily, readConfigured } from '../solver/index.js';
import { knownRecipeAt, type Recipe, recipeSchema } from './recipe.js';

const builderSchema = z.strictObject({
  ...recipeSchema.shape,
  /** Taken for this repository without being named. */
  repository: z.string().optional(),
  /** Files with patches. */
  patches: z.array(z.string()).default([]),
  /** Other commands for a build that need not be optimised, since only the solver's count of its work is compared. */
  quick: z.array(z.string()).min(1).optional(),
});

const schema = z.object({ builders: z.record(z.string(), builderSchema).default({}) });

/** How to build a repository, and what comes out of it where that is known. */
export interface Builder {
  readonly recipe: Recipe;
  /** Made to be built quickly, not to run quickly. */
  readonly quick?: Recipe | undefined;
  readonly family?: KnownFamily | undefined;
}

/**
 * The builder a user names, or the one that is configured for the repository, or the one that comes with culprit for
 * what the repository holds.
 *
 * @param folder where `culprit.json` is
 */
export async function builderFor(
  repository: Repository,
  commit: string,
  { folder, name, signal }: { folder: string; name?: string | undefined; signal: AbortSignal },
): Promise<Builder | Fault> {
  const configured = await readConfigured(folder, schema, { builders: {} });
  if (configured instanceof Fault) return configured;
  const { builders } = configured;
  if (name !== undefined) {
    const builder = lookUp(builders, name);
    return builder === undefined
      ? usageFault(`no builder "${name}" is defined in culprit.json`)
      : withPatches(builder, folder);
  }
  for (const builder of Object.values(builders)) {
    if (builder.repository === undefined) continue;
    const own = await Repository.open(resolve(folder, builder.repository), signal);
    if (!(own instanceof Fault) && own.gitDir === repository.gitDir) return withPatches(builder, folder);
  }
  return (
    (await knownRecipeAt(repository, commit, signal)) ??
    usageFault(
      `${repository.path} is not a solver that culprit knows how to build: ` +
        'say how with --build and --binary, or define a builder in culprit.json',
    )
  );
}

function withPatches(
  { repository: _, patches: files, quick, ...rest }: z.infer<typeof builderSchema>,
  folder: string,
): Builder | Fault {
  const patches: Recipe['patches'] = [];
  for (const name of files) {
    const text = readInputText(resolve(folder, name));
    if (text instanceof Fault) return usageFault(`the patch ${name}: ${text.message}`);
    patches.push({ name, text });
  }
  const recipe = { ...rest, patches };
  return { recipe, quick: quick && { ...recipe, build: quick } };
}
