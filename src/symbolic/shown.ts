/** What a call shows to the world, as far as its arguments tell. */

import type { Memory, WrittenBytes } from './memory.js';

/** Longer texts are told by their beginning. */
const mostLetters = 4096;

/** Below this nothing is mapped: such a number is no address. */
const leastAddress = 1 << 16;

interface StartedByList {
  /** Which argument is the path of the program. */
  readonly path: number;
  /** Which is the list of its words. */
  readonly list: number;
}

const startedByList: ReadonlyMap<string, StartedByList> = new Map<string, StartedByList>([
  ...['execv', 'execve', 'execvp', 'execvpe'].map((name) => [name, { path: 0, list: 1 }] as const),
  ...['posix_spawn', 'posix_spawnp'].map((name) => [name, { path: 1, list: 4 }] as const),
]);
/** Functions that are given the words of another program one by one, with a zero behind the last, or in one text. */
const startedByWords: ReadonlySet<string> = new Set(['execl', 'execlp', 'execle', 'system', 'popen']);

/** Does a function hand something on to another program, which is not recorded? */
export function startsProgram(name: string): boolean {
  return startedByList.has(name) || startedByWords.has(name);
}

/** A value that a call shows, and which of its arguments has led there. */
interface ShownValue {
  readonly value: number;
  readonly argument: number;
}

const mostWords = 1000;

/** A call's arguments; where it starts a program that one's path and words. */
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

/** A list of addresses up to its zero, as far as it is known. */
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
  /** A text in quotes, a small number, or `…` for what says nothing, such as a stream. */
  readonly word: string;
}

export function shownWords(name: string, given: readonly number[], memory: Memory): readonly ShownWord[] {
  return shownValues(name, given, memory).map(({ value, argument }) => ({
    value,
    argument,
    word: value < leastAddress ? String(value) : (textAt(value, memory) ?? '…'),
  }));
}

/** Who has written the texts among them. */
export function shownTexts(words: readonly ShownWord[], memory: Memory): readonly WrittenBytes[] {
  let offset = 0;
  return words.flatMap(({ value }) => {
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
