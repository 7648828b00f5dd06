/** Files of options: `@file` in a call stands for the words in it. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** They may name one another, even themselves. */
const deepest = 20;

/** As clang does it: a file that is not there is not a file of options but a word of its own. */
export function withResponseFiles(words: readonly string[], folder: string, depth = 0): readonly string[] {
  return words.flatMap((word) => {
    if (!word.startsWith('@') || depth >= deepest) return [word];
    const text = contentOf(resolve(folder, word.slice(1)));
    return text === undefined ? [word] : withResponseFiles(splitWords(text), folder, depth + 1);
  });
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
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
