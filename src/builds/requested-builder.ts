/** Chooses the builder by the user's options: commands, the name of a builder, or a known repository. */

import { Fault, thisMachine, usageFault } from '../machine/index.js';
import type { Repository } from '../repository/index.js';
import { type Builder, builderFor } from './builders.js';
import { type CompilerName, compilerOf } from './compilers.js';
import { recipeSchema } from './recipe.js';

export interface BuilderRequest {
  readonly build: readonly string[];
  readonly binary?: string | undefined;
  readonly builder?: string | undefined;
  /** Compiler of quick builds; default is the machine's usual one. */
  readonly compiler?: CompilerName | undefined;
  readonly folder: string;
}

export async function requestedBuilder(
  repository: Repository,
  commit: string,
  request: BuilderRequest,
  signal: AbortSignal,
): Promise<Builder | Fault> {
  const builder = await uncompiledBuilder(repository, commit, request, signal);
  if (builder instanceof Fault || request.compiler === undefined) return builder;
  return withCompiler(builder, request.compiler);
}

async function uncompiledBuilder(
  repository: Repository,
  commit: string,
  { build, binary, builder: name, folder }: BuilderRequest,
  signal: AbortSignal,
): Promise<Builder | Fault> {
  if (build.length === 0) return builderFor(repository, commit, { folder, name, signal });
  if (name !== undefined) return usageFault('use --build or --builder, not both');
  if (binary === undefined)
    return usageFault('--build needs --binary PATH, where the program is after the build');
  return { recipe: recipeSchema.parse({ build: [...build], binary }) };
}

/** Only for quick builds: release builds are measured as users have them. */
function withCompiler(builder: Builder, name: CompilerName): Builder | Fault {
  const { quick } = builder;
  if (quick === undefined)
    return usageFault('--compiler is for quick builds, and no quick recipe for this repository is known');
  const compiler = compilerOf(name, thisMachine());
  if (compiler instanceof Fault) return compiler;
  return { ...builder, quick: { ...quick, env: { ...quick.env, ...compiler } }, compiler: name };
}
