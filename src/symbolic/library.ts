/**
 * The effects of C library functions on memory: the bytes they read and write. A function that is not in the table
 * may have written anywhere, which shows when traced code reads the memory.
 */

import { hasConstraint, mostTextBytes } from './formulas/library-constraints.js';
import type { Instance } from './instances.js';
import type { Memory, WrittenBytes } from './memory.js';

/** A call of an untraced function that has returned. */
export interface ReturnedCall {
  readonly instance: Instance;
  readonly arguments: readonly number[];
  readonly result: number;
}

/** A returned call with its first three arguments, 0 if missing. */
interface CallValues extends ReturnedCall {
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly memory: Memory;
}

interface ByteRange {
  readonly address: number;
  readonly length: number;
}

interface Effect {
  readonly reads?: (call: CallValues) => readonly ByteRange[];
  readonly copies?: (call: CallValues) => (ByteRange & { readonly to: number }) | undefined;
  readonly fills?: (call: CallValues) => ByteRange & { readonly byte: number };
  readonly allocates?: (call: CallValues) => readonly ByteRange[];
  /** Writes bytes that are not known. */
  readonly writes?: (call: CallValues) => readonly ByteRange[];
}

const mostBytes = 1 << 16;

const byteRange = (address: number, length: number): ByteRange => ({
  address,
  length: Math.min(Math.max(0, length), mostBytes),
});

/** A zero-terminated text up to its first unknown byte. */
function textRange(memory: Memory, address: number, most = mostBytes): ByteRange {
  let length = 0;
  while (length < most) {
    const byte = memory.peek(address + length++);
    if (byte === undefined || byte === 0) break;
  }
  return { address, length };
}

/** Texts that a format may print: the arguments from `from` on that point to known bytes. */
function textsFrom({ arguments: given, memory }: CallValues, from: number): readonly ByteRange[] {
  return given
    .slice(from)
    .filter((address) => memory.peek(address) !== undefined)
    .map((address) => textRange(memory, address));
}

const readsText: Effect = { reads: ({ first, memory }) => [textRange(memory, first)] };
const readsTexts: Effect = {
  reads: ({ first, second, memory }) => [textRange(memory, first), textRange(memory, second)],
};
const readsLimitedTexts: Effect = {
  reads: ({ first, second, third, memory }) => [first, second].map((text) => textRange(memory, text, third)),
};
const readsBytes: Effect = {
  reads: ({ first, second, third }) => [byteRange(first, third), byteRange(second, third)],
};
const findsByte: Effect = {
  reads: ({ first, third, result }) => [byteRange(first, result === 0 ? third : result - first + 1)],
};
const copiesBytes: Effect = {
  copies: ({ first, second, third }) => ({ ...byteRange(second, third), to: first }),
};
const copiesText: Effect = {
  copies: ({ first, second, memory }) => ({ ...textRange(memory, second), to: first }),
};
const copiesLimitedText: Effect = {
  copies: ({ first, second, third, memory }) => ({ ...textRange(memory, second, third), to: first }),
};
const appendsText: Effect = {
  copies: ({ first, second, memory }) => ({
    ...textRange(memory, second),
    to: first + Math.max(0, textRange(memory, first).length - 1),
  }),
};
const allocates: Effect = {
  allocates: ({ first, result }) => (result === 0 ? [] : [byteRange(result, first)]),
};
const reallocates: Effect = {
  copies: ({ first, second, result }) =>
    result === 0 || result === first || first === 0 ? undefined : { ...byteRange(first, second), to: result },
};
const receivesBytes: Effect = { writes: ({ second, result }) => [byteRange(second, result)] };
const receivesLine: Effect = {
  writes: ({ first, second, result }) => (result === 0 ? [] : [byteRange(first, second)]),
};
const formats: Effect = {
  reads: (call) => textsFrom(call, 1),
  writes: ({ first, result }) => [byteRange(first, result + 1)],
};
const formatsLimited: Effect = {
  reads: (call) => textsFrom(call, 2),
  writes: ({ first, second, result }) => [byteRange(first, Math.min(second, result + 1))],
};

const namesIn = (names: string): readonly string[] => names.trim().split(/\s+/);
const forAll = (names: string, effect: Effect) => namesIn(names).map((name) => [name, effect] as const);

const effects: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ...forAll(
    `strlen atoi atol atof atoll strtol strtoul strtoll strtoull strtod strtof strchr strrchr strdup puts fputs
     perror getenv`,
    readsText,
  ),
  ...forAll('strcmp strcasecmp strstr strspn strcspn strpbrk strcoll', readsTexts),
  ...forAll('strncmp strncasecmp', readsLimitedTexts),
  ...forAll('memcmp bcmp', readsBytes),
  ['memchr', findsByte],
  ...forAll('memcpy memmove mempcpy', copiesBytes),
  ...forAll('strcpy stpcpy', copiesText),
  ['strncpy', copiesLimitedText],
  ['strcat', appendsText],
  ['memset', { fills: ({ first, second, third }) => ({ ...byteRange(first, third), byte: second & 0xff }) }],
  ['bzero', { fills: ({ first, second }) => ({ ...byteRange(first, second), byte: 0 }) }],
  ['calloc', { fills: ({ first, second, result }) => ({ ...byteRange(result, first * second), byte: 0 }) }],
  ...forAll('malloc _Znwm _Znam', allocates),
  ['realloc', reallocates],
  ...forAll(
    `free printf fprintf fflush fclose putchar putc fputc exit abort
     __errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc
     isalpha isdigit isspace isupper islower isalnum isblank iscntrl isgraph isprint ispunct isxdigit
     toupper tolower abs labs llabs`,
    {},
  ),
  ['fgets', receivesLine],
  ['sprintf', formats],
  ['snprintf', formatsLimited],
  ...forAll('read recv', receivesBytes),
  ['write', { reads: ({ second, third }) => [byteRange(second, third)] }],
  ['fwrite', { reads: ({ first, second, third }) => [byteRange(first, second * third)] }],
  ['fread', { writes: ({ first, second, result }) => [byteRange(first, second * result)] }],
]);

export interface MemoryEffect {
  readonly read: readonly WrittenBytes[];
  readonly copiedTo: number | undefined;
  /** By argument, the values of the bytes, if the function has constraints. */
  readonly texts: readonly (readonly number[])[] | undefined;
}

/** Applies a call to the memory, and returns its effect; undefined for an unknown function. */
export function applyLibraryCall(name: string, call: ReturnedCall, memory: Memory): MemoryEffect | undefined {
  const effect = effects.get(name);
  if (effect === undefined) return undefined;
  const { instance } = call;
  const [first = 0, second = 0, third = 0] = call.arguments;
  const values: CallValues = { ...call, first, second, third, memory };
  const copied = effect.copies?.(values);
  const read = effect.reads?.(values) ?? (copied === undefined ? [] : [copied]);
  const runs = memory.writersOfAll(read);
  const texts = hasConstraint(name) ? textValues(read, memory) : undefined;
  if (copied !== undefined) memory.copy(copied.to, copied.address, copied.length, instance);
  const filled = effect.fills?.(values);
  if (filled !== undefined && filled.address !== 0)
    for (let at = 0; at < filled.length; at++) memory.write(filled.address + at, filled.byte, instance);
  for (const { address, length } of effect.allocates?.(values) ?? [])
    memory.markFresh(address, length, instance);
  for (const { address, length } of effect.writes?.(values) ?? [])
    memory.markWritten(address, length, instance);
  return { read: runs, copiedTo: copied?.to, texts };
}

/** Undefined if a byte is unknown, or if there are too many. */
function textValues(
  ranges: readonly ByteRange[],
  memory: Memory,
): readonly (readonly number[])[] | undefined {
  if (ranges.reduce((sum, { length }) => sum + length, 0) > mostTextBytes) return undefined;
  const texts: number[][] = [];
  for (const { address, length } of ranges) {
    const text: number[] = [];
    for (let at = 0; at < length; at++) {
      const byte = memory.peek(address + at);
      if (byte === undefined) return undefined;
      text.push(byte);
    }
    texts.push(text);
  }
  return texts;
}

const outputFunctions = new Set(
  namesIn(`
    write puts printf fprintf vprintf vfprintf dprintf fwrite putchar putc fputc fputs perror
    _IO_putc putchar_unlocked putc_unlocked fputs_unlocked fwrite_unlocked
    __printf_chk __fprintf_chk __vfprintf_chk error err errx warn warnx
    exit _exit _Exit quick_exit abort __assert_fail __assert __assert_rtn`),
);

export function isOutput(name: string): boolean {
  return outputFunctions.has(name);
}
