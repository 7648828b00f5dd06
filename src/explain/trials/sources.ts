/** The sources of a version: a folder or a commit. */

import { rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { cannotWrite, copyFolder, Fault, makeFolder, usageFault } from '../../machine/index.js';
import { Repository, shortId } from '../../repository/index.js';

export const sourcesSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), path: z.string() }),
  z.object({ kind: z.literal('commit'), repository: z.string(), id: z.string(), named: z.string() }),
]);

export type Sources = z.infer<typeof sourcesSchema>;

/** The folder of this name if there is one, else the commit. */
export async function sourcesNamed(
  name: string,
  repositoryPath: string,
  signal: AbortSignal,
): Promise<Sources | Fault> {
  if (name === '') return usageFault('the name of a version is empty');
  const isFolder = await stat(name).then(
    (info) => info.isDirectory(),
    () => false,
  );
  if (isFolder) return { kind: 'folder', path: resolve(name) };
  const repository = await Repository.open(repositoryPath, signal);
  if (repository instanceof Fault)
    return usageFault(`${name} is neither a folder nor a commit: ${repository.message}`);
  const id = await repository.resolve(name, signal);
  if (id instanceof Fault) return usageFault(`${name} is neither a folder nor a commit: ${id.message}`);
  return { kind: 'commit', repository: resolve(repositoryPath), id, named: name };
}

export function nameOfSources(sources: Sources): string {
  return sources.kind === 'folder' ? sources.path : `${sources.named} (${shortId(sources.id)})`;
}

/** Copies a version into an emptied folder. */
export async function layOutSources(
  sources: Sources,
  folder: string,
  signal: AbortSignal,
): Promise<string | Fault> {
  const target = join(folder, 'source');
  try {
    await rm(folder, { recursive: true, force: true });
    await makeFolder(folder);
    if (sources.kind === 'folder') {
      await copyFolder(sources.path, target);
      return target;
    }
  } catch (error) {
    signal.throwIfAborted();
    return cannotWrite(folder, error);
  }
  const repository = await Repository.open(sources.repository, signal);
  if (repository instanceof Fault) return repository;
  const missing = await repository.checkOut(sources.id, folder, signal);
  return missing instanceof Fault ? missing : target;
}
