import { Fault } from '../machine/index.js';
import type { Repository } from '../repository/index.js';
import { sourcePatterns } from './lines/commit-edits.js';

/** Source files that suspected commits changed; for a merge, relative to its first parent. */
export async function suspectedFiles(
  repository: Repository,
  revisions: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string> | Fault> {
  const ids: string[] = [];
  for (const revision of revisions) {
    const id = await repository.resolve(revision, signal);
    if (id instanceof Fault) return id;
    ids.push(id);
  }
  const commits = await repository.commits(ids, signal);
  if (commits instanceof Fault) return commits;
  const compared = commits.map(({ id, parents: [parent] }) => ({ id, parent }));
  const changed = await repository.changedFiles(compared, sourcePatterns, signal);
  return changed instanceof Fault ? changed : new Set(changed.flat().map(({ path }) => path));
}
