import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, and those above it that are missing. Node's own way (`recursive`) never ends, and hears no signal,
 * where the system says of a folder in one that is there that there is no such folder, as below /proc.
 *
 * @throws what the system says; `EEXIST` if something else has the name
 */
export async function makeFolder(path: string): Promise<void> {
  const missing = [resolve(path)];
  /** What lies in a folder that is there and could not be made all the same. */
  const refused = new Set<string>();
  for (let folder = missing.pop(); folder !== undefined; folder = missing.pop()) {
    try {
      await mkdir(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Whatever else the system says of a folder that is there, as on a file system that is read only, it is there.
      if (code !== 'ENOENT') {
        if (await isFolder(folder)) continue;
        throw error;
      }
      const above = dirname(folder);
      const isThere = above === folder || (await isFolder(above));
      // Somebody else may have made the one above just now: one more try tells.
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
