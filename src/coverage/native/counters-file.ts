/** Reads the counter files that the processes of a run leave; see counters.c. */

import { readFile, rm } from 'node:fs/promises';
import { environmentFault, Fault } from '../../machine/index.js';

const counterSize = 8;

/** Each of several simultaneous processes has its own file, numbered without gaps. */
function countersPath(file: string, number: number): string {
  return number === 0 ? file : `${file}.${number}`;
}

/**
 * Sums the counters of all processes. The first file exists before the program's first line. If it is missing, the
 * counts are unknown rather than zero, unless the run may have ended earlier.
 */
export async function countersIn(
  file: string,
  counterBytes: number,
  { mayLackThem = false }: { readonly mayLackThem?: boolean } = {},
): Promise<Float64Array | Fault> {
  const counters = new Float64Array(counterBytes / counterSize);
  for (let number = 0; ; number++) {
    const bytes = await readFile(countersPath(file, number)).catch(() => undefined);
    if (bytes === undefined) {
      if (number > 0 || mayLackThem) return counters;
      return environmentFault(
        'the run left no counters: the program could not start, or could not write them',
      );
    }
    if (number === 0 && bytes.length === 0 && counterBytes > 0) {
      if (mayLackThem) return counters;
      return environmentFault('the disk has no room for its counters: free some space');
    }
    // The file of another program that this one ran, or of a process that was killed before it could count.
    if (number > 0 && bytes.length !== counterBytes) continue;
    if (bytes.length !== counterBytes)
      return new Fault('text', 'the counters are of another build than the table: build it again');
    addCounters(bytes, counters);
  }
}

function addCounters(bytes: Buffer, counters: Float64Array): void {
  // Exact up to 2^53, which no counter reaches in a month.
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  for (let at = 0; at < counters.length; at++)
    counters[at] = (counters[at] ?? 0) + (words[2 * at] ?? 0) + (words[2 * at + 1] ?? 0) * 2 ** 32;
}

/** Removes the counter files of a run, if there are any. */
export async function removeCounters(file: string): Promise<void> {
  const remaining = async (number: number): Promise<boolean> =>
    rm(countersPath(file, number)).then(
      () => true,
      () => false,
    );
  let number = 0;
  while (await remaining(number)) number++;
}
