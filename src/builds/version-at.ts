import { Fault, usageFault } from '../machine/index.js';
import { type Repository, shortId } from '../repository/index.js';
import type { Version } from '../solver/index.js';
import type { Builder } from './builders.js';
import type { Builds, CollectArtifacts } from './builds.js';
import { versionOfProgram } from './program-version.js';

export interface BuildContext {
  readonly repository: Repository;
  readonly builder: Builder;
  readonly builds: Builds;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly collectArtifacts?: CollectArtifacts | undefined;
}

export async function versionAt(
  { repository, builder, builds, jobs, signal, collectArtifacts }: BuildContext,
  commit: string,
): Promise<Version | Fault> {
  const build = await builds.build(repository, commit, builder.recipe, { jobs, signal, collectArtifacts });
  if (build instanceof Fault) return build;
  if (build.kind === 'failed')
    return usageFault(`${shortId(commit)} does not build: ${build.why} (see ${build.log})`);
  return versionOfProgram(build.program, builder.family, shortId(commit));
}
