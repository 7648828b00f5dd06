/** `git:REPOSITORY@REVISION` as a version: its commit built, or taken from what was built before. */

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Fault, usageFault } from '../machine/index.js';
import { Repository, short } from '../repository/index.js';
import { type BuiltCommit, parseSpec, printSpec } from '../solver/index.js';
import { builderFor } from './builders.js';
import { localBuilds } from './builds.js';

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

/**
 * A list of versions in which every commit is named by its own id: a branch may be elsewhere when the list is read
 * again.
 */
export async function pinned(
  list: string,
  { folder, signal }: Pick<CommitOptions, 'folder' | 'signal'>,
): Promise<string | Fault> {
  const names: string[] = [];
  for (const part of list.split(',')) {
    const spec = parseSpec(part);
    if (spec instanceof Fault || spec.from !== 'git') {
      names.push(part);
      continue;
    }
    const repository = await Repository.open(resolve(folder, spec.repository), signal);
    if (repository instanceof Fault) return repository;
    const commit = await repository.resolve(spec.revision, signal);
    if (commit instanceof Fault) return commit;
    names.push(printSpec({ ...spec, revision: short(commit) }));
  }
  return names.join();
}
