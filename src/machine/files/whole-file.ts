/** Files that are there as a whole or not at all, whatever happens in between. */

import { open, rename, rm } from 'node:fs/promises';

export interface WholeFileOptions {
  /** It can be made anew: after a power cut it may be empty, and need not be waited for until it is on the disk. */
  readonly isDisposable?: boolean | undefined;
}

let written = 0;

/**
 * Puts a text or bytes where they belong: beside their place first, flushed, then renamed. A reader never sees half of
 * it, and on a full disk what was there before stays. Rejects with the system's error.
 */
export async function writeWhole(
  path: string,
  content: string | Buffer,
  { isDisposable = false }: WholeFileOptions = {},
): Promise<void> {
  const temporary = `${path}.${process.pid}.${written++}.tmp`;
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(content);
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
