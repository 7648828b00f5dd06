/** Finds the IR in executables, libraries, objects and archives. */

import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  type ByteRange,
  bytesOfFile,
  elfMagic,
  elfSections,
  environmentFault,
  Fault,
  partOf,
  usageFault,
} from '../../machine/index.js';
import { type ArchiveMember, archiveMembers, isArchive } from './archive.js';
import { bitcodeModules, isBitcode } from './bitcode.js';
import { bitcodeSection, hiddenSection } from './hide-bitcode.js';
import { MemberSidecars } from './sidecars/member-sidecars.js';
import { sidecarsOf } from './sidecars/sidecar.js';

/** The position of one bitcode module. */
export interface EmbeddedModule {
  /** The name a linker uses: `prog`, `a.o`, `lib/libz.a(inflate.o)`. */
  readonly from: string;
  readonly file: string;
  readonly start: number;
  readonly size: number;
}

export interface EmbeddedIr {
  readonly modules: readonly EmbeddedModule[];
  /** Objects without IR: assembler, or compiled by another compiler. */
  readonly without: readonly string[];
}

/** Sections with bitcode: of culprit-cc and of clang, or of fat LTO objects. */
const sections: readonly (readonly string[])[] = [[hiddenSection, bitcodeSection], ['.llvm.lto']];

/** A thin archive can contain other thin archives, or itself. */
const maxDepth = 8;

/** All IR in a file. Damage is a fault, because a part of a program must not pass for the whole. */
export async function embeddedIr(path: string): Promise<EmbeddedIr | Fault> {
  const found: FoundIr = { modules: [], without: [] };
  const fault = await searchFile({ path, from: path, depth: 0, sidecars: () => sidecarsOf(path) }, found);
  return fault ?? found;
}

interface FoundIr {
  readonly modules: EmbeddedModule[];
  readonly without: string[];
}

/** A file, or a part of one, that may contain IR. */
interface IrHolder {
  readonly path: string;
  /** The name a linker uses. */
  readonly from: string;
  /** Number of enclosing archives. */
  readonly depth: number;
  /** Position in the file; undefined for the whole file. */
  readonly inside?: ArchiveMember['inside'] | undefined;
  /** Sidecar files with the IR of an object that cannot contain it. */
  sidecars(): Promise<readonly string[]>;
}

async function searchFile(holder: IrHolder, found: FoundIr): Promise<Fault | undefined> {
  const { path, from, inside } = holder;
  let file: FileHandle;
  try {
    // Reading a pipe would block.
    if (!(await stat(path)).isFile()) return usageFault(`${from} is not a file`);
    file = await open(path);
  } catch (error) {
    return unreadable(path, from, error);
  }
  try {
    const whole = await bytesOfFile(file);
    const bytes = inside === undefined ? whole : partOf(whole, inside.start, inside.size);
    return await searchBytes(bytes, holder, found);
  } catch (error) {
    return unreadable(path, from, error);
  } finally {
    await file.close();
  }
}

function faultIn(from: string, { message }: Fault): Fault {
  return usageFault(`${from} cannot be used: ${message}`);
}

function unreadable(path: string, from: string, error: unknown): Fault {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) throw error;
  if (from !== path) return usageFault(`${from} cannot be used: ${path} cannot be read (${code})`);
  return code === 'ENOENT'
    ? usageFault(`there is no file ${path}`)
    : environmentFault(`${path} cannot be read (${code})`);
}

async function searchBytes(bytes: ByteRange, holder: IrHolder, found: FoundIr): Promise<Fault | undefined> {
  const { path, from, depth } = holder;
  const beginning = await bytes.read(0, 8);
  if (isArchive(beginning)) return searchArchive(bytes, holder, found);
  const isElf = beginning.subarray(0, 4).equals(elfMagic);
  const parts = isElf ? await elfBitcode(bytes) : isBitcode(beginning) ? [bytes] : [];
  if (parts instanceof Fault) return faultIn(from, parts);
  const before = found.modules.length;
  for (const part of parts) {
    const modules = await bitcodeModules(part);
    if (modules instanceof Fault) return faultIn(from, modules);
    for (const { start, size } of modules) found.modules.push({ from, file: path, start, size });
  }
  if (found.modules.length > before) return undefined;
  for (const sidecar of await holder.sidecars()) {
    const sidecarHolder = { path: sidecar, from: sidecar, depth: depth + 1, sidecars: noSidecars };
    const fault = await searchFile(sidecarHolder, found);
    if (fault !== undefined) return fault;
  }
  if (found.modules.length > before) return undefined;
  // A single file of an unknown format is a mistake; a member of an archive is skipped.
  if (depth === 0) return noIrFault(path);
  found.without.push(from);
  return undefined;
}

const noSidecars = async (): Promise<readonly string[]> => [];

async function elfBitcode(bytes: ByteRange): Promise<readonly ByteRange[] | Fault> {
  const contents: ByteRange[] = [];
  for (const names of sections) {
    for (const name of names) {
      const sectionsOfName = await elfSections(bytes, name);
      if (sectionsOfName instanceof Fault) return sectionsOfName;
      contents.push(...sectionsOfName.map(({ content }) => content));
    }
    if (contents.length > 0) break;
  }
  return contents;
}

async function searchArchive(bytes: ByteRange, holder: IrHolder, found: FoundIr): Promise<Fault | undefined> {
  const { path, from, depth } = holder;
  if (depth >= maxDepth) return usageFault(`${from} cannot be used: its archives contain one another`);
  const members = await archiveMembers(bytes);
  if (members instanceof Fault) return faultIn(from, members);
  const sidecars = new MemberSidecars(path);
  for (const { name, content, inside } of members) {
    const at = inside === undefined ? '' : `:${inside.start}`;
    const member = { from: `${from}(${name.replaceAll(/\p{Cc}/gu, '?')}${at})`, depth: depth + 1 };
    const file = resolve(dirname(path), name);
    const sidecarsOfMember = inside === undefined ? () => sidecarsOf(file) : noSidecars;
    const fault =
      content === undefined
        ? await searchFile({ ...member, path: file, inside, sidecars: sidecarsOfMember }, found)
        : await searchBytes(content, { ...member, path, sidecars: () => sidecars.of(name, content) }, found);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

async function noIrFault(path: string): Promise<Fault> {
  const real = join(dirname(path), '.libs', basename(path));
  if (await isFile(real))
    return usageFault(`${path} is libtool's script around the program: name ${real} instead`);
  const remedy = 'build it with CC=culprit-cc and CXX=culprit-c++, and without stripping sections';
  return usageFault(`${path} contains no LLVM IR: ${remedy}`);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isFile(),
    () => false,
  );
}
