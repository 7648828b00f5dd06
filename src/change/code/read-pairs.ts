/** Two versions of files, read and compared. */

import { atOnce } from '../../machine/index.js';
import {
  type CodeToken,
  readSource,
  type SourceFile,
  type SourceFunction,
} from '../../program/source/index.js';
import type { CodeText } from '../hunks/code-words.js';
import { type CodePair, codeText, hunkSteps } from '../hunks/hunks.js';
import { lineHunks } from '../hunks/line-hunks.js';
import type { LineMarks, ReadPair } from './changed-code.js';

/** A file in both versions; empty where one does not have it. */
export interface FilePair {
  /** In the new version, or in the old one where it is gone. */
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

/** Files that were changed together: code may have gone from one to another. */
export function readPairs(files: readonly FilePair[]): readonly ReadPair[] {
  return atOnce(pairSteps(files));
}

/**
 * The same, in steps between which others may have their turn.
 *
 * @param isByLines lines are compared as `diff` does, and not the code on them
 */
export function* pairSteps(
  files: readonly FilePair[],
  isByLines = false,
): Generator<void, readonly ReadPair[]> {
  const texts: CodePair[] = [];
  for (const { oldText, newText } of files) {
    const old = codeText(oldText);
    yield;
    texts.push({ old, new: codeText(newText) });
    yield;
  }
  const hunks = isByLines ? files.map(lineHunks) : yield* hunkSteps(texts);
  const read: { readonly old: SourceFile; readonly new: SourceFile }[] = [];
  for (const { path, oldText, newText } of files) {
    const old = readSource(oldText, path);
    yield;
    read.push({ old, new: readSource(newText, path) });
    yield;
  }
  const before = new Set<string>();
  for (const [at, { old }] of read.entries()) {
    for (const fn of old.functions) before.add(writtenAs(fn, texts[at]?.old));
    yield;
  }
  const pairs: ReadPair[] = [];
  for (const [at, pair] of read.entries()) {
    pairs.push({
      ...pair,
      hunks: hunks[at] ?? [],
      kept: new Set(pair.new.functions.filter((fn) => before.has(writtenAs(fn, texts[at]?.new)))),
      oldMarks: marksOf(texts[at]?.old),
      newMarks: marksOf(texts[at]?.new),
    });
    yield;
  }
  return pairs;
}

/** Words that decide where control goes and belong to no statement. */
const branchWords: ReadonlySet<string> = new Set(['else', 'case', 'default']);

function marksOf(code: CodeText | undefined): LineMarks {
  const branches = new Set<number>();
  const closings = new Set<number>();
  let lastLine = 0;
  for (const { text, line } of code?.tokens ?? []) {
    if (branchWords.has(text)) branches.add(line);
    if (text === '}' && line !== lastLine) closings.add(line);
    lastLine = line;
  }
  return { branches, closings };
}

/** The words of a function, by which one is told again wherever it stands. */
function writtenAs({ name, firstLine, lastLine }: SourceFunction, code: CodeText | undefined): string {
  const tokens = code?.tokens ?? [];
  const words: string[] = [];
  for (let at = firstOnLine(tokens, firstLine); ; at++) {
    const token = tokens[at];
    if (token === undefined || token.line > lastLine) break;
    words.push(token.text);
  }
  return `${name}\n${words.join(' ')}`;
}

/** The first token on a line or after it; tokens stand in the order of their lines. */
function firstOnLine(tokens: readonly CodeToken[], line: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
