/** Expands response files: `@file` in a call stands for the words in the file. */

import { resolve } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';

/** Response files can name one another, and themselves, even twice. */
const maxDepth = 20;
const maxFiles = 1_000;
const maxBytes = 64 << 20;

/** Like clang, keeps `@file` as a word if the file does not exist. */
export function withResponseFiles(words: readonly string[], folder: string): readonly string[] {
  let [files, bytes] = [0, 0];
  const opened = (some: readonly string[], depth: number): readonly string[] =>
    some.flatMap((word) => {
      if (!word.startsWith('@') || depth >= maxDepth || files === maxFiles) return [word];
      files++;
      const text = readInputText(resolve(folder, word.slice(1)), { maxBytes: maxBytes - bytes });
      if (text instanceof Fault) return [word];
      bytes += text.length;
      return opened(splitWords(text), depth + 1);
    });
  return opened(words, 0);
}

/**
 * Splits a line into words as a shell does, with quotes and backslashes but no other expansion.
 *
 * @example splitWords(`cc -DNAME='"a b"' a\\ b.c`); // ['cc', '-DNAME="a b"', 'a b.c']
 */
export function splitWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const letter = line.charAt(at);
    if (letter === quote) quote = undefined;
    else if (letter === '\\' && quote !== "'") {
      const next = line[++at] ?? '';
      // A continued line.
      if (next !== '\n') word = (word ?? '') + next;
    } else if (quote !== undefined) word = (word ?? '') + letter;
    else if (letter === "'" || letter === '"') {
      quote = letter;
      word ??= '';
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + letter;
  }
  if (word !== undefined) words.push(word);
  return words;
}
