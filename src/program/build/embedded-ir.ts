/** Where the IR is in what a build has left: executables, libraries, objects, archives. */

import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { environmentFault, type Fault, usageFault } from '../../solver/fault.js';
import { archiveMembers, isArchive, type Member } from './archive.js';
import { bitcodeModules, isBitcode } from './bitcode.js';
import { type ByteRange, bytesOfFile, partOf } from './byte-range.js';
import { elfMagic, elfSections } from './elf.js';
import { bitcodeSection, hiddenSection } from './hide-bitcode.js';
import { sidecarsOf } from './sidecar.js';

/** One module of bitcode, by where it is. */
export interface EmbeddedModule {
  /** As a linker names it: `prog`, `a.o`, `lib/libz.a(inflate.o)`. */
  readonly from: string;
  readonly file: string;
  readonly start: number;
  readonly size: number;
}

export interface EmbeddedIr {
  readonly modules: readonly EmbeddedModule[];
  /** Objects among them that hold none: written in assembler, or compiled by something else. */
  readonly without: readonly string[];
}

/** Sections that hold bitcode: of culprit-cc and of clang; else of objects that can be linked either way. */
const sections: readonly (readonly string[])[] = [[hiddenSection, bitcodeSection], ['.llvm.lto']];

/** Thin archives may name thin archives, even themselves. */
const deepest = 8;

/** What there is in a file. Damage anywhere is a fault: half a program would be taken for the whole. */
export async function embeddedIr(path: string): Promise<EmbeddedIr | Fault> {
  const modules: EmbeddedModule[] = [];
  const without: string[] = [];
  const fault = await lookInFile(path, path, 0, { modules, without });
  return fault ?? { modules, without };
}

interface Found {
  readonly modules: EmbeddedModule[];
  readonly without: string[];
}

async function lookInFile(
  path: string,
  from: string,
  depth: number,
  found: Found,
  inside?: Member['inside'],
): Promise<Fault | undefined> {
  let file: FileHandle;
  try {
    // A pipe would be waited for.
    if (!(await stat(path)).isFile()) return usageFault(`${from} is no file.`);
    file = await open(path);
  } catch (error) {
    return unreadable(path, from, error);
  }
  try {
    const whole = await bytesOfFile(file);
    const bytes = inside === undefined ? whole : partOf(whole, inside.start, inside.size);
    return await lookInBytes(bytes, path, from, depth, found);
  } catch (error) {
    return unreadable(path, from, error);
  } finally {
    await file.close();
  }
}

function unreadable(path: string, from: string, error: unknown): Fault {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) throw error;
  if (from !== path) return usageFault(`${from} cannot be used: ${path} cannot be read (${code}).`);
  return code === 'ENOENT'
    ? usageFault(`There is no file ${path}.`)
    : environmentFault(`${path} cannot be read (${code}).`);
}

async function lookInBytes(
  bytes: ByteRange,
  path: string,
  from: string,
  depth: number,
  found: Found,
): Promise<Fault | undefined> {
  const beginning = await bytes.read(0, 8);
  if (isArchive(beginning)) return lookInArchive(bytes, path, from, depth, found);
  const isElf = beginning.subarray(0, 4).equals(elfMagic);
  // On its own a stranger is a mistake; among the members of an archive it is nobody's concern.
  if (!isElf && !isBitcode(beginning) && depth === 0) return lookBeside(path, found);
  const parts = isElf ? await elfBitcode(bytes) : isBitcode(beginning) ? [bytes] : [];
  if (typeof parts === 'string') return usageFault(`${from} cannot be used: ${parts}.`);
  const before = found.modules.length;
  for (const part of parts) {
    const modules = await bitcodeModules(part);
    if (typeof modules === 'string') return usageFault(`${from} cannot be used: ${modules}.`);
    found.modules.push(...modules.map(({ start, size }) => ({ from, file: path, start, size })));
  }
  if (found.modules.length > before) return undefined;
  found.without.push(from);
  return depth === 0 ? lookBeside(path, found) : undefined;
}

async function elfBitcode(bytes: ByteRange): Promise<readonly ByteRange[] | string> {
  const contents: ByteRange[] = [];
  for (const names of sections) {
    for (const name of names) {
      const found = await elfSections(bytes, name);
      if (typeof found === 'string') return found;
      contents.push(...found.map(({ content }) => content));
    }
    if (contents.length > 0) break;
  }
  return contents;
}

async function lookInArchive(
  bytes: ByteRange,
  path: string,
  from: string,
  depth: number,
  found: Found,
): Promise<Fault | undefined> {
  if (depth >= deepest) return usageFault(`${from} cannot be used: its archives name one another.`);
  const members = await archiveMembers(bytes);
  if (typeof members === 'string') return usageFault(`${from} cannot be used: ${members}.`);
  for (const { name, content, inside } of members) {
    const place = inside === undefined ? '' : `:${inside.start}`;
    const memberFrom = `${from}(${name.replaceAll(/\p{Cc}/gu, '?')}${place})`;
    const member = resolve(dirname(path), name);
    const fault =
      content === undefined
        ? await lookInFile(member, memberFrom, depth + 1, found, inside)
        : await lookInBytes(content, path, memberFrom, depth + 1, found);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Objects that cannot hold IR have it in files beside them. */
async function lookBeside(path: string, found: Found): Promise<Fault | undefined> {
  for (const sidecar of await sidecarsOf(path)) {
    const fault = await lookInFile(sidecar, sidecar, 1, found);
    if (fault !== undefined) return fault;
  }
  if (found.modules.length > 0) return undefined;
  const real = join(dirname(path), '.libs', basename(path));
  if (await isFile(real))
    return usageFault(`${path} is libtool's script around the program: name ${real} instead.`);
  const how = 'build it with CC=culprit-cc and CXX=culprit-c++, and without stripping sections';
  return usageFault(`${path} holds no LLVM IR: ${how}.`);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (one) => one.isFile(),
    () => false,
  );
}
