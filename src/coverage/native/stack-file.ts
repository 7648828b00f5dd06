/** Reads the file with the calls that were active at the end of a run; see counters.c. */

import { readFile } from 'node:fs/promises';

const placeSize = 8;

/** Next to the counters. */
export function stackPath(counters: string): string {
  return `${counters}.stack`;
}

/** Return addresses relative to the program's start, innermost first; none if the run left no file. */
export async function placesIn(file: string): Promise<readonly number[]> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  return Array.from({ length: Math.floor(bytes.length / placeSize) }, (_, at) =>
    Number(bytes.readBigInt64LE(at * placeSize)),
  );
}
