/** A text in lines that find room. */

import { width } from './text-width.js';

/** Broken between words, within paths after a `/`, and anywhere where nothing else helps. */
export function foldedLines(text: string, room: number): readonly string[] {
  const [indent = ''] = /^ */.exec(text) ?? [];
  if (indent !== '')
    return foldedLines(text.slice(indent.length), Math.max(1, room - indent.length)).map(
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
 * A line whose first words name what the others say, those below them.
 *
 * @param screen as wide as it is when left out
 */
export function hangingLine(name: string, text: string, screen: number | undefined): string {
  if (screen === undefined || width(name) + width(text) <= screen) return `${name}${text}`;
  const room = Math.max(leastRoom, screen - width(name));
  return foldedLines(text, room)
    .join(`\n${' '.repeat(width(name))}`)
    .replace(/^/, name);
}

/** Fewer characters cannot be read. */
const leastRoom = 16;
