/** Line wrapping. */

import { width } from './text-width.js';

/** Breaks between words, in paths after a `/`, and elsewhere only if a word is too long for a line. */
export function wrappedLines(text: string, room: number): readonly string[] {
  const [indent = ''] = /^ */.exec(text) ?? [];
  if (indent !== '')
    return wrappedLines(text.slice(indent.length), Math.max(1, room - indent.length)).map(
      (line) => `${indent}${line}`,
    );
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (width(joined) <= room) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const [last = '', ...whole] = brokenWord(word, room).toReversed();
    lines.push(...whole.toReversed());
    line = last;
  }
  return [...lines, line];
}

function brokenWord(word: string, room: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of word.match(/[^/]*\/?/g) ?? []) {
    if (width(line + part) <= room) {
      line += part;
      continue;
    }
    if (line !== '') lines.push(line);
    const letters = [...part];
    while (letters.length > room) lines.push(letters.splice(0, Math.max(1, room)).join(''));
    line = letters.join('');
  }
  return [...lines, line];
}

/**
 * A name and a text that is indented below it if it wraps.
 * @param screen the line width; unlimited if left out
 */
export function hangingIndent(name: string, text: string, screen: number | undefined): string {
  if (screen === undefined || width(name) + width(text) <= screen) return `${name}${text}`;
  const room = Math.max(leastWidth, screen - width(name));
  return wrappedLines(text, room)
    .join(`\n${' '.repeat(width(name))}`)
    .replace(/^/, name);
}

/** The narrowest readable column. */
const leastWidth = 16;
