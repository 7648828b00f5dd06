/**
 * Renames the section `.llvmbc` to `llvmbc`. LLVM's plugin for ar, nm and ranlib treats any object with a section
 * `.llvmbc` as an object still to be compiled, and hides its real symbols.
 */

import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { bytesOfFile, elfSections, Fault } from '../../machine/index.js';

export const bitcodeSection = '.llvmbc';
export const hiddenSection = bitcodeSection.slice(1);

/** For objects, libraries and programs. Other files, and files that cannot be written, stay unchanged. */
export async function hideBitcode(path: string): Promise<void> {
  try {
    if (!(await stat(path)).isFile()) return;
    const file = await open(path, 'r+');
    try {
      const sections = await elfSections(await bytesOfFile(file), bitcodeSection);
      if (sections instanceof Fault) return;
      for (const { namedAt, isLittleEndian } of sections) {
        const place = Buffer.alloc(4);
        await file.read(place, 0, 4, namedAt);
        // The shorter name needs no new string, because it is the end of the longer one.
        if (isLittleEndian) place.writeUInt32LE(place.readUInt32LE(0) + 1, 0);
        else place.writeUInt32BE(place.readUInt32BE(0) + 1, 0);
        await file.write(place, 0, 4, namedAt);
      }
    } finally {
      await file.close();
    }
  } catch {
    // The compiler failed earlier and reported why.
  }
}

/** Does the same in an assembly file. */
export async function hideBitcodeInAssembly(path: string): Promise<void> {
  try {
    const text = await readFile(path, 'latin1');
    const hidden = text.replaceAll(/^(\t\.section\t)\.(llvmbc,)/gm, '$1$2');
    if (hidden !== text) await writeFile(path, hidden, 'latin1');
  } catch {
    // The compiler failed earlier and reported why.
  }
}
