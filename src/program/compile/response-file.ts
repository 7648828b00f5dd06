/** Files of options: `@file` in a call stands for the words in it. */

import { resolve } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';

/** They may name one another, even themselves, and themselves twice. */
const deepest = 20;
const mostFiles = 1_000;
const mostBytes = 64 << 20;

/** As clang does it: a file that is not there is not a file of options but a word of its own. */
export function withResponseFiles(words: readonly string[], folder: string): readonly string[] {
  let [files, bytes] = [0, 0];
  const opened = (some: readonly string[], depth: number): readonly string[] =>
    some.flatMap((word) => {
      if (!word.startsWith('@') || depth >= deepest || files === mostFiles) return [word];
      files++;
      const text = readInputText(resolve(folder, word.slice(1)), { maxBytes: mostBytes - bytes });
      if (text instanceof Fault) return [word];
      bytes += text.length;
      return opened(splitWords(text), depth + 1);
    });
  return opened(words, 0);
}

/**
 * The words of a line as a shell would take them apart, and nothing else of what a shell does: quotes and
 * backslashes count, everything else is itself.
 *
 * @example
 * splitWords(`cc -DNAME='"a b"' a\\ b.c`); // ['cc', '-DNAME="a b"', 'a b.c']
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
      // A line that goes on in the next one.
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
