/** The file in which a run leaves the calls that had not returned when it ended; see counters.c. */

import { readFile } from 'node:fs/promises';

const placeSize = 8;

/** Beside the counters. */
export function stackPath(counters: string): string {
  return `${counters}.stack`;
}

/** Where each of them goes on, counted from where the program begins, the last call first; none where nothing was left. */
export async function placesIn(file: string): Promise<readonly number[]> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  return Array.from({ length: Math.floor(bytes.length / placeSize) }, (_, at) =>
    Number(bytes.readBigInt64LE(at * placeSize)),
  );
}
