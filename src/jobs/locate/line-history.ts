/** Facts from a repository that locating needs. They are cached for all later runs. */

import { join } from 'node:path';
import { type EditedVersion, editedLines, suspectedFiles } from '../../locate/index.js';
import { cacheFolder, Fault, thisMachine } from '../../machine/index.js';
import { Repository } from '../../repository/index.js';
import type { JobWatch } from '../job.js';

/** The cache of what versions execute for unrelated formulas. */
export function ordinaryFolder(): string {
  return join(cacheFolder(thisMachine()), 'ordinary');
}

/** How often each line of a commit was edited. */
export async function lineEdits(
  { repository: path, revision }: { readonly repository: string; readonly revision: string },
  { signal, onStep }: JobWatch,
): Promise<EditedVersion | Fault> {
  const repository = await Repository.open(path, signal);
  if (repository instanceof Fault) return repository;
  const id = await repository.resolve(revision, signal);
  if (id instanceof Fault) return id;
  return editedLines(repository, id, { folder: join(cacheFolder(thisMachine()), 'lines'), signal, onStep });
}

/** The files that suspected commits changed; commits are separated by commas. */
export async function suspectedFilesOf(
  path: string,
  commits: string,
  { signal }: JobWatch,
): Promise<ReadonlySet<string> | Fault> {
  const repository = await Repository.open(path, signal);
  if (repository instanceof Fault) return repository;
  const revisions = commits.split(',').map((part) => part.trim());
  return suspectedFiles(repository, revisions, signal);
}
