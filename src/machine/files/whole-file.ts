/** Files that are there as a whole or not at all, whatever happens in between. */

import { randomBytes } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { usageFault } from '../fault.js';
import { RefusedWrite } from '../refused-write.js';
import { kindOf } from './input-file.js';

export interface WholeFileOptions {
  /** It can be made anew: after a power cut it may be empty, and need not be waited for until it is on the disk. */
  readonly isDisposable?: boolean | undefined;
  /** Who may read and write it; as the user's mask says when left out. */
  readonly mode?: number | undefined;
}

/**
 * Puts a text or bytes where they belong: beside their place first, flushed, then renamed. A reader never sees half of
 * it, and on a full disk what was there before stays. Only a regular file is ever replaced, never a link or what it
 * leads to. Rejects with the system's error, or a `RefusedWrite`.
 */
export async function writeWhole(
  path: string,
  content: string | Buffer,
  { isDisposable = false, mode }: WholeFileOptions = {},
): Promise<void> {
  await mustBeFileOrNothing(path);
  const temporary = temporaryBeside(path);
  try {
    // Exclusive: a file or a link that somebody put there is never opened.
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(content);
      if (mode !== undefined) await file.chmod(mode);
      if (!isDisposable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

async function mustBeFileOrNothing(path: string): Promise<void> {
  const there = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (there !== undefined && !there.isFile())
    throw new RefusedWrite(
      usageFault(`${path} is ${kindOf(there)} and not a regular file: remove it, or use another place`),
    );
}

/** A name nobody can have guessed, in the same folder. */
export function temporaryBeside(path: string): string {
  return `${path}.culprit-${randomBytes(6).toString('hex')}.tmp`;
}

const temporaryName = /\.culprit-[0-9a-f]{12}\.tmp$/;

/** Is it the name of a file on its way to its place? */
export function isTemporaryName(name: string): boolean {
  return temporaryName.test(name);
}

/** Nobody takes this long to write a file. */
const leftAfterMs = 3_600_000;

/** Removes what was on its way to its place in a folder when its process was killed. */
export async function sweepTemporaries(folder: string): Promise<void> {
  for (const name of (await readdir(folder).catch(() => [])).filter(isTemporaryName)) {
    const path = join(folder, name);
    const info = await lstat(path).catch(() => undefined);
    if (info?.isFile() && Date.now() - info.mtimeMs > leftAfterMs)
      await rm(path, { force: true }).catch(() => {});
  }
}
