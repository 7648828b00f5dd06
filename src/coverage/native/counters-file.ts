/** The files that the processes of a run leave their counters in; see counters.c. */

import { readFile, rm } from 'node:fs/promises';
import { environmentFault, Fault } from '../../machine/index.js';

const counterSize = 8;

/** Of processes that counted at the same time, each has a file of its own; they are numbered without a gap. */
function countersPath(file: string, number: number): string {
  return number === 0 ? file : `${file}.${number}`;
}

/**
 * The counters of all processes together. Those of the first are there from before the first line on: without them nothing is
 * known, which is not the same as nothing, unless the run may have been ended before.
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
        'the run left no counters: its program could not be started, or not write them',
      );
    }
    if (number === 0 && bytes.length === 0 && counterBytes > 0) {
      if (mayLackThem) return counters;
      return environmentFault('the run found no room for its counters: there must be more on the disk');
    }
    // That of another program which this one has run, or of a process that was ended before it could count.
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

/** Removes what a run left, if it left anything. */
export async function removeCounters(file: string): Promise<void> {
  const remaining = async (number: number): Promise<boolean> =>
    rm(countersPath(file, number)).then(
      () => true,
      () => false,
    );
  let number = 0;
  while (await remaining(number)) number++;
}
