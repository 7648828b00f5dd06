/** `git:REPOSITORY@REVISION` as a version: its commit built, or taken from what was built before. */

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Fault, usageFault } from '../solver/fault.js';
import type { BuiltCommit } from '../solver/sources/source.js';
import { builderFor } from './builders.js';
import { localBuilds } from './local-bisection.js';
import { Repository, short } from './repository.js';

export interface CommitOptions {
  /** Where `culprit.json` is, and what relative paths start from. */
  readonly folder: string;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

export async function buildCommit(
  path: string,
  revision: string,
  { folder, progress, signal }: CommitOptions,
): Promise<BuiltCommit | Fault> {
  const repository = await Repository.open(resolve(folder, path), signal);
  if (repository instanceof Fault) return repository;
  const commit = await repository.resolve(revision, signal);
  if (commit instanceof Fault) return commit;
  const builder = await builderFor(repository, commit, { folder, signal });
  if (builder instanceof Fault) return builder;
  progress(`building ${short(commit)} of ${path}, unless it was built before`);
  const build = await localBuilds().build(repository, commit, builder.recipe, {
    jobs: availableParallelism(),
    signal,
  });
  if (build instanceof Fault) return build;
  if (build.kind === 'failed')
    return usageFault(`${short(commit)} of ${path} does not build: ${build.why} (see ${build.log})`);
  return { program: build.program, family: builder.family };
}
