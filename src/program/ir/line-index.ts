/** Line numbers by offset in a text. Lines are counted at the first query, because most texts get none. */
export class LineIndex {
  /** Offsets of the line ends, except the last. */
  #ends: readonly number[] | undefined;

  constructor(private readonly text: string) {}

  /** Line number of an offset, from 1. */
  lineAt(offset: number): number {
    this.#ends ??= endsOf(this.text);
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] ?? offset) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }
}

function endsOf(text: string): readonly number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends.push(at);
  return ends;
}
