/**
 * LLVM's plugin for ar, nm and ranlib takes any object with a section `.llvmbc` for one that is still to be compiled,
 * and hides its real symbols. So the section loses the dot of its name.
 */

import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { bytesOfFile, elfSections, Fault } from '../../machine/index.js';

export const bitcodeSection = '.llvmbc';
export const hiddenSection = bitcodeSection.slice(1);

/** In an object, a library or a program. What is none of them, or cannot be written, stays as it is. */
export async function hideBitcode(path: string): Promise<void> {
  try {
    if (!(await stat(path)).isFile()) return;
    const file = await open(path, 'r+');
    try {
      const found = await elfSections(await bytesOfFile(file), bitcodeSection);
      if (found instanceof Fault) return;
      for (const { namedAt, isLittleEndian } of found) {
        const place = Buffer.alloc(4);
        await file.read(place, 0, 4, namedAt);
        // The name without its first letter is there as well: names are the ends of one another.
        if (isLittleEndian) place.writeUInt32LE(place.readUInt32LE(0) + 1, 0);
        else place.writeUInt32BE(place.readUInt32BE(0) + 1, 0);
        await file.write(place, 0, 4, namedAt);
      }
    } finally {
      await file.close();
    }
  } catch {
    // The compiler has not come so far, and has said why.
  }
}

/** In assembly, before it becomes an object. */
export async function hideBitcodeInAssembly(path: string): Promise<void> {
  try {
    const text = await readFile(path, 'latin1');
    const hidden = text.replaceAll(/^(\t\.section\t)\.(llvmbc,)/gm, '$1$2');
    if (hidden !== text) await writeFile(path, hidden, 'latin1');
  } catch {
    // As above.
  }
}
