/** What a call shows to the world, as far as its arguments tell. */

import type { Memory } from './memory.js';

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
