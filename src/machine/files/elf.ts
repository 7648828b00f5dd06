/** The sections of ELF files: objects, executables and shared libraries, of 32 and 64 bits and either byte order. */

import { Fault } from '../fault.js';
import { type ByteRange, bytesOf, damage, partOf } from './byte-range.js';

export const elfMagic = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);

/** Where the fields are, by the width of an address. */
interface ElfLayout {
  readonly headerSize: number;
  readonly sectionTableAt: number;
  readonly entrySizeAt: number;
  readonly section: {
    readonly size: number;
    readonly flagsAt: number;
    readonly offsetAt: number;
    readonly sizeAt: number;
    readonly linkAt: number;
  };
}

const layouts: Readonly<Record<number, ElfLayout>> = {
  1: {
    headerSize: 52,
    sectionTableAt: 32,
    entrySizeAt: 46,
    section: { size: 40, flagsAt: 8, offsetAt: 16, sizeAt: 20, linkAt: 24 },
  },
  2: {
    headerSize: 64,
    sectionTableAt: 40,
    entrySizeAt: 58,
    section: { size: 64, flagsAt: 8, offsetAt: 24, sizeAt: 32, linkAt: 40 },
  },
};

/** In place of the number of the section with the names, when it has to be looked up in the first section. */
const namesElsewhere = 0xffff;
const withoutContent = 8;
const compressed = 0x800;

export interface ElfSection {
  readonly content: ByteRange;
  /** Where the place of its name among all names is written, and in which order of bytes. */
  readonly namedAt: number;
  readonly isLittleEndian: boolean;
}

/** All sections of that name, in order. */
export async function elfSections(file: ByteRange, name: string): Promise<readonly ElfSection[] | Fault> {
  const ident = await file.read(0, 16);
  const layout = layouts[ident[4] ?? 0];
  const isLittle = ident[5] === 1;
  if (!ident.subarray(0, 4).equals(elfMagic)) return damage('it is not an ELF file');
  if (layout === undefined || (!isLittle && ident[5] !== 2)) return damage('its ELF header is damaged');
  const header = await file.read(0, layout.headerSize);
  if (header.length < layout.headerSize) return damage('it is cut off in its header');

  const half = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const word = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  // Beyond 2^53 a number is wrong anyway; what it loses there does not matter.
  const wide = (bytes: Buffer, at: number) =>
    Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  const address = layout.headerSize === 64 ? wide : word;

  const tableAt = address(header, layout.sectionTableAt);
  const entrySize = half(header, layout.entrySizeAt);
  const { section } = layout;
  // A program may do without sections; then there are none of that name.
  if (tableAt === 0) return [];
  if (entrySize < section.size) return damage('its table of sections is damaged');
  const first = await file.read(tableAt, section.size);
  if (first.length < section.size) return damage('it is cut off before its table of sections');
  // More than fit into sixteen bits are counted in the first section.
  const count = half(header, layout.entrySizeAt + 2) || address(first, section.sizeAt);
  const namedIn = half(header, layout.entrySizeAt + 4);
  const namesIn = namedIn === namesElsewhere ? word(first, section.linkAt) : namedIn;
  if (count > file.size / entrySize) return damage('its table of sections is damaged');
  const table = await file.read(tableAt, count * entrySize);
  if (table.length < count * entrySize) return damage('it is cut off in its table of sections');
  if (namesIn >= count) return damage('the names of its sections are missing');

  const contentOf = (at: number): ByteRange | undefined => {
    const offset = address(table, at + section.offsetAt);
    const size = address(table, at + section.sizeAt);
    if (word(table, at + 4) === withoutContent) return partOf(file, 0, 0);
    return offset + size <= file.size ? partOf(file, offset, size) : undefined;
  };
  const names = contentOf(namesIn * entrySize);
  if (names === undefined) return damage('it is cut off in the names of its sections');
  const text = await names.read(0, names.size);
  const wanted = Buffer.from(`${name}\0`, 'latin1');
  const found: ElfSection[] = [];
  for (let at = 0; at < table.length; at += entrySize) {
    const nameAt = word(table, at);
    if (!text.subarray(nameAt, nameAt + wanted.length).equals(wanted)) continue;
    const content = contentOf(at);
    if (content === undefined) return damage(`it is cut off in its section ${name}`);
    if ((word(table, at + section.flagsAt + (address === wide && !isLittle ? 4 : 0)) & compressed) !== 0)
      return damage(`its section ${name} is compressed`);
    found.push({ content, namedAt: tableAt + at, isLittleEndian: isLittle });
  }
  return found;
}

/** What stands in sections of a program, each the first of its name; undefined for one that it has not. */
export async function elfContents(
  program: Buffer,
  names: readonly string[],
): Promise<readonly (Buffer | undefined)[] | Fault> {
  const contents: (Buffer | undefined)[] = [];
  for (const name of names) {
    const found = await elfSections(bytesOf(program), name);
    if (found instanceof Fault) return found;
    const [first] = found;
    contents.push(await first?.content.read(0, first.content.size));
  }
  return contents;
}
