/** What a call shows to the world, as far as its arguments tell. */

import type { Memory, WrittenBytes } from './memory.js';

/** Longer texts are told by their beginning. */
const mostLetters = 4096;

/** Below this nothing is mapped: such a number is no address. */
const leastAddress = 1 << 16;

/** Each argument: a text where it is the address of one, a number where it is small, `…` for what tells nothing. */
export function shownArguments(given: readonly number[], memory: Memory): readonly string[] {
  return given.map((value) => {
    if (value < leastAddress) return String(value);
    return textAt(value, memory) ?? '…';
  });
}

/** Who has written the texts among them. */
export function shownTexts(given: readonly number[], memory: Memory): readonly WrittenBytes[] {
  let offset = 0;
  return given.flatMap((value) => {
    const length = value < leastAddress ? undefined : lengthAt(value, memory);
    if (length === undefined) return [];
    const from = offset;
    offset += length;
    return memory.written(value, length).map((run) => ({ ...run, offset: run.offset + from }));
  });
}

/** With its end. */
function lengthAt(address: number, memory: Memory): number | undefined {
  for (let length = 0; length < mostLetters; length++) {
    const byte = memory.peek(address + length);
    if (byte === undefined) return undefined;
    if (byte === 0) return length + 1;
  }
  return mostLetters;
}

function textAt(address: number, memory: Memory): string | undefined {
  let text = '';
  while (text.length < mostLetters) {
    const byte = memory.peek(address + text.length);
    if (byte === undefined) return undefined;
    if (byte === 0) break;
    text += String.fromCharCode(byte);
  }
  return JSON.stringify(text);
}
