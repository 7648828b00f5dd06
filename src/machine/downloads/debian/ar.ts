import { environmentFault, type Fault } from '../../fault.js';

const magic = '!<arch>\n';
const headerBytes = 60;

export function readAr(archive: Buffer, what: string): ReadonlyMap<string, Buffer> | Fault {
  const damaged = environmentFault(`${what} is damaged: it is not a complete Debian package`);
  if (archive.toString('latin1', 0, magic.length) !== magic) return damaged;
  const members = new Map<string, Buffer>();
  for (let at = magic.length; at < archive.length; ) {
    const header = archive.toString('latin1', at, at + headerBytes);
    const start = at + headerBytes;
    const size = /^\d+ *$/.test(header.slice(48, 58)) ? Number(header.slice(48, 58)) : -1;
    if (!header.endsWith('`\n') || size < 0 || start + size > archive.length) return damaged;
    members.set(header.slice(0, 16).trimEnd().replace(/\/$/, ''), archive.subarray(start, start + size));
    // Members start at even offsets.
    at = start + size + (size % 2);
  }
  return members;
}
