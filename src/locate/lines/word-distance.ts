/** The word edit distance between two lines (SMTLOC, 2.3.2). */

/** Tokenizes lines to numbers: names, numbers and single signs, without whitespace. */
export class Words {
  readonly #numbers = new Map<string, number>();

  of(line: string): Uint32Array {
    return Uint32Array.from(line.match(/\w+|[^\w\s]/g) ?? [], (word) => {
      const known = this.#numbers.get(word);
      if (known !== undefined) return known;
      this.#numbers.set(word, this.#numbers.size);
      return this.#numbers.size - 1;
    });
  }
}

/** The Levenshtein distance. */
export function wordDistance(a: Uint32Array, b: Uint32Array): number {
  let [start, aEnd, bEnd] = [0, a.length, b.length];
  while (start < aEnd && start < bEnd && a[start] === b[start]) start++;
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  if (start === aEnd) return bEnd - start;
  const row = Uint32Array.from({ length: bEnd - start + 1 }, (_, at) => at);
  for (let i = start; i < aEnd; i++) {
    let diagonal = row[0] ?? 0;
    row[0] = diagonal + 1;
    for (let j = 1; j < row.length; j++) {
      const above = row[j] ?? 0;
      const replaced = diagonal + (a[i] === b[start + j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, above + 1, (row[j - 1] ?? 0) + 1);
      diagonal = above;
    }
  }
  return row.at(-1) ?? 0;
}
