/** How to build, as a user says it: in words, by the name of a builder, or not at all where that is known. */

import { Fault, thisMachine, usageFault } from '../machine/index.js';
import type { Repository } from '../repository/index.js';
import { type Builder, builderFor } from './builders.js';
import { type CompilerName, compilerOf } from './compilers.js';
import { recipeSchema } from './recipe.js';

export interface BuilderRequest {
  /** Commands; none: as the builder says, or as is known for the repository. */
  readonly build: readonly string[];
  /** Where the program is after those commands. */
  readonly binary?: string | undefined;
  /** The name of a builder in `culprit.json`. */
  readonly builder?: string | undefined;
  /** What quick builds are compiled with; the usual compiler of the machine when left out. */
  readonly compiler?: CompilerName | undefined;
  /** Where `culprit.json` is. */
  readonly folder: string;
}

export async function askedBuilder(
  repository: Repository,
  commit: string,
  request: BuilderRequest,
  signal: AbortSignal,
): Promise<Builder | Fault> {
  const builder = await builderSaid(repository, commit, request, signal);
  if (builder instanceof Fault || request.compiler === undefined) return builder;
  return compiledBy(builder, request.compiler);
}

async function builderSaid(
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

/** Quick builds alone: what is built for release is measured as its users have it. */
function compiledBy(builder: Builder, name: CompilerName): Builder | Fault {
  const { quick } = builder;
  if (quick === undefined)
    return usageFault('--compiler is for quick builds, and no quick way to build this repository is known');
  const compiler = compilerOf(name, thisMachine());
  if (compiler instanceof Fault) return compiler;
  return { ...builder, quick: { ...quick, env: { ...quick.env, ...compiler } }, compiler: name };
}
