import { cp } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * A folder with all that is in it at another place, as old as it was: a build there finds nothing newer than what it
 * was made from. Links stay links. What git keeps for itself is left out, and so are pipes, sockets and devices.
 */
export async function copyFolder(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    errorOnExist: true,
    force: false,
    filter: (source) => basename(source) !== '.git',
  });
}
