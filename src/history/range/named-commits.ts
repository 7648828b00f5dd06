/** A repository and two commits in it. */

import { resolve } from 'node:path';
import { type Builder, type BuilderRequest, requestedBuilder } from '../../builds/index.js';
import { Fault } from '../../machine/index.js';
import { Repository } from '../../repository/index.js';
import type { CommitRange } from './commit-range.js';

export interface NamedCommits {
  readonly repository: Repository;
  /** An absolute path. */
  readonly path: string;
  readonly good: string;
  readonly bad: string;
  readonly builder: Builder;
}

/**
 * Returns a fault if a commit does not exist, if the bad commit is no descendant of the good one, or if there is no
 * recipe.
 */
export async function namedCommits(
  range: CommitRange,
  request: BuilderRequest,
  signal: AbortSignal,
): Promise<NamedCommits | Fault> {
  const repository = await Repository.open(range.repo, signal);
  if (repository instanceof Fault) return repository;
  const good = await repository.resolve(range.good, signal);
  if (good instanceof Fault) return good;
  const bad = await repository.resolve(range.bad, signal);
  if (bad instanceof Fault) return bad;
  const line = await repository.line(good, bad, 'first-parent', signal);
  if (line instanceof Fault) return line;
  const builder = await requestedBuilder(repository, bad, request, signal);
  if (builder instanceof Fault) return builder;
  return { repository, path: resolve(range.repo), good, bad, builder };
}
