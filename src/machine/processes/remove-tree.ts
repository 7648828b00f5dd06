import { lstatSync } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns false if something remains, which wastes only disk space. Adds missing permissions first; links are removed
 * and never followed.
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
      // It belongs to another user or is gone.
    }
  }
}
