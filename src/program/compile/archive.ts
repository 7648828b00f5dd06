/** Reads `ar` archives: GNU and BSD names, and thin archives, which only refer to their objects. */

import type { Fault } from '../../machine/index.js';
import { type ByteRange, damage, partOf } from '../../machine/index.js';

const thickMagic = '!<arch>\n';
const thinMagic = '!<thin>\n';
const headerSize = 60;

export function isArchive(beginning: Buffer): boolean {
  const magic = beginning.toString('latin1', 0, thickMagic.length);
  return magic === thickMagic || magic === thinMagic;
}

export interface ArchiveMember {
  /** In a thin archive, the path of the object relative to the archive's folder. */
  readonly name: string;
  /** Undefined in a thin archive. */
  readonly content: ByteRange | undefined;
  /** Position of the content in the file of that name, if that file is an archive too. */
  readonly inside: { readonly start: number; readonly size: number } | undefined;
}

/** Tables of symbols and names, which are not objects. */
const tables = /^(\/|\/\/|\/SYM64\/|__\.SYMDEF( SORTED)?|__\.SYMDEF_64( SORTED)?)$/;

/** The objects in order. */
export async function archiveMembers(file: ByteRange): Promise<readonly ArchiveMember[] | Fault> {
  const magic = (await file.read(0, thickMagic.length)).toString('latin1');
  const isThin = magic === thinMagic;
  if (!isThin && magic !== thickMagic) return damage('it is not an archive');
  const members: ArchiveMember[] = [];
  let longNames = '';
  for (let at = thickMagic.length; at < file.size; ) {
    const header = (await file.read(at, headerSize)).toString('latin1');
    const sizeText = header.slice(48, 58).trim();
    if (header.length < headerSize) return damage('it is cut off between its members');
    if (!header.endsWith('`\n') || !/^\d+$/.test(sizeText)) return damage(`it is damaged at byte ${at}`);
    const size = Number(sizeText);
    const contentAt = at + headerSize;
    const short = header.slice(0, 16).trimEnd();
    const isTable = tables.test(short);
    const isInside = !isThin || isTable;
    if (isInside && contentAt + size > file.size) return damage('it is cut off in its last member');
    at = contentAt + (isInside ? size + (size % 2) : 0);
    if (short === '//') longNames = (await file.read(contentAt, size)).toString('utf8');
    if (isTable) continue;
    // BSD stores a long name before the content and includes it in the size.
    const nameLength = Number(/^#1\/(\d+)$/.exec(short)?.[1] ?? 0);
    if (nameLength > size) return damage(`it is damaged at byte ${contentAt}`);
    const named = await file.read(contentAt, nameLength);
    const [, place, insideAt] = /^\/(\d+)(?::(\d+))?$/.exec(short) ?? [];
    const name =
      nameLength > 0
        ? untilZero(named)
        : place === undefined
          ? short.replace(/\/$/, '')
          : longName(longNames, Number(place));
    if (name === '' || name.includes('\0'))
      return damage(`the name of the member at byte ${contentAt} is damaged`);
    if (tables.test(name)) continue;
    const content = isThin ? undefined : partOf(file, contentAt + nameLength, size - nameLength);
    const inside =
      isThin && insideAt !== undefined ? { start: Number(insideAt) + headerSize, size } : undefined;
    members.push({ name, content, inside });
  }
  return members;
}

/** A slash and a newline end the name. */
function longName(names: string, from: number): string {
  const newline = names.indexOf('\n', from);
  return names.slice(from, newline === -1 ? undefined : newline).replace(/\/$/, '');
}

function untilZero(bytes: Buffer): string {
  const zero = bytes.indexOf(0);
  return bytes.toString('utf8', 0, zero === -1 ? bytes.length : zero);
}
