import { cp } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * Copies a folder with its timestamps, so that a build there rebuilds nothing. Links stay links. `.git`, pipes,
 * sockets and devices are left out.
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
