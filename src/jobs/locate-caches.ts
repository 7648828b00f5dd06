/** What locating takes from a repository, and keeps in culprit’s cache for everybody. */

import { join } from 'node:path';
import { type EditedVersion, editedLines, suspectedFiles } from '../locate/index.js';
import { cacheFolder, Fault, type OnStep, thisMachine } from '../machine/index.js';
import { Repository } from '../repository/index.js';

/** Where what versions execute for ordinary formulas is kept. */
export function ordinaryFolder(): string {
  return join(cacheFolder(thisMachine()), 'ordinary');
}

/** How often each line of a commit was edited; what commits did is kept in culprit's cache. */
export async function editedAt(
  path: string,
  revision: string,
  signal: AbortSignal,
  onStep: OnStep,
): Promise<EditedVersion | Fault> {
  const repository = await Repository.open(path, signal);
  if (repository instanceof Fault) return repository;
  const id = await repository.resolve(revision, signal);
  if (id instanceof Fault) return id;
  return editedLines(repository, id, { folder: join(cacheFolder(thisMachine()), 'lines'), signal, onStep });
}

/** The files of commits that are suspected, with commas between. */
export async function suspectsOf(
  path: string,
  commits: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | Fault> {
  const repository = await Repository.open(path, signal);
  if (repository instanceof Fault) return repository;
  const revisions = commits.split(',').map((part) => part.trim());
  return suspectedFiles(repository, revisions, signal);
}
