/** The texts and numbers that a call prints, as far as its arguments are known. */

import type { Memory, WrittenBytes } from './memory.js';

const mostLetters = 4096;

/** Nothing is mapped below this address. */
const leastAddress = 1 << 16;

/** Indices of the arguments with the program's path and with the list of its words. */
interface StartedByList {
  readonly path: number;
  readonly list: number;
}

const startedByList: ReadonlyMap<string, StartedByList> = new Map<string, StartedByList>([
  ...['execv', 'execve', 'execvp', 'execvpe'].map((name) => [name, { path: 0, list: 1 }] as const),
  ...['posix_spawn', 'posix_spawnp'].map((name) => [name, { path: 1, list: 4 }] as const),
]);
/** Functions that take the words of another program as separate arguments ending with a zero, or as one text. */
const startedByWords: ReadonlySet<string> = new Set(['execl', 'execlp', 'execle', 'system', 'popen']);

/** Does a function start another program, which is not recorded? */
export function startsProgram(name: string): boolean {
  return startedByList.has(name) || startedByWords.has(name);
}

/** A value that a call prints, and the index of the argument it came from. */
interface ShownValue {
  readonly value: number;
  readonly argument: number;
}

const mostWords = 1000;

/** The arguments of a call. If it starts a program, the program's path and words. */
function shownValues(name: string, given: readonly number[], memory: Memory): readonly ShownValue[] {
  const all = given.map((value, argument) => ({ value, argument }));
  const started = startedByList.get(name);
  if (started !== undefined) {
    const words = addressesAt(given[started.list] ?? 0, memory);
    return [
      ...all.slice(started.path, started.path + 1),
      ...words.map((value) => ({ value, argument: started.list })),
    ];
  }
  const end = startedByWords.has(name) ? given.indexOf(0) : -1;
  return end < 0 ? all : all.slice(0, end);
}

/** A zero-terminated list of addresses, as far as it is known. */
function addressesAt(list: number, memory: Memory): readonly number[] {
  const found: number[] = [];
  while (list >= leastAddress && found.length < mostWords) {
    let address = 0;
    for (let place = 7; place >= 0; place--) {
      const byte = memory.peek(list + 8 * found.length + place);
      if (byte === undefined) return found;
      address = address * 256 + byte;
    }
    if (address === 0) return found;
    found.push(address);
  }
  return found;
}

export interface ShownWord extends ShownValue {
  /** A quoted text, a small number, or `…` for an unknown value such as a stream. */
  readonly word: string;
}

export function shownWords(name: string, given: readonly number[], memory: Memory): readonly ShownWord[] {
  return shownValues(name, given, memory).map(({ value, argument }) => ({
    value,
    argument,
    word: value < leastAddress ? String(value) : (JSON.stringify(textAt(value, memory)) ?? '…'),
  }));
}

export function shownTexts(words: readonly ShownWord[], memory: Memory): readonly WrittenBytes[] {
  return memory.writersOfAll(
    words.flatMap(({ value }) => {
      const text = value < leastAddress ? undefined : textAt(value, memory);
      // Including the terminating zero.
      return text === undefined ? [] : [{ address: value, length: Math.min(text.length + 1, mostLetters) }];
    }),
  );
}

/** The text at an address, as far as `mostLetters`; undefined if a byte is unknown. */
function textAt(address: number, memory: Memory): string | undefined {
  let text = '';
  while (text.length < mostLetters) {
    const byte = memory.peek(address + text.length);
    if (byte === undefined) return undefined;
    if (byte === 0) break;
    text += String.fromCharCode(byte);
  }
  return text;
}
