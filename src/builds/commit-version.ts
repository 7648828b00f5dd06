/** Builds the commit of a `git:REPOSITORY@REVISION` version, or takes it from the cache. */

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { type Allow, Fault, thisMachine, usageFault } from '../machine/index.js';
import { Repository, shortId } from '../repository/index.js';
import {
  absoluteProgram,
  type BuildVariant,
  type BuiltCommit,
  parseSpec,
  printSpec,
} from '../solver/index.js';
import { builderFor } from './builders.js';
import { type CollectArtifacts, localBuilds } from './builds.js';
import { artifactsFor } from './partial/partial-builds.js';
import { buildRunnable } from './runnable.js';

export interface CommitOptions {
  readonly folder: string;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
  /** Unoptimised, or with coverage counters. */
  readonly variant?: BuildVariant | undefined;
  readonly collectArtifacts?: CollectArtifacts | undefined;
  readonly allow: Allow;
}

export async function buildCommit(
  path: string,
  revision: string,
  { folder, progress, signal, variant, collectArtifacts, allow }: CommitOptions,
): Promise<BuiltCommit | Fault> {
  const place = resolve(folder, path);
  const repository = await Repository.open(place, signal);
  if (repository instanceof Fault) return repository;
  const commit = await repository.resolve(revision, signal);
  if (commit instanceof Fault) return commit;
  const builder = await builderFor(repository, commit, { folder, signal });
  if (builder instanceof Fault) return builder;
  const recipe = variant === undefined ? builder.recipe : builder[variant];
  if (recipe === undefined)
    return usageFault(
      `no ${variant} recipe for ${path} is known: define a builder with "${variant}" in culprit.json`,
    );
  const denied = await allow([buildRunnable(place, recipe)]);
  if (denied !== undefined) return denied;
  progress(`building ${shortId(commit)} of ${path}, unless it is cached`);
  const build = await localBuilds().build(repository, commit, recipe, {
    jobs: availableParallelism(),
    signal,
    collectArtifacts: collectArtifacts ?? artifactsFor({ isQuick: variant === 'quick' }),
  });
  if (build instanceof Fault) return build;
  if (build.kind === 'failed')
    return usageFault(`${shortId(commit)} of ${path} does not build: ${build.why} (see ${build.log})`);
  return { program: build.program, family: builder.family };
}

/**
 * A list of versions that stays valid later and elsewhere: commits by id instead of branch, programs and repositories
 * by absolute path.
 */
export async function pinVersions(
  list: string,
  { folder, signal }: Pick<CommitOptions, 'folder' | 'signal'>,
): Promise<string | Fault> {
  const names: string[] = [];
  for (const part of list.split(',')) {
    const spec = parseSpec(part);
    if (spec instanceof Fault || (spec.from !== 'git' && spec.from !== 'path')) {
      names.push(part);
      continue;
    }
    if (spec.from === 'path') {
      names.push(printSpec({ ...spec, path: absoluteProgram(spec.path, { ...thisMachine(), cwd: folder }) }));
      continue;
    }
    const place = resolve(folder, spec.repository);
    const repository = await Repository.open(place, signal);
    if (repository instanceof Fault) return repository;
    const commit = await repository.resolve(spec.revision, signal);
    if (commit instanceof Fault) return commit;
    names.push(printSpec({ ...spec, repository: place, revision: shortId(commit) }));
  }
  return names.join();
}
