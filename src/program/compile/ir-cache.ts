/** IR as text that was once written out of bitcode, kept beside the cached solvers. */

import { readFile, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { filesBelow, makeFolder, sha256, writeAtomically } from '../../machine/index.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const ending = '.ll.gz';

/** How long a look through all that is kept is good for. */
const restMs = 600_000;

export class IrCache {
  constructor(private readonly folder: string) {}

  /** By the bitcode and by who reads it: each version of LLVM writes in its own words. */
  keyOf(bitcode: Buffer, reader: string): string {
    return sha256(reader, '\0', bitcode);
  }

  /** Undefined also for what cannot be read: it is made anew then. */
  async get(key: string): Promise<string | undefined> {
    const path = this.#path(key);
    try {
      const text = (await decompress(await readFile(path))).toString('utf8');
      const now = new Date();
      await utimes(path, now, now).catch(() => {});
      return text;
    } catch {
      return undefined;
    }
  }

  /** What cannot be written, as on a full disk, is only forgotten. */
  async put(key: string, text: string): Promise<void> {
    const path = this.#path(key);
    try {
      await makeFolder(dirname(path));
      // IR shrinks to a tenth, and the fastest level does nearly as well as the best.
      await writeAtomically(path, await compress(text, { level: 1 }), { isDisposable: true });
    } catch {
      // Next time it is made anew.
    }
  }

  /** As `prune`, but not again after a little while: to look through ten thousand files takes half a second. */
  async pruneNowAndThen(mostBytes: number): Promise<void> {
    const stamp = join(this.folder, 'pruned');
    const lastAt = await stat(stamp).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    if (Math.abs(Date.now() - lastAt) < restMs) return;
    await this.prune(mostBytes);
    // Where there is none yet, there is nothing to look through next time either.
    await writeAtomically(stamp, '', { isDisposable: true }).catch(() => {});
  }

  /** Until it holds no more than so many bytes, what was not used for longest goes. */
  async prune(mostBytes: number): Promise<void> {
    const files: { readonly path: string; readonly size: number; readonly usedAt: number }[] = [];
    try {
      for (const { path, isLink } of await filesBelow(this.folder)) {
        if (isLink || !path.endsWith(ending)) continue;
        // Another process may have made room meanwhile.
        const found = await stat(path).catch(() => undefined);
        if (found !== undefined) files.push({ path, size: found.size, usedAt: found.mtimeMs });
      }
      let bytes = files.reduce((sum, { size }) => sum + size, 0);
      for (const { path, size } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
        if (bytes <= mostBytes) return;
        await rm(path, { force: true });
        bytes -= size;
      }
    } catch {
      // There is none yet.
    }
  }

  #path(key: string): string {
    return join(this.folder, key.slice(0, 2), `${key.slice(2)}${ending}`);
  }
}
