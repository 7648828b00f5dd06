/** The file that a run leaves its counters in. */

import { readFile } from 'node:fs/promises';
import { Fault } from '../../machine/index.js';

const counterSize = 8;

/** A run that never came so far as to have counters executed nothing. */
export async function countersIn(file: string, counterBytes: number): Promise<Float64Array | Fault> {
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) return new Float64Array(counterBytes / counterSize);
  if (bytes.length !== counterBytes)
    return new Fault('text', 'the counters are of another build than the table: build it again');
  // Exact up to 2^53, which no counter reaches in a month.
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const counters = new Float64Array(bytes.length / counterSize);
  for (let at = 0; at < counters.length; at++)
    counters[at] = (words[2 * at] ?? 0) + (words[2 * at + 1] ?? 0) * 2 ** 32;
  return counters;
}
