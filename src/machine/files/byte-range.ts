/** Bytes that can be read at any place: a file, or a part of one. Programs with their IR may not fit into memory. */

import type { FileHandle } from 'node:fs/promises';
import { Fault } from '../fault.js';

export interface ByteRange {
  /** Where it begins in what is whole. */
  readonly start: number;
  readonly size: number;
  /** What there is of the bytes asked for: fewer at the end, none beyond it. */
  read(from: number, length: number): Promise<Buffer>;
}

export function bytesOf(buffer: Buffer): ByteRange {
  return {
    start: 0,
    size: buffer.length,
    read: async (from, length) => buffer.subarray(...clipped(buffer.length, from, length)),
  };
}

/** Of an open file, which its opener closes. */
export async function bytesOfFile(file: FileHandle): Promise<ByteRange> {
  const { size } = await file.stat();
  return {
    start: 0,
    size,
    async read(from, length) {
      const [start, end] = clipped(size, from, length);
      const buffer = Buffer.allocUnsafe(end - start);
      let filled = 0;
      while (filled < buffer.length) {
        const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, start + filled);
        // It has become shorter meanwhile.
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
  };
}

export function partOf(whole: ByteRange, from: number, length: number): ByteRange {
  const [start, end] = clipped(whole.size, from, length);
  const size = end - start;
  return {
    start: whole.start + start,
    size,
    read: (partFrom, partLength) => {
      const [partStart, partEnd] = clipped(size, partFrom, partLength);
      return whole.read(start + partStart, partEnd - partStart);
    },
  };
}

/** Why bytes are not what they should be; whoever asked says of which file. */
export function damage(message: string): Fault {
  return new Fault('text', message);
}

/** The numbers come out of strangers' files and may be anything. */
function clipped(size: number, from: number, length: number): [start: number, end: number] {
  const start = Math.min(Math.max(0, from), size);
  return [start, Math.min(start + Math.max(0, length), size)];
}
