/** Folders that are there as a whole or not at all: made under a name of their own, then renamed. */

import { readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { shortDigest } from '../digest.js';
import { isLeftBehind, newOwnerName } from '../processes/owner.js';

const weekMs = 7 * 24 * 3_600_000;

/**
 * Where a folder is made before it is put in its place: in the same folder, under a name that says who works there, on
 * which host. A cache in a shared home folder is seen by many hosts.
 */
export function partIn(folder: string): string {
  return join(folder, `.part-${host()}-${newOwnerName()}`);
}

function host(): string {
  return shortDigest(hostname(), 8);
}

const otherWon: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST']);

/** Renaming is all or nothing; false when something is there already. */
export async function putInPlace(part: string, final: string): Promise<boolean> {
  try {
    await rename(part, final);
    return true;
  } catch (error) {
    if (otherWon.has((error as NodeJS.ErrnoException).code)) return false;
    throw error;
  }
}

/** Away in one step first, so that nobody sees it half removed; nothing happens when it is not there. */
export async function removeWhole(folder: string): Promise<void> {
  const aside = partIn(dirname(folder));
  try {
    await rename(folder, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}

/** Removes what processes left behind that ended before their folder was whole. */
export async function sweepParts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, where, owner] = /^\.part-([0-9a-f]{8})-(.*)$/.exec(name) ?? [];
    if (where === undefined || owner === undefined) continue;
    const part = join(folder, name);
    const isLeft = (where === host() && isLeftBehind(owner)) || (await isOlderThan(part, weekMs));
    // Somebody else may be sweeping too; and what cannot be removed today does no harm.
    if (isLeft) await rm(part, { recursive: true, force: true }).catch(() => {});
  }
}

/** No step of a download may take anything near a week, so a folder that old has no owner left. */
async function isOlderThan(path: string, ageMs: number): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > ageMs;
  } catch {
    return false;
  }
}
