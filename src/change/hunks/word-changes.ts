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
  return readable(edits).map(({ aFrom, aTo, bFrom, bTo }) => ({
    oldAt: positionOf(old, aFrom, aTo),
    oldText: textOf(old, aFrom, aTo),
    newAt: positionOf(next, bFrom, bTo),
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

function positionOf(words: CodeWords, from: number, to: number): Position {
  if (from < to) return { line: words.line(from), column: columnOf(words.text, words.offset(from)) };
  if (from === 0) return { line: 1, column: 1 };
  return { line: words.endLine(from - 1), column: columnOf(words.text, words.end(from - 1)) };
}

function columnOf(text: string, offset: number): number {
  return offset === 0 ? 1 : offset - text.lastIndexOf('\n', offset - 1);
}
