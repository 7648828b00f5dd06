import { join } from 'node:path';
import { type EditedVersion, editedLines } from '../locate/index.js';
import { cacheFolder, Fault, type OnStep, thisMachine } from '../machine/index.js';
import { Repository } from '../repository/index.js';

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
