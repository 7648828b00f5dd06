/** Atomic folders: filled under a temporary name, then renamed. */

import { readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { shortDigest } from '../digest.js';
import { isLeftBehind, newOwnerName } from '../processes/owner.js';

const weekMs = 7 * 24 * 3_600_000;

/**
 * A temporary folder in the same parent. Its name holds the owner and the host, because many hosts may share a cache
 * in a home folder.
 */
export function stagingFolder(folder: string): string {
  return join(folder, `.part-${host()}-${newOwnerName()}`);
}

function host(): string {
  return shortDigest(hostname(), 8);
}

const otherWon: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST']);

/** Renames the folder; returns false if the target exists. */
export async function moveIntoPlace(part: string, final: string): Promise<boolean> {
  try {
    await rename(part, final);
    return true;
  } catch (error) {
    if (otherWon.has((error as NodeJS.ErrnoException).code)) return false;
    throw error;
  }
}

/** Renames the folder first, so that nobody sees it half removed. Does nothing if it does not exist. */
export async function removeFolderAtomically(folder: string): Promise<void> {
  const aside = stagingFolder(dirname(folder));
  try {
    await rename(folder, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}

export async function sweepStagingFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, where, owner] = /^\.part-([0-9a-f]{8})-(.*)$/.exec(name) ?? [];
    if (where === undefined || owner === undefined) continue;
    const part = join(folder, name);
    const isLeft = (where === host() && isLeftBehind(owner)) || (await isOlderThan(part, weekMs));
    if (isLeft) await rm(part, { recursive: true, force: true }).catch(() => {});
  }
}

/** No download takes a week, so a folder that old has no owner. */
async function isOlderThan(path: string, ageMs: number): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > ageMs;
  } catch {
    return false;
  }
}
