/** IR as text that was once written out of bitcode, kept beside the cached solvers. */

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export class IrCache {
  constructor(private readonly folder: string) {}

  /** By the bitcode and by who reads it: each version of LLVM writes in its own words. */
  keyOf(bitcode: Buffer, reader: string): string {
    return createHash('sha256').update(reader).update('\0').update(bitcode).digest('hex');
  }

  /** Undefined also for what cannot be read: it is made anew then. */
  async get(key: string): Promise<string | undefined> {
    try {
      return (await decompress(await readFile(this.#path(key)))).toString('utf8');
    } catch {
      return undefined;
    }
  }

  /** What cannot be written, as on a full disk, is only forgotten. */
  async put(key: string, text: string): Promise<void> {
    const path = this.#path(key);
    const temporary = `${path}.${randomUUID()}`;
    try {
      await mkdir(dirname(path), { recursive: true });
      // IR shrinks to a tenth, and the fastest level does nearly as well as the best.
      await writeFile(temporary, await compress(text, { level: 1 }));
      await rename(temporary, path);
    } catch {
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  #path(key: string): string {
    return join(this.folder, key.slice(0, 2), `${key.slice(2)}.ll.gz`);
  }
}
