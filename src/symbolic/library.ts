/**
 * The effects of C library functions on memory: the bytes they read and write. A function that is not in the table
 * may have written anywhere, which shows when traced code reads the memory.
 */

import { hasWords, mostBytesTold } from './formulas/library-words.js';
import type { Instance } from './instances.js';
import type { Memory, WrittenBytes } from './memory.js';

/** A call of an untraced function that has returned. */
export interface OutsideCall {
  readonly instance: Instance;
  readonly arguments: readonly number[];
  readonly result: number;
}

interface Span {
  readonly address: number;
  readonly length: number;
}

interface Effect {
  readonly reads?: (call: OutsideCall, memory: Memory) => readonly Span[];
  /** Copies bytes unchanged. */
  readonly copies?: (call: OutsideCall, memory: Memory) => (Span & { readonly to: number }) | undefined;
  /** Sets all bytes to one value. */
  readonly fills?: (call: OutsideCall) => Span & { readonly byte: number };
  /** Allocates memory. */
  readonly makes?: (call: OutsideCall) => readonly Span[];
  /** Writes bytes that are not known. */
  readonly writes?: (call: OutsideCall, memory: Memory) => readonly Span[];
}

/** Longer texts are truncated. */
const mostBytes = 1 << 16;

function at({ arguments: given }: OutsideCall, position: number): number {
  return given[position] ?? 0;
}

const bytes = (address: number, length: number): Span => ({
  address,
  length: Math.min(Math.max(0, length), mostBytes),
});

/** A zero-terminated text, as far as its bytes are known. */
function text(memory: Memory, address: number, most = mostBytes): Span {
  let length = 0;
  while (length < most) {
    const byte = memory.peek(address + length);
    length++;
    // If a byte is unknown, the bytes up to it count.
    if (byte === undefined || byte === 0) break;
  }
  return { address, length };
}

const readsText: Effect = { reads: (call, memory) => [text(memory, at(call, 0))] };
const readsTexts: Effect = {
  reads: (call, memory) => [text(memory, at(call, 0)), text(memory, at(call, 1))],
};
const readsBytes: Effect = {
  reads: (call) => [bytes(at(call, 0), at(call, 2)), bytes(at(call, 1), at(call, 2))],
};
const readsBeginnings: Effect = {
  reads: (call, memory) => [0, 1].map((side) => text(memory, at(call, side), at(call, 2))),
};

/** Texts that a format may print: the arguments from `first` on that point to known bytes. */
function textsFrom({ arguments: given }: OutsideCall, first: number, memory: Memory): readonly Span[] {
  return given
    .slice(first)
    .filter((address) => memory.peek(address) !== undefined)
    .map((address) => text(memory, address));
}

const copiesBytes: Effect = { copies: (call) => ({ ...bytes(at(call, 1), at(call, 2)), to: at(call, 0) }) };
const getsNew: Effect = { makes: (call) => (call.result === 0 ? [] : [bytes(call.result, at(call, 0))]) };
const getsBytes: Effect = { writes: (call) => [bytes(at(call, 1), call.result)] };

const effects: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ...(
    ['strlen', 'atoi', 'atol', 'atof', 'puts', 'fputs', 'perror', 'getenv', 'strtol', 'strtoul'] as const
  ).map((name) => [name, readsText] as const),
  ...(['atoll', 'strtoll', 'strtoull', 'strtod', 'strtof', 'strchr', 'strrchr', 'strdup'] as const).map(
    (name) => [name, readsText] as const,
  ),
  ...(['strcmp', 'strcasecmp', 'strstr', 'strspn', 'strcspn', 'strpbrk', 'strcoll'] as const).map(
    (name) => [name, readsTexts] as const,
  ),
  ['memcmp', readsBytes],
  ['bcmp', readsBytes],
  ['strncmp', readsBeginnings],
  ['strncasecmp', readsBeginnings],
  [
    'memchr',
    {
      reads: (call) => [bytes(at(call, 0), call.result === 0 ? at(call, 2) : call.result - at(call, 0) + 1)],
    },
  ],
  ['memcpy', copiesBytes],
  ['memmove', copiesBytes],
  ['mempcpy', copiesBytes],
  ['strcpy', { copies: (call, memory) => ({ ...text(memory, at(call, 1)), to: at(call, 0) }) }],
  ['stpcpy', { copies: (call, memory) => ({ ...text(memory, at(call, 1)), to: at(call, 0) }) }],
  ['strncpy', { copies: (call, memory) => ({ ...text(memory, at(call, 1), at(call, 2)), to: at(call, 0) }) }],
  [
    'strcat',
    {
      copies: (call, memory) => ({
        ...text(memory, at(call, 1)),
        to: at(call, 0) + Math.max(0, text(memory, at(call, 0)).length - 1),
      }),
    },
  ],
  ['memset', { fills: (call) => ({ ...bytes(at(call, 0), at(call, 2)), byte: at(call, 1) & 0xff }) }],
  ['bzero', { fills: (call) => ({ ...bytes(at(call, 0), at(call, 1)), byte: 0 }) }],
  ['malloc', getsNew],
  ['calloc', { fills: (call) => ({ ...bytes(call.result, at(call, 0) * at(call, 1)), byte: 0 }) }],
  ['_Znwm', getsNew],
  ['_Znam', getsNew],
  [
    'realloc',
    {
      copies: (call) =>
        call.result === 0 || call.result === at(call, 0) || at(call, 0) === 0
          ? undefined
          : { ...bytes(at(call, 0), at(call, 1)), to: call.result },
    },
  ],
  ...(
    ['free', 'printf', 'fprintf', 'fflush', 'fclose', 'putchar', 'putc', 'fputc', 'exit', 'abort'] as const
  ).map((name) => [name, {}] as const),
  ...(['__errno_location', '__ctype_b_loc', '__ctype_tolower_loc', '__ctype_toupper_loc'] as const).map(
    (name) => [name, {}] as const,
  ),
  ...(['isalpha', 'isdigit', 'isspace', 'isupper', 'islower', 'isalnum', 'toupper', 'tolower'] as const).map(
    (name) => [name, {}] as const,
  ),
  ...(
    ['isblank', 'iscntrl', 'isgraph', 'isprint', 'ispunct', 'isxdigit', 'abs', 'labs', 'llabs'] as const
  ).map((name) => [name, {}] as const),
  ['fgets', { writes: (call) => (call.result === 0 ? [] : [bytes(at(call, 0), at(call, 1))]) }],
  [
    'sprintf',
    {
      reads: (call, memory) => textsFrom(call, 1, memory),
      writes: (call) => [bytes(at(call, 0), call.result + 1)],
    },
  ],
  [
    'snprintf',
    {
      reads: (call, memory) => textsFrom(call, 2, memory),
      writes: (call) => [bytes(at(call, 0), Math.min(at(call, 1), call.result + 1))],
    },
  ],
  ['read', getsBytes],
  ['recv', getsBytes],
  ['write', { reads: (call) => [bytes(at(call, 1), at(call, 2))] }],
  ['fwrite', { reads: (call) => [bytes(at(call, 0), at(call, 1) * at(call, 2))] }],
  ['fread', { writes: (call) => [bytes(at(call, 0), at(call, 1) * call.result)] }],
]);

/** The effect of a call on memory. */
export interface Traffic {
  /** The bytes it read, with their writers. */
  readonly read: readonly WrittenBytes[];
  /** The address it copied them to. */
  readonly copiedTo: number | undefined;
  /** By argument, the values of the bytes, if the function has constraints. */
  readonly texts: readonly (readonly number[])[] | undefined;
}

/** Applies a call to the memory, and returns its effect; undefined for an unknown function. */
export function afterOutside(name: string, call: OutsideCall, memory: Memory): Traffic | undefined {
  const effect = effects.get(name);
  if (effect === undefined) return undefined;
  const copied = effect.copies?.(call, memory);
  const read = effect.reads?.(call, memory) ?? (copied === undefined ? [] : [copied]);
  let offset = 0;
  const runs = read.flatMap(({ address, length }) => {
    const from = offset;
    offset += length;
    return memory.written(address, length).map((run) => ({ ...run, offset: run.offset + from }));
  });
  const texts = hasWords(name) ? textsOf(read, memory) : undefined;
  if (copied !== undefined) memory.copy(copied.to, copied.address, copied.length, call.instance);
  const filled = effect.fills?.(call);
  if (filled !== undefined && filled.address !== 0)
    for (let place = 0; place < filled.length; place++)
      memory.write(filled.address + place, filled.byte, call.instance);
  for (const { address, length } of effect.makes?.(call) ?? []) memory.renew(address, length, call.instance);
  for (const { address, length } of effect.writes?.(call, memory) ?? [])
    memory.mark(address, length, call.instance);
  return { read: runs, copiedTo: copied?.to, texts };
}

/** Undefined if a byte is unknown, or if there are too many. */
function textsOf(spans: readonly Span[], memory: Memory): readonly (readonly number[])[] | undefined {
  if (spans.reduce((sum, { length }) => sum + length, 0) > mostBytesTold) return undefined;
  const texts: number[][] = [];
  for (const { address, length } of spans) {
    const text: number[] = [];
    for (let place = 0; place < length; place++) {
      const byte = memory.peek(address + place);
      if (byte === undefined) return undefined;
      text.push(byte);
    }
    texts.push(text);
  }
  return texts;
}

/** Functions that print, or end the program. */
const shown = new Set([
  ...[
    'write',
    'puts',
    'printf',
    'fprintf',
    'vprintf',
    'vfprintf',
    'fwrite',
    'putchar',
    'putc',
    'fputc',
    'fputs',
  ],
  ...[
    '_IO_putc',
    'putchar_unlocked',
    'putc_unlocked',
    'fputs_unlocked',
    'fwrite_unlocked',
    'dprintf',
    'perror',
  ],
  ...['__printf_chk', '__fprintf_chk', '__vfprintf_chk', 'error', 'err', 'errx', 'warn', 'warnx'],
  ...['exit', '_exit', '_Exit', 'quick_exit', 'abort', '__assert_fail', '__assert', '__assert_rtn'],
]);

export function isOutput(name: string): boolean {
  return shown.has(name);
}
