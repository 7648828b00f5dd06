/** MulStringFuzz, Algorithm 2: scores a formula's coverage against the coverage of all formulas before. */

import { fileOf, type PackedCounts, PackedLines } from '../../coverage/index.js';

const newFile = 1000;
const newLine = 100;
const moreOften = 10;
const asBefore = 1;

/** The maximum execution count of each line. */
export class CoverageScorer {
  readonly #files = new Map<number, Map<number, number>>();

  /** How many lines were ever executed. */
  get lines(): number {
    let sum = 0;
    for (const lines of this.#files.values()) sum += lines.size;
    return sum;
  }

  get files(): number {
    return this.#files.size;
  }

  /** Scores coverage and merges it. */
  score({ bytes }: PackedCounts): number {
    let score = 0;
    let file = -1;
    let isNewFile = false;
    let known = new Map<number, number>();
    const executed = new PackedLines(bytes);
    while (executed.next()) {
      const { line, count } = executed;
      if (fileOf(line) !== file) {
        file = fileOf(line);
        const own = this.#files.get(file);
        isNewFile = own === undefined;
        known = own ?? new Map();
        if (isNewFile) score += newFile;
        this.#files.set(file, known);
      }
      const most = known.get(line);
      // The lines of a new file do not count in addition to the file.
      if (!isNewFile) score += worth(count, most);
      if (most === undefined || count > most) known.set(line, count);
    }
    return score;
  }
}

function worth(count: number, most: number | undefined): number {
  if (most === undefined) return newLine * count;
  return count > most ? moreOften * (count - most) : asBefore;
}
