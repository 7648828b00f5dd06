/** User-defined recipes from `builders` in `culprit.json`. */

import { resolve } from 'node:path';
import { z } from 'zod';
import { readConfigurationFile } from '../configuration/index.js';
import { Fault, lookUp, readInputText, usageFault } from '../machine/index.js';
import { Repository } from '../repository/index.js';
import type { KnownFamily } from '../solver/index.js';
import type { CompilerName } from './compilers.js';
import { knownRecipeAt, type Recipe, recipeShape, withFormerNames } from './recipe.js';

const optionalCommands = (description: string) => z.array(z.string()).min(1).optional().describe(description);

const builderSchema = withFormerNames(
  z.strictObject({
    ...recipeShape,
    repository: z.string().optional().describe('the repository for which it is the default'),
    patches: z.array(z.string()).default([]).describe('patch files, applied to the commits they fit'),
    quick: optionalCommands('commands for an unoptimised build, for comparisons by effort only'),
    coverage: optionalCommands(
      'commands for a build with coverage counters, with $CULPRIT_COVERAGE_FLAGS for the compiler and $CULPRIT_COVERAGE_LINK for the linker',
    ),
    'quick-coverage': optionalCommands('commands for an unoptimised build with coverage counters'),
  }),
);

export const buildersSchema = z.object({
  builders: z
    .record(z.string(), builderSchema)
    .default({})
    .describe('how to build commits, by the names for --builder'),
});

/** How to build a repository, and the solver family of the result, if known. */
export interface Builder {
  readonly recipe: Recipe;
  /** Builds quickly, runs slowly. */
  readonly quick?: Recipe | undefined;
  readonly coverage?: Recipe | undefined;
  readonly 'quick-coverage'?: Recipe | undefined;
  readonly family?: KnownFamily | undefined;
  readonly compiler?: CompilerName | undefined;
}

/**
 * The builder that the user names, else the builder configured for the repository, else culprit's recipe for a known
 * solver.
 *
 * @param folder the user's folder: `culprit.json` is there or above
 */
export async function builderFor(
  repository: Repository,
  commit: string,
  { folder, name, signal }: { folder: string; name?: string | undefined; signal: AbortSignal },
): Promise<Builder | Fault> {
  const file = readConfigurationFile(folder);
  if (file instanceof Fault) return file;
  const section = file.section(buildersSchema);
  if (section instanceof Fault) return section;
  const { builders } = section;
  const home = file.folder;
  if (name !== undefined) {
    const builder = lookUp(builders, name);
    return builder === undefined
      ? usageFault(`no builder "${name}" is defined in culprit.json`)
      : withPatches(builder, home);
  }
  for (const builder of Object.values(builders)) {
    if (builder.repository === undefined) continue;
    const own = await Repository.open(resolve(home, builder.repository), signal);
    if (!(own instanceof Fault) && own.gitDir === repository.gitDir) return withPatches(builder, home);
  }
  return (
    (await knownRecipeAt(repository, commit, signal)) ??
    usageFault(
      `${repository.path} is not a solver that culprit knows how to build: ` +
        'add --build and --binary, or define a builder in culprit.json',
    )
  );
}

function withPatches(
  {
    repository: _,
    patches: files,
    quick,
    coverage,
    'quick-coverage': quickCoverage,
    ...rest
  }: z.infer<typeof builderSchema>,
  folder: string,
): Builder | Fault {
  const patches: Recipe['patches'] = [];
  for (const name of files) {
    const text = readInputText(resolve(folder, name));
    if (text instanceof Fault) return usageFault(`the patch ${name}: ${text.message}`);
    patches.push({ name, text });
  }
  const recipe = { ...rest, patches };
  return {
    recipe,
    quick: quick && { ...recipe, build: quick },
    coverage: coverage && withCounters(recipe, coverage),
    'quick-coverage': quickCoverage && withCounters(recipe, quickCoverage),
  };
}

function withCounters(recipe: Recipe, build: readonly string[]): Recipe {
  return { ...recipe, build: ['"$CULPRIT_COVERAGE"', ...build] };
}
