import type { SourceLine } from './flow.js';
import { PairMap } from './pair-map.js';

export class LineSet implements Iterable<SourceLine> {
  readonly #known = new PairMap<string, number, SourceLine>();
  readonly #lines: SourceLine[] = [];

  constructor(lines: Iterable<SourceLine> = []) {
    for (const line of lines) this.add(line);
  }

  add(line: SourceLine): void {
    if (this.has(line)) return;
    this.#known.set(line.file, line.line, line);
    this.#lines.push(line);
  }

  has({ file, line }: SourceLine): boolean {
    return this.#known.get(file, line) !== undefined;
  }

  [Symbol.iterator](): Iterator<SourceLine> {
    return this.#lines[Symbol.iterator]();
  }
}
