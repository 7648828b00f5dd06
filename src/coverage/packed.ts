/** A compact encoding of counts, so that a thousand runs fit into memory, and a measure of similarity. */

/** Place numbers as distances from the previous one, each followed by its count; seven bits to a byte. */
export interface PackedCounts {
  readonly bytes: Uint8Array;
  readonly lines: number;
  /** Sum of all counts. */
  readonly total: number;
}

/** Upper bound of the lines in a file. */
const maxLinesOfFile = 1_000_000;

/** One number for a file and line, ordered by file and then by line. */
export function placeOf(file: number, line: number): number {
  return file * maxLinesOfFile + line;
}

export function fileOf(place: number): number {
  return Math.floor(place / maxLinesOfFile);
}

export function lineOf(place: number): number {
  return place % maxLinesOfFile;
}

/** Sums the counts of equal places; accepts any order. */
export function packedPlaces(places: Iterable<readonly [place: number, count: number]>): PackedCounts {
  const sums = new Map<number, number>();
  for (const [place, count] of places) sums.set(place, (sums.get(place) ?? 0) + count);
  const inOrder = Float64Array.from(sums.keys()).sort();
  return packed({ lines: inOrder, counts: Float64Array.from(inOrder, (place) => sums.get(place) ?? 0) });
}

/** For the journal. */
export function packedText({ bytes }: PackedCounts): string {
  return Buffer.from(bytes).toString('base64');
}

/** Decodes the text of `packedText`. A damaged text yields arbitrary numbers, and no error. */
export function packedFromText(text: string): PackedCounts {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  const reader = new PackedLines(bytes);
  let [lines, total] = [0, 0];
  for (; reader.next(); lines++) total += reader.count;
  return { bytes, lines, total };
}

export function packed({
  lines,
  counts,
}: {
  readonly lines: Uint32Array | Float64Array;
  readonly counts: Float64Array;
}): PackedCounts {
  const bytes: number[] = [];
  const put = (value: number): void => {
    let rest = value;
    while (rest >= 128) {
      bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  };
  let last = -1;
  let total = 0;
  lines.forEach((line, at) => {
    const count = counts[at] ?? 0;
    put(line - last - 1);
    put(count);
    last = line;
    total += count;
  });
  return { bytes: Uint8Array.from(bytes), lines: lines.length, total };
}

/** Iterates over the lines in order without allocation. */
export class PackedLines {
  line = -1;
  count = 0;
  #at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** Advances to the next line; false at the end. */
  next(): boolean {
    if (this.#at >= this.bytes.length) {
      this.line = Number.POSITIVE_INFINITY;
      return false;
    }
    this.line += this.#number() + 1;
    this.count = this.#number();
    return true;
  }

  #number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.#at++] ?? 0;
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }
}

/**
 * Similarity of two runs (MulStringFuzz, Eq. 3): twice the common executions divided by all executions, with counts
 * of lines in place of a log of lines in order. 1 for equal runs, 0 for disjoint ones.
 */
export function similarity(a: PackedCounts, b: PackedCounts): number {
  const together = a.total + b.total;
  if (together === 0) return 1;
  const [ofA, ofB] = [new PackedLines(a.bytes), new PackedLines(b.bytes)];
  let [hasA, hasB] = [ofA.next(), ofB.next()];
  let common = 0;
  while (hasA && hasB) {
    if (ofA.line === ofB.line) common += Math.min(ofA.count, ofB.count);
    const [passesA, passesB] = [ofA.line <= ofB.line, ofB.line <= ofA.line];
    if (passesA) hasA = ofA.next();
    if (passesB) hasB = ofB.next();
  }
  return (2 * common) / together;
}
