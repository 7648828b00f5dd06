/** Reads gcov's counters (.gcda): how often each counted arc was taken in all runs so far. */

import { Fault } from '../../machine/index.js';
import { GcovWords } from './words.js';

export interface Counters {
  readonly stamp: number;
  readonly functions: readonly CountedFunction[];
}

export interface CountedFunction {
  readonly ident: number;
  readonly lineChecksum: number;
  readonly flowChecksum: number;
  /** Number of counters: one for each arc outside the spanning tree. */
  readonly counters: number;
  /** In order; empty if all are zero. */
  readonly counts: readonly number[];
}

const functionTag = 0x01000000;
const arcsTag = 0x01a10000;

export function readCounters(bytes: Uint8Array): Counters | Fault {
  const words = GcovWords.open(bytes, 'counters');
  if (words instanceof Fault) return words;
  const stamp = words.word();
  if (words.hasChecksum) words.word();
  const functions: CountedFunction[] = [];
  let announced: Omit<CountedFunction, 'counters' | 'counts'> | undefined;
  for (;;) {
    // The file ends with a zero word. If it is missing, the file is cut off, even at the end of a record.
    if (!words.has(4)) return new Fault('text', 'it is cut off');
    const tag = words.word();
    if (tag === 0) break;
    const length = words.signedWord();
    const size = words.size(length);
    const start = words.at;
    // A negative size stands for that many zeros.
    const written = Math.max(0, size);
    if (!words.has(written)) return new Fault('text', 'it is cut off');
    if (tag === functionTag)
      announced =
        size === 0
          ? undefined
          : { ident: words.word(), lineChecksum: words.word(), flowChecksum: words.word() };
    else if (tag === arcsTag && announced !== undefined)
      functions.push({
        ...announced,
        counters: Math.abs(size) / 8,
        counts: Array.from({ length: written / 8 }, () => words.counter()),
      });
    words.goTo(start + written);
  }
  return { stamp, functions };
}
