/** Traces bytes through copies of memory to their original writers. */

import type { Instance } from './instances.js';
import type { WrittenBytes } from './memory.js';

export interface Origins {
  readonly writers: readonly WrittenBytes[];
  readonly copies: readonly Instance[];
}

/**
 * @param copies target addresses of the instances that copy memory
 * @param memoryOf the bytes that an instance read
 */
export function origins(
  read: readonly WrittenBytes[],
  copies: ReadonlyMap<Instance, number>,
  memoryOf: (instance: Instance) => readonly WrittenBytes[],
): Origins {
  const writers: WrittenBytes[] = [];
  const passed = new Set<Instance>();
  const left = [...read];
  for (let piece = left.pop(); piece !== undefined; piece = left.pop()) {
    const to = copies.get(piece.writer);
    if (to === undefined) {
      writers.push(piece);
      continue;
    }
    passed.add(piece.writer);
    // The copied bytes to continue with.
    const first = piece.address - to;
    for (const run of memoryOf(piece.writer)) {
      const from = Math.max(first, run.offset);
      const end = Math.min(first + piece.length, run.offset + run.length);
      if (from < end)
        left.push({
          offset: piece.offset + from - first,
          length: end - from,
          address: run.address + from - run.offset,
          writer: run.writer,
        });
    }
  }
  return { writers: writers.toSorted((a, b) => a.offset - b.offset), copies: [...passed] };
}
