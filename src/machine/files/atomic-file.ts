import { randomBytes } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { usageFault } from '../fault.js';
import { RefusedWrite } from '../refused-write.js';
import { fileTypeName } from './input-file.js';

export interface AtomicWriteOptions {
  /** It can be recreated, so it need not be flushed to disk: after a power cut it may be empty. */
  readonly isDisposable?: boolean | undefined;
  readonly mode?: number | undefined;
}

/**
 * Writes a text or bytes to a temporary file in the same folder, flushes it and renames it. A reader never sees a
 * partial file, and on a full disk the old content stays. Only a regular file is replaced, never a link or its
 * target. Rejects with the system's error or a `RefusedWrite`.
 */
export async function writeAtomically(
  path: string,
  content: string | Buffer,
  { isDisposable = false, mode }: AtomicWriteOptions = {},
): Promise<void> {
  await mustBeFileOrNothing(path);
  const temporary = temporaryPath(path);
  try {
    // Exclusive: a file or link that somebody placed there is never opened.
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
      usageFault(`${path} is ${fileTypeName(there)} and not a regular file: remove it, or use another place`),
    );
}

export function temporaryPath(path: string): string {
  return `${path}.culprit-${randomBytes(6).toString('hex')}.tmp`;
}

const temporaryName = /\.culprit-[0-9a-f]{12}\.tmp$/;

export function isTemporaryName(name: string): boolean {
  return temporaryName.test(name);
}

const leftAfterMs = 3_600_000;

/** Removes temporary files that killed processes left in a folder. */
export async function sweepTemporaries(folder: string): Promise<void> {
  for (const name of (await readdir(folder).catch(() => [])).filter(isTemporaryName)) {
    const path = join(folder, name);
    const info = await lstat(path).catch(() => undefined);
    if (info?.isFile() && Date.now() - info.mtimeMs > leftAfterMs)
      await rm(path, { force: true }).catch(() => {});
  }
}
