import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface FileBelow {
  readonly path: string;
  readonly name: string;
  /** Links to folders are not entered because they may form a cycle. */
  readonly isLink: boolean;
}

/** All files below a folder; rejects with the system's error if the folder cannot be read. */
export async function filesBelow(folder: string): Promise<readonly FileBelow[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => ({
      path: join(parentOf(entry), entry.name),
      name: entry.name,
      isLink: entry.isSymbolicLink(),
    }));
}

/** Node 20.11 has only `path`, Node 24 only `parentPath`. */
function parentOf({ parentPath, path }: Partial<Dirent>): string {
  return parentPath ?? path ?? '';
}
