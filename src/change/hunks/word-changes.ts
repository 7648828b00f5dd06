import type { CodeWords } from './code-words.js';
import type { Comparison } from './comparison.js';
import type { Edit } from './diff-sequences.js';
import { joinNeighbours, span } from './settle-edits.js';

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Words and their replacement, as written. One of the texts may be empty. */
export interface WordChange {
  /** Start of the old words; for an insertion, the end of the word before it. */
  readonly oldAt: Position;
  readonly oldText: string;
  readonly newAt: Position;
  readonly newText: string;
}

/** @param edits adjacent edits, in order */
export function wordChanges({ old, new: next }: Comparison, edits: readonly Edit[]): readonly WordChange[] {
  const [oldColumns, newColumns] = [new Columns(old.text), new Columns(next.text)];
  return joinNeighbours(edits, joinIfClose).map(({ aFrom, aTo, bFrom, bTo }) => ({
    oldAt: positionOf(old, aFrom, aTo, oldColumns),
    oldText: textOf(old, aFrom, aTo),
    newAt: positionOf(next, bFrom, bTo, newColumns),
    newText: textOf(next, bFrom, bTo),
  }));
}

/** A single bracket that two different lines have in common is not worth showing. */
function joinIfClose(before: Edit, next: Edit): Edit | undefined {
  const isClose = next.aFrom - before.aTo < Math.min(sizeOf(before), sizeOf(next));
  return isClose ? span(before, next) : undefined;
}

function sizeOf({ aFrom, aTo, bFrom, bTo }: Edit): number {
  return Math.max(aTo - aFrom, bTo - bFrom);
}

function textOf(words: CodeWords, from: number, to: number): string {
  return from < to ? words.text.slice(words.offset(from), words.end(to - 1)) : '';
}

function positionOf(words: CodeWords, from: number, to: number, columns: Columns): Position {
  if (from < to) return { line: words.line(from), column: columns.at(words.offset(from)) };
  if (from === 0) return { line: 1, column: 1 };
  return { line: words.endLine(from - 1), column: columns.at(words.end(from - 1)) };
}

/** Computes columns for ascending offsets. Incremental, because a single line may be as long as the file. */
class Columns {
  #lineStart = 0;
  #seen = 0;

  constructor(private readonly text: string) {}

  at(offset: number): number {
    if (offset < this.#seen) this.#lineStart = this.#seen = 0;
    const breakAt = offset === 0 ? -1 : this.text.slice(this.#seen, offset).lastIndexOf('\n');
    if (breakAt >= 0) this.#lineStart = this.#seen + breakAt + 1;
    this.#seen = offset;
    return offset - this.#lineStart + 1;
  }
}
