/** A repository with the two commits a user names in it. */

import { resolve } from 'node:path';
import { type Builder, type BuilderRequest, requestedBuilder } from '../../builds/index.js';
import { Fault } from '../../machine/index.js';
import { Repository } from '../../repository/index.js';
import type { CommitRange } from './commit-range.js';

export interface NamedCommits {
  readonly repository: Repository;
  /** Where the repository is, from wherever it is asked for. */
  readonly path: string;
  readonly good: string;
  readonly bad: string;
  readonly builder: Builder;
}

/** A fault if one of them is not there, if no line leads from one to the other, or if nobody knows how to build them. */
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
