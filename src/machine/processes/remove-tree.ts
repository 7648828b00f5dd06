/** Folders that strangers' programs have written to, removed whatever they left there. */

import { lstatSync } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * False if something of it is still there; that does no harm but for the room it takes. A folder without any rights is
 * given some first; links are removed and never followed.
 */
export async function removeTree(path: string): Promise<boolean> {
  if (await isRemoved(path)) return true;
  await unlock(path);
  return isRemoved(path);
}

async function isRemoved(path: string): Promise<boolean> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
    return true;
  } catch {
    return false;
  }
}

async function unlock(folder: string): Promise<void> {
  const below = [folder];
  for (const path of below) {
    try {
      if (!lstatSync(path).isDirectory()) continue;
      await chmod(path, 0o700);
      below.push(...(await readdir(path)).map((name) => join(path, name)));
    } catch {
      // Somebody else's, or gone meanwhile.
    }
  }
}
