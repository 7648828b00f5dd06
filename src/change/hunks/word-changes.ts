/** What differs inside lines, by words. */

import type { CodeWords } from './code-words.js';
import type { Compared } from './compared.js';
import type { Edit } from './diff-sequences.js';

/** Where something is written; lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** CodeWords and what they were replaced by, as they are written: one of the texts may be empty. */
export interface WordChange {
  /** Where the old words begin; without any, where they would: after the word before. */
  readonly oldAt: Position;
  readonly oldText: string;
  readonly newAt: Position;
  readonly newText: string;
}

/** What the edits, which follow one another, change. */
export function wordChanges({ old, new: next }: Compared, edits: readonly Edit[]): readonly WordChange[] {
  const [oldColumns, newColumns] = [new Columns(old.text), new Columns(next.text)];
  return readable(edits).map(({ aFrom, aTo, bFrom, bTo }) => ({
    oldAt: positionOf(old, aFrom, aTo, oldColumns),
    oldText: textOf(old, aFrom, aTo),
    newAt: positionOf(next, bFrom, bTo, newColumns),
    newText: textOf(next, bFrom, bTo),
  }));
}

/** A bracket that two otherwise different lines have in common tells nobody anything. */
function readable(edits: readonly Edit[]): readonly Edit[] {
  const done: Edit[] = [];
  for (const edit of edits) {
    let next = edit;
    for (let before = done.at(-1); before !== undefined; before = done.at(-1)) {
      if (next.aFrom - before.aTo >= Math.min(sizeOf(before), sizeOf(next))) break;
      done.pop();
      next = { aFrom: before.aFrom, aTo: next.aTo, bFrom: before.bFrom, bTo: next.bTo };
    }
    done.push(next);
  }
  return done;
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

/** The columns of places that are asked for in order: a line may be as long as a file, and hold all of them. */
class Columns {
  readonly #text: string;
  #lineStart = 0;
  #seen = 0;

  constructor(text: string) {
    this.#text = text;
  }

  at(offset: number): number {
    if (offset < this.#seen) this.#lineStart = this.#seen = 0;
    const breakAt = offset === 0 ? -1 : this.#text.slice(this.#seen, offset).lastIndexOf('\n');
    if (breakAt >= 0) this.#lineStart = this.#seen + breakAt + 1;
    this.#seen = offset;
    return offset - this.#lineStart + 1;
  }
}
