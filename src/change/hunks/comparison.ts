import type { CodeToken } from '../../program/source/index.js';
import { type CodeText, CodeWords, type Vocabulary } from './code-words.js';
import type { Edit } from './diff-sequences.js';
import { matchWords } from './match-words.js';
import { farthestSlide, settleEdits } from './settle-edits.js';

/** The words may omit the common beginning and end of the versions. */
export interface Comparison {
  readonly old: CodeWords;
  readonly new: CodeWords;
  /** `a` is the old version, `b` the new one. */
  readonly edits: readonly Edit[];
}

/** Words to include of the common beginning and end: an edit may slide into them and needs the word before it. */
const contextWords = farthestSlide + 1;

/** @param vocabulary shared by all files of a comparison */
export function compareVersions(old: CodeText, next: CodeText, vocabulary: Vocabulary): Comparison {
  const [a, b] = [old.tokens, next.tokens];
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && isSame(a[head], b[head])) head++;
  let tail = 0;
  while (tail < most - head && isSame(a[a.length - 1 - tail], b[b.length - 1 - tail])) tail++;

  const from = Math.max(0, head - contextWords);
  const leftOut = Math.max(0, tail - contextWords);
  const oldWords = CodeWords.of(old, from, a.length - leftOut, vocabulary);
  const newWords = CodeWords.of(next, from, b.length - leftOut, vocabulary);
  const edits = matchWords(oldWords.keys, newWords.keys, vocabulary);
  return { old: oldWords, new: newWords, edits: settleEdits(edits, oldWords, newWords) };
}

function isSame(token: CodeToken | undefined, other: CodeToken | undefined): boolean {
  return token !== undefined && token.text === other?.text && token.kind === other.kind;
}
