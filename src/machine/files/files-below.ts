/** The files below a folder, at any depth. */

import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface FileBelow {
  readonly path: string;
  readonly name: string;
  /** To whatever; links to folders are not entered, as they may lead round in a circle. */
  readonly isLink: boolean;
}

/** Rejects as the system does where the folder cannot be read. */
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

/** Node 20.11 has only the old name, Node 24 only the new one. */
function parentOf({ parentPath, path }: Partial<Dirent>): string {
  return parentPath ?? path ?? '';
}
