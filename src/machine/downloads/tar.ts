import { environmentFault, type Fault } from '../fault.js';
import { lookUp } from '../lookup.js';

export interface Member {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'symlink' | 'hardlink' | 'other';
  readonly target: string;
  readonly executable: boolean;
  readonly content: Buffer;
}

const block = 512;
const types: Readonly<Record<string, Member['type']>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '5': 'folder',
};

/**
 * Reads a tar archive in memory: ustar, GNU long names, pax headers. Archives are untrusted, so nothing is written
 * here; the caller checks names before it writes.
 */
export function readTar(archive: Buffer, what: string): readonly Member[] | Fault {
  const damaged = environmentFault(`${what} is damaged: it is not a complete tar archive`);
  const members: Member[] = [];
  let named: { name?: string; target?: string } = {};
  for (let at = 0; at + block <= archive.length; ) {
    const header = archive.subarray(at, at + block);
    if (header.every((byte) => byte === 0)) return members;
    const size = readNumber(header, 124, 12);
    if (size === undefined || !checksumHolds(header)) return damaged;
    const start = at + block;
    if (start + size > archive.length) return damaged;
    const content = archive.subarray(start, start + size);
    at = start + Math.ceil(size / block) * block;

    const type = String.fromCharCode(header[156] ?? 0);
    const extra = lookUp(extensions, type)?.(content);
    if (extra !== undefined) {
      named = { ...named, ...extra };
      continue;
    }
    members.push({
      name: named.name ?? ustarName(header),
      type: lookUp(types, type) ?? 'other',
      target: named.target ?? readText(header, 157, 100),
      executable: ((readNumber(header, 100, 8) ?? 0) & 0o111) !== 0,
      content,
    });
    named = {};
  }
  // A complete archive ends with blocks of zeros.
  return damaged;
}

const extensions: Readonly<Record<string, (content: Buffer) => { name?: string; target?: string }>> = {
  L: (content) => ({ name: readText(content, 0, content.length) }),
  K: (content) => ({ target: readText(content, 0, content.length) }),
  g: () => ({}),
  x: (content) => {
    const records = paxRecords(content);
    const name = records.get('path');
    const target = records.get('linkpath');
    return { ...(name === undefined ? {} : { name }), ...(target === undefined ? {} : { target }) };
  },
};

/** Records such as `18 path=usr/bin/z3\n`, each with its own length in bytes first. */
function paxRecords(content: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = space === -1 ? 0 : Number(content.toString('latin1', at, space));
    if (!Number.isInteger(length) || length <= 0) break;
    const record = content.toString('utf8', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
}

function ustarName(header: Buffer): string {
  const name = readText(header, 0, 100);
  // GNU archives use the prefix field for other data.
  const prefix = header.toString('latin1', 257, 263) === 'ustar\0' ? readText(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function readText(bytes: Buffer, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
}

function readNumber(bytes: Buffer, at: number, length: number): number | undefined {
  const text = readText(bytes, at, length).trim();
  return /^[0-7]*$/.test(text) ? Number.parseInt(text || '0', 8) : undefined;
}

function checksumHolds(header: Buffer): boolean {
  let sum = 8 * 0x20;
  for (let at = 0; at < block; at++) if (at < 148 || at >= 156) sum += header[at] ?? 0;
  return sum === readNumber(header, 148, 8);
}

/** The components of a member's name; undefined if the name leads out of the target folder. */
export function safeParts(name: string): readonly string[] | undefined {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  return name.startsWith('/') || name.includes('\0') || parts.includes('..') ? undefined : parts;
}

export function escapeFault(member: Member, what: string): Fault {
  const link = member.type === 'symlink' || member.type === 'hardlink' ? ` -> "${member.target}"` : '';
  return environmentFault(
    `${what} holds "${member.name}"${link}, which leads out of its folder: it was not unpacked`,
  );
}
