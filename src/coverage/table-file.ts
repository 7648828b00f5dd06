/** Stores a table in a file: a mark, a digest of the rest, names as JSON, then numbers. */

import { z } from 'zod';
import { Fault, sha256 } from '../machine/index.js';
import type { TableParts } from './table.js';

const fileMark = 'culprit coverage table 2\n';
/** Mark of older files; has the same length. */
const markWithoutDigest = 'culprit coverage table 1\n';
/** Length of a hexadecimal digest. */
const digestSize = 64;

const headSchema = z.object({
  files: z.array(z.string()),
  functions: z.array(
    z.object({
      name: z.string(),
      file: z.int().optional(),
      startLine: z.int(),
      endLine: z.int(),
      firstCounter: z.int(),
      counters: z.int(),
    }),
  ),
  lines: z.int(),
  code: z.int(),
  counterBytes: z.int(),
  regions: z.int().optional(),
  linked: z.string().optional(),
});

const wordSize = 4;

export function writeTable(parts: TableParts): Buffer {
  const { files, functions, lineFiles, lineNumbers, codeStarts, code, counterBytes, regions, linked } = parts;
  const head: z.infer<typeof headSchema> = {
    files: [...files],
    functions: [...functions],
    lines: lineNumbers.length,
    code: code.length,
    counterBytes,
    regions,
    linked,
  };
  const json = Buffer.from(JSON.stringify(head));
  const sizeAt = fileMark.length + digestSize;
  const before = sizeAt + wordSize + json.length;
  // Aligns the numbers.
  const start = Math.ceil(before / wordSize) * wordSize;
  const arrays = [lineFiles, lineNumbers, codeStarts, code];
  const bytes = Buffer.alloc(start + arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  bytes.write(fileMark, 'latin1');
  bytes.writeUInt32LE(json.length, sizeAt);
  json.copy(bytes, sizeAt + wordSize);
  let at = start;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  bytes.write(sha256(bytes.subarray(sizeAt)), fileMark.length, 'latin1');
  return bytes;
}

export function readTable(bytes: Uint8Array): TableParts | Fault {
  const damaged = new Fault('text', 'the coverage table of the program is damaged: build it again');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sizeAt = namesSizeOffset(text);
  if (sizeAt === undefined) return damaged;
  const headAt = sizeAt + wordSize;
  const headEnd = headAt + text.readUInt32LE(sizeAt);
  const head = headSchema.safeParse(jsonOf(text.toString('utf8', headAt, headEnd)));
  if (!head.success) return damaged;
  const { files, functions, lines, code, counterBytes, regions, linked } = head.data;
  const start = Math.ceil(headEnd / wordSize) * wordSize;
  const sizes = [lines, lines, functions.length, code];
  if (text.length !== start + wordSize * sizes.reduce((sum, size) => sum + size, 0)) return damaged;
  // Copies the numbers to an aligned address.
  const numbers = new Int32Array(text.buffer.slice(text.byteOffset + start, text.byteOffset + text.length));
  const starts = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, size) => sum + size, 0));
  const array = (at: number): Int32Array => {
    const from = starts[at] ?? 0;
    return numbers.subarray(from, from + (sizes[at] ?? 0));
  };
  const unsigned = (at: number): Uint32Array => {
    const { buffer, byteOffset, length } = array(at);
    return new Uint32Array(buffer, byteOffset, length);
  };
  return {
    files,
    functions: functions.map((one) => ({ ...one, file: one.file })),
    lineFiles: unsigned(0),
    lineNumbers: unsigned(1),
    codeStarts: unsigned(2),
    code: array(3),
    counterBytes,
    regions,
    linked,
  };
}

/** Offset of the names' size; undefined if the file is damaged. */
function namesSizeOffset(text: Buffer): number | undefined {
  const says = text.toString('latin1', 0, fileMark.length);
  if (says !== fileMark && says !== markWithoutDigest) return undefined;
  const sizeAt = fileMark.length + (says === fileMark ? digestSize : 0);
  if (text.length < sizeAt + wordSize) return undefined;
  const isWhole =
    says !== fileMark || sha256(text.subarray(sizeAt)) === text.toString('latin1', fileMark.length, sizeAt);
  return isWhole ? sizeAt : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
