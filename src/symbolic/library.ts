/**
 * The effects of C library functions on memory: the bytes they read and write. A function that is not in the table
 * may have written anywhere, which shows when traced code reads the memory.
 */

import { hasConstraint, mostTextBytes } from './formulas/library-words.js';
import type { Instance } from './instances.js';
import type { Memory, WrittenBytes } from './memory.js';

/** A call of an untraced function that has returned. */
export interface LibraryCall {
  readonly instance: Instance;
  readonly arguments: readonly number[];
  readonly result: number;
}

interface ByteRange {
  readonly address: number;
  readonly length: number;
}

interface Effect {
  readonly reads?: (call: LibraryCall, memory: Memory) => readonly ByteRange[];
  /** Copies bytes unchanged. */
  readonly copies?: (call: LibraryCall, memory: Memory) => (ByteRange & { readonly to: number }) | undefined;
  /** Sets all bytes to one value. */
  readonly fills?: (call: LibraryCall) => ByteRange & { readonly byte: number };
  /** Allocates memory. */
  readonly allocates?: (call: LibraryCall) => readonly ByteRange[];
  /** Writes bytes that are not known. */
  readonly writes?: (call: LibraryCall, memory: Memory) => readonly ByteRange[];
}

/** Longer texts are truncated. */
const mostBytes = 1 << 16;

function argumentOf({ arguments: given }: LibraryCall, position: number): number {
  return given[position] ?? 0;
}

const byteRange = (address: number, length: number): ByteRange => ({
  address,
  length: Math.min(Math.max(0, length), mostBytes),
});

/** A zero-terminated text, as far as its bytes are known. */
function textRange(memory: Memory, address: number, most = mostBytes): ByteRange {
  let length = 0;
  while (length < most) {
    const byte = memory.peek(address + length);
    length++;
    // If a byte is unknown, the bytes up to it count.
    if (byte === undefined || byte === 0) break;
  }
  return { address, length };
}

const readsText: Effect = { reads: (call, memory) => [textRange(memory, argumentOf(call, 0))] };
const readsTexts: Effect = {
  reads: (call, memory) => [textRange(memory, argumentOf(call, 0)), textRange(memory, argumentOf(call, 1))],
};
const readsBytes: Effect = {
  reads: (call) => [
    byteRange(argumentOf(call, 0), argumentOf(call, 2)),
    byteRange(argumentOf(call, 1), argumentOf(call, 2)),
  ],
};
const readsLimitedTexts: Effect = {
  reads: (call, memory) =>
    [0, 1].map((side) => textRange(memory, argumentOf(call, side), argumentOf(call, 2))),
};

/** Texts that a format may print: the arguments from `first` on that point to known bytes. */
function textsFrom({ arguments: given }: LibraryCall, first: number, memory: Memory): readonly ByteRange[] {
  return given
    .slice(first)
    .filter((address) => memory.peek(address) !== undefined)
    .map((address) => textRange(memory, address));
}

const copiesBytes: Effect = {
  copies: (call) => ({ ...byteRange(argumentOf(call, 1), argumentOf(call, 2)), to: argumentOf(call, 0) }),
};
const allocatesMemory: Effect = {
  allocates: (call) => (call.result === 0 ? [] : [byteRange(call.result, argumentOf(call, 0))]),
};
const receivesBytes: Effect = { writes: (call) => [byteRange(argumentOf(call, 1), call.result)] };

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
  ['strncmp', readsLimitedTexts],
  ['strncasecmp', readsLimitedTexts],
  [
    'memchr',
    {
      reads: (call) => [
        byteRange(
          argumentOf(call, 0),
          call.result === 0 ? argumentOf(call, 2) : call.result - argumentOf(call, 0) + 1,
        ),
      ],
    },
  ],
  ['memcpy', copiesBytes],
  ['memmove', copiesBytes],
  ['mempcpy', copiesBytes],
  [
    'strcpy',
    { copies: (call, memory) => ({ ...textRange(memory, argumentOf(call, 1)), to: argumentOf(call, 0) }) },
  ],
  [
    'stpcpy',
    { copies: (call, memory) => ({ ...textRange(memory, argumentOf(call, 1)), to: argumentOf(call, 0) }) },
  ],
  [
    'strncpy',
    {
      copies: (call, memory) => ({
        ...textRange(memory, argumentOf(call, 1), argumentOf(call, 2)),
        to: argumentOf(call, 0),
      }),
    },
  ],
  [
    'strcat',
    {
      copies: (call, memory) => ({
        ...textRange(memory, argumentOf(call, 1)),
        to: argumentOf(call, 0) + Math.max(0, textRange(memory, argumentOf(call, 0)).length - 1),
      }),
    },
  ],
  [
    'memset',
    {
      fills: (call) => ({
        ...byteRange(argumentOf(call, 0), argumentOf(call, 2)),
        byte: argumentOf(call, 1) & 0xff,
      }),
    },
  ],
  ['bzero', { fills: (call) => ({ ...byteRange(argumentOf(call, 0), argumentOf(call, 1)), byte: 0 }) }],
  ['malloc', allocatesMemory],
  [
    'calloc',
    { fills: (call) => ({ ...byteRange(call.result, argumentOf(call, 0) * argumentOf(call, 1)), byte: 0 }) },
  ],
  ['_Znwm', allocatesMemory],
  ['_Znam', allocatesMemory],
  [
    'realloc',
    {
      copies: (call) =>
        call.result === 0 || call.result === argumentOf(call, 0) || argumentOf(call, 0) === 0
          ? undefined
          : { ...byteRange(argumentOf(call, 0), argumentOf(call, 1)), to: call.result },
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
  [
    'fgets',
    { writes: (call) => (call.result === 0 ? [] : [byteRange(argumentOf(call, 0), argumentOf(call, 1))]) },
  ],
  [
    'sprintf',
    {
      reads: (call, memory) => textsFrom(call, 1, memory),
      writes: (call) => [byteRange(argumentOf(call, 0), call.result + 1)],
    },
  ],
  [
    'snprintf',
    {
      reads: (call, memory) => textsFrom(call, 2, memory),
      writes: (call) => [byteRange(argumentOf(call, 0), Math.min(argumentOf(call, 1), call.result + 1))],
    },
  ],
  ['read', receivesBytes],
  ['recv', receivesBytes],
  ['write', { reads: (call) => [byteRange(argumentOf(call, 1), argumentOf(call, 2))] }],
  [
    'fwrite',
    { reads: (call) => [byteRange(argumentOf(call, 0), argumentOf(call, 1) * argumentOf(call, 2))] },
  ],
  ['fread', { writes: (call) => [byteRange(argumentOf(call, 0), argumentOf(call, 1) * call.result)] }],
]);

/** The effect of a call on memory. */
export interface MemoryEffect {
  /** The bytes it read, with their writers. */
  readonly read: readonly WrittenBytes[];
  /** The address it copied them to. */
  readonly copiedTo: number | undefined;
  /** By argument, the values of the bytes, if the function has constraints. */
  readonly texts: readonly (readonly number[])[] | undefined;
}

/** Applies a call to the memory, and returns its effect; undefined for an unknown function. */
export function applyLibraryCall(name: string, call: LibraryCall, memory: Memory): MemoryEffect | undefined {
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
  const texts = hasConstraint(name) ? textValues(read, memory) : undefined;
  if (copied !== undefined) memory.copy(copied.to, copied.address, copied.length, call.instance);
  const filled = effect.fills?.(call);
  if (filled !== undefined && filled.address !== 0)
    for (let place = 0; place < filled.length; place++)
      memory.write(filled.address + place, filled.byte, call.instance);
  for (const { address, length } of effect.allocates?.(call) ?? [])
    memory.markFresh(address, length, call.instance);
  for (const { address, length } of effect.writes?.(call, memory) ?? [])
    memory.markWritten(address, length, call.instance);
  return { read: runs, copiedTo: copied?.to, texts };
}

/** Undefined if a byte is unknown, or if there are too many. */
function textValues(spans: readonly ByteRange[], memory: Memory): readonly (readonly number[])[] | undefined {
  if (spans.reduce((sum, { length }) => sum + length, 0) > mostTextBytes) return undefined;
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
const outputFunctions = new Set([
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
  return outputFunctions.has(name);
}
