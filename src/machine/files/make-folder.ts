import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents. Node's own `recursive` option loops forever, deaf to signals, if the
 * system reports ENOENT in an existing folder, as below /proc.
 *
 * @throws the system's error; `EEXIST` if something else has the name
 */
export async function makeFolder(path: string): Promise<void> {
  const missing = [resolve(path)];
  /** Folders that could not be created although the parent exists. */
  const refused = new Set<string>();
  for (let folder = missing.pop(); folder !== undefined; folder = missing.pop()) {
    try {
      await mkdir(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The error does not matter if the folder exists, such as on a read-only file system.
      if (code !== 'ENOENT') {
        if (await isFolder(folder)) continue;
        throw error;
      }
      const above = dirname(folder);
      const isThere = above === folder || (await isFolder(above));
      // Another process may have created the parent just now, so try once more.
      if (isThere && refused.has(folder)) throw error;
      if (isThere) refused.add(folder);
      missing.push(folder, ...(isThere ? [] : [above]));
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined);
  return info?.isDirectory() ?? false;
}
