/** The file that a run leaves its counters in. */

import { readFile } from 'node:fs/promises';
import { environmentFault, Fault } from '../../machine/index.js';

const counterSize = 8;

/** Counters are there from before the first line on: without them nothing is known, which is not the same as nothing. */
export async function countersIn(file: string, counterBytes: number): Promise<Float64Array | Fault> {
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined)
    return environmentFault('the run left no counters: its program could not be started, or not write them');
  if (bytes.length !== counterBytes)
    return new Fault('text', 'the counters are of another build than the table: build it again');
  // Exact up to 2^53, which no counter reaches in a month.
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const counters = new Float64Array(bytes.length / counterSize);
  for (let at = 0; at < counters.length; at++)
    counters[at] = (words[2 * at] ?? 0) + (words[2 * at + 1] ?? 0) * 2 ** 32;
  return counters;
}
