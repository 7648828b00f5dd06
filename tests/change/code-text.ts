/** Source files for tests, laid out from words and gaps. */

import type { CodeText } from '../../src/change/hunks/code-words.js';
import { type CodePair, codeText, type Hunk, hunkSteps } from '../../src/change/hunks/hunks.js';
import { runWithoutYielding } from '../../src/machine/index.js';

/** Joins words with gaps. The first gap is after the first word. */
export function laidOut(words: readonly string[], gaps: readonly string[]): CodeText {
  return codeText(words.map((word, at) => word + (gaps[at] ?? '\n')).join(''));
}

export function wordsOn({ tokens }: CodeText, isMeant: (line: number) => boolean): readonly string[] {
  return tokens.filter(({ line }) => isMeant(line)).map(({ text }) => text);
}

export function hunksOfFiles(files: readonly CodePair[]): readonly (readonly Hunk[])[] {
  return runWithoutYielding(hunkSteps(files));
}

export function hunksBetween(old: CodeText, next: CodeText): readonly Hunk[] {
  return hunksOfFiles([{ old, new: next }])[0] ?? [];
}
