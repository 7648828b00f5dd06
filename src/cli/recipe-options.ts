/** How a repository is built, as a user says it; the same words for every command that builds commits. */

import type { Command } from 'commander';
import { type Builder, builderFor, recipeSchema } from '../builds/index.js';
import type { Repository } from '../repository/index.js';
import { CommandFailure } from './failure.js';
import { orFail } from './versions.js';

export interface RecipeOptions {
  readonly build: readonly string[];
  readonly binary?: string;
  readonly builder?: string;
}

export function withRecipeOptions(command: Command): Command {
  return command
    .option(
      '--build <command>',
      'how to build; repeatable; known for Z3, CVC4 and cvc5',
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .option('--binary <path>', 'where the program is after that')
    .option('--builder <name>', 'build as culprit.json says under this name');
}

export async function recipeFrom(
  repository: Repository,
  commit: string,
  { build, binary, builder: name }: RecipeOptions,
  signal: AbortSignal,
): Promise<Builder> {
  if (build.length === 0)
    return orFail(await builderFor(repository, commit, { folder: process.cwd(), name, signal }));
  if (name !== undefined)
    throw new CommandFailure(2, 'say how to build by --build or by --builder, not both');
  if (binary === undefined)
    throw new CommandFailure(2, 'say where the program is after the build: --binary PATH');
  return { recipe: recipeSchema.parse({ build: [...build], binary }) };
}
