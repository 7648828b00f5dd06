/** Parses and compares two versions of files. */

import { readSource, type SourceFile, type SourceFunction } from '../../program/source/index.js';
import type { CodeText } from '../hunks/code-words.js';
import { lowerBound } from '../hunks/collections.js';
import { type CodePair, codeText, hunkSteps, lineHunks } from '../hunks/hunks.js';
import type { LineMarks, ReadPair } from './changed-code.js';

export interface FilePair {
  /** The path in the new version, or the old path if the file was removed. */
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

/**
 * Reads files of one change together, because code may have moved from one file to another. Yields after each step.
 *
 * @param isByLines compare lines as `diff` does, instead of code
 */
export function* readPairs(
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
  const hunks = isByLines
    ? files.map(({ oldText, newText }) => lineHunks(oldText, newText))
    : yield* hunkSteps(texts);
  const read: { readonly old: SourceFile; readonly new: SourceFile }[] = [];
  for (const { path, oldText, newText } of files) {
    const old = readSource(oldText, path);
    yield;
    read.push({ old, new: readSource(newText, path) });
    yield;
  }
  const before = new Set<string>();
  for (const [at, { old }] of read.entries()) {
    for (const fn of old.functions) before.add(functionKey(fn, texts[at]?.old));
    yield;
  }
  const pairs: ReadPair[] = [];
  for (const [at, pair] of read.entries()) {
    pairs.push({
      ...pair,
      hunks: hunks[at] ?? [],
      unchanged: new Set(pair.new.functions.filter((fn) => before.has(functionKey(fn, texts[at]?.new)))),
      oldMarks: marksOf(texts[at]?.old),
      newMarks: marksOf(texts[at]?.new),
    });
    yield;
  }
  return pairs;
}

/** Control-flow keywords that belong to no statement. */
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

function functionKey({ name, firstLine, lastLine }: SourceFunction, code: CodeText | undefined): string {
  const tokens = code?.tokens ?? [];
  const words: string[] = [];
  for (let at = lowerBound(tokens.length, (index) => (tokens[index]?.line ?? 0) < firstLine); ; at++) {
    const token = tokens[at];
    if (token === undefined || token.line > lastLine) break;
    words.push(token.text);
  }
  return `${name}\n${words.join(' ')}`;
}
