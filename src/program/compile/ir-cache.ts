/** Caches the textual IR of bitcode, next to the downloaded solvers. */

import { readFile, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { filesBelow, makeFolder, sha256, writeAtomically } from '../../machine/index.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const extension = '.ll.gz';

/** Minimum time between two prunings. */
const pruneIntervalMs = 600_000;

export class IrCache {
  constructor(private readonly folder: string) {}

  /** Depends on the bitcode and on its reader: each version of LLVM prints IR differently. */
  keyOf(bitcode: Buffer, reader: string): string {
    return sha256(reader, '\0', bitcode);
  }

  /** Undefined also if the entry cannot be read. */
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

  /** Does nothing if the entry cannot be written, for example on a full disk. */
  async put(key: string, text: string): Promise<void> {
    const path = this.#path(key);
    try {
      await makeFolder(dirname(path));
      // IR shrinks to a tenth; the fastest level is nearly as good as the best.
      await writeAtomically(path, await compress(text, { level: 1 }), { isDisposable: true });
    } catch {}
  }

  /** Prunes unless it was done a short while ago: listing ten thousand files takes half a second. */
  async pruneIfDue(mostBytes: number): Promise<void> {
    const stamp = join(this.folder, 'pruned');
    const lastAt = await stat(stamp).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    if (Math.abs(Date.now() - lastAt) < pruneIntervalMs) return;
    await this.prune(mostBytes);
    // Without a cache folder there is nothing to prune.
    await writeAtomically(stamp, '', { isDisposable: true }).catch(() => {});
  }

  /** Removes the least recently used entries until at most this many bytes are left. */
  async prune(mostBytes: number): Promise<void> {
    const files: { readonly path: string; readonly size: number; readonly usedAt: number }[] = [];
    try {
      for (const { path, isLink } of await filesBelow(this.folder)) {
        if (isLink || !path.endsWith(extension)) continue;
        // Another process may have removed it.
        const info = await stat(path).catch(() => undefined);
        if (info !== undefined) files.push({ path, size: info.size, usedAt: info.mtimeMs });
      }
      let bytes = files.reduce((sum, { size }) => sum + size, 0);
      for (const { path, size } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
        if (bytes <= mostBytes) return;
        await rm(path, { force: true });
        bytes -= size;
      }
    } catch {
      // There is no cache yet.
    }
  }

  #path(key: string): string {
    return join(this.folder, key.slice(0, 2), `${key.slice(2)}${extension}`);
  }
}
