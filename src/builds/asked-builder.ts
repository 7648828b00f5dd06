/** How to build, as a user says it: in words, by the name of a builder, or not at all where that is known. */

import { type Fault, usageFault } from '../machine/index.js';
import type { Repository } from '../repository/index.js';
import { type Builder, builderFor } from './builders.js';
import { recipeSchema } from './recipe.js';

export interface BuilderRequest {
  /** Commands; none: as the builder says, or as is known for the repository. */
  readonly build: readonly string[];
  /** Where the program is after those commands. */
  readonly binary?: string | undefined;
  /** The name of a builder in `culprit.json`. */
  readonly builder?: string | undefined;
  /** Where `culprit.json` is. */
  readonly folder: string;
}

export async function askedBuilder(
  repository: Repository,
  commit: string,
  { build, binary, builder: name, folder }: BuilderRequest,
  signal: AbortSignal,
): Promise<Builder | Fault> {
  if (build.length === 0) return builderFor(repository, commit, { folder, name, signal });
  if (name !== undefined) return usageFault('say how to build by --build or by --builder, not both');
  if (binary === undefined) return usageFault('say where the program is after the build: --binary PATH');
  return { recipe: recipeSchema.parse({ build: [...build], binary }) };
}
