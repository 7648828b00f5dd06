/**
 * Constraints on the results of C library functions, given their arguments and the bytes they read. Calls of other
 * functions are fixed to the values of the run.
 */

import { literal } from './bits.js';

export interface CallTerms {
  readonly result: string;
  readonly bits: number;
  argument(at: number, bits: number): string;
  /** The value of an argument in the run. A constraint that holds only for this value must say so in its term. */
  observed(at: number): bigint;
  /** The texts it read, byte by byte. */
  readonly texts: readonly (readonly Byte[])[];
}

export interface Byte {
  readonly term: string;
  readonly value: number;
}

/** A formula that holds for every call; undefined if this call has none. */
type Constraint = (call: CallTerms) => string | undefined;

/** Longer texts make formulas that take too long to solve. */
export const mostTextBytes = 256;

const isByte = ({ term }: Byte, value: number): string => `(= ${term} ${literal(BigInt(value), 8)})`;
const isResult = ({ result, bits }: CallTerms, value: bigint): string =>
  `(= ${result} ${literal(value, bits)})`;
const isNegative = ({ result, bits }: CallTerms): string => `(bvslt ${result} ${literal(0n, bits)})`;
const isPositive = ({ result, bits }: CallTerms): string => `(bvsgt ${result} ${literal(0n, bits)})`;
const isNotNull = (call: CallTerms): string => `(not ${isResult(call, 0n)})`;
const isAt = ({ result, argument }: CallTerms, offset: number): string =>
  `(= ${result} (bvadd ${argument(0, 64)} ${literal(BigInt(offset), 64)}))`;
const conjunction = (facts: readonly string[]): string =>
  facts.length === 0 ? 'true' : facts.length === 1 ? (facts[0] ?? '') : `(and ${facts.join(' ')})`;

/** Nested if-then-else: the fact of the first test that holds. */
function firstThatHolds(
  cases: readonly (readonly [test: string, fact: string])[],
  otherwise: string,
): string {
  return cases.reduceRight((rest, [test, fact]) => `(ite ${test} ${fact} ${rest})`, otherwise);
}

const textLength: Constraint = (call) =>
  firstThatHolds(
    (call.texts[0] ?? []).map((byte, at) => [isByte(byte, 0), isResult(call, BigInt(at))]),
    'true',
  );

const limit = 2;

const endsBefore = (call: CallTerms, at: number): string =>
  `(= ${call.argument(limit, 64)} ${literal(BigInt(at), 64)})`;

/**
 * Compares bytes up to the first difference.
 *
 * @param endsAtZero texts end at a zero byte
 * @param isLimited an argument limits the number of bytes
 * @param differ the fact if the texts differ
 */
function compareTexts(
  endsAtZero: boolean,
  isLimited: boolean,
  differ: (call: CallTerms, less: string) => string = (call, less) =>
    `(ite ${less} ${isNegative(call)} ${isPositive(call)})`,
): Constraint {
  return (call) => {
    const [left = [], right = []] = call.texts;
    const length = Math.min(left.length, right.length);
    const equalBefore = (at: number): readonly (readonly [string, string])[] =>
      isLimited ? [[endsBefore(call, at), isResult(call, 0n)]] : [];
    const cases = left.slice(0, length).flatMap((byte, at) => {
      const { term } = right[at] ?? byte;
      const less = differ(call, `(bvult ${byte.term} ${term})`);
      const ends = [[isByte(byte, 0), isResult(call, 0n)] as const];
      return [
        ...equalBefore(at),
        [`(distinct ${byte.term} ${term})`, less] as const,
        ...(endsAtZero ? ends : []),
      ];
    });
    // An unfinished text gives no constraint.
    return firstThatHolds([...cases, ...equalBefore(length)], 'true');
  };
}

const isSought = (call: CallTerms, { term }: Byte): string => `(= ${term} ${call.argument(1, 8)})`;

const firstInText: Constraint = (call) =>
  firstThatHolds(
    (call.texts[0] ?? []).flatMap((byte, at) => [
      [isSought(call, byte), isAt(call, at)],
      [isByte(byte, 0), isResult(call, 0n)],
    ]),
    'true',
  );

const firstInBytes: Constraint = (call) => {
  const [bytes = []] = call.texts;
  const endsAt = (at: number) => [endsBefore(call, at), isResult(call, 0n)] as const;
  return firstThatHolds(
    [
      ...bytes.flatMap((byte, at) => [endsAt(at), [isSought(call, byte), isAt(call, at)] as const]),
      endsAt(bytes.length),
    ],
    'true',
  );
};

const lastInText: Constraint = (call) => {
  const [text = []] = call.texts;
  const shape = text.map((byte, at) =>
    at === text.length - 1 ? isByte(byte, 0) : `(not ${isByte(byte, 0)})`,
  );
  const cases = text.map((byte, at) => [isSought(call, byte), isAt(call, at)] as const).toReversed();
  return `(=> ${conjunction(shape)} ${firstThatHolds(cases, isResult(call, 0n))})`;
};

type Range = readonly [first: number, last: number];

function inRanges(term: string, bits: number, ranges: readonly Range[]): string {
  const within = ranges.map(
    ([first, last]) =>
      `(and (bvuge ${term} ${literal(BigInt(first), bits)}) (bvule ${term} ${literal(BigInt(last), bits)}))`,
  );
  return within.length === 1 ? (within[0] ?? '') : `(or ${within.join(' ')})`;
}

const upper: Range = [0x41, 0x5a];
const lower: Range = [0x61, 0x7a];
const digits: Range = [0x30, 0x39];

/** The locale decides on characters other than ASCII. */
const ifAscii = (letter: string, fact: string): string =>
  `(=> (bvult ${letter} ${literal(128n, 32)}) ${fact})`;

function inClass(ranges: readonly Range[]): Constraint {
  return (call) => {
    const letter = call.argument(0, 32);
    return ifAscii(letter, `(= ${isNotNull(call)} ${inRanges(letter, 32, ranges)})`);
  };
}

function changeCase(from: Range, by: number): Constraint {
  return (call) => {
    const letter = call.argument(0, 32);
    const other = `(bvadd ${letter} ${literal(BigInt(by), 32)})`;
    const changed = `(ite ${inRanges(letter, 32, [from])} ${other} ${letter})`;
    return ifAscii(letter, `(= ${call.result} ${changed})`);
  };
}

const absoluteValue: Constraint = (call) => {
  const { result, bits } = call;
  const operand = call.argument(0, bits);
  return `(= ${result} (ite (bvslt ${operand} ${literal(0n, bits)}) (bvneg ${operand}) ${operand}))`;
};

/** Numbers with this many digits certainly fit into 64 bits. */
const mostDigits = 18;
const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0b, 0x0c, 0x0d]);
const [plus, minus] = [0x2b, 0x2d];
const [zero, nine] = digits;
const isDigit = (value: number): boolean => value >= zero && value <= nine;

/** The value of the digits, provided that digits are digits as in the run and the text before them is the same. */
const decimalNumber: Constraint = (call) => {
  const [text = []] = call.texts;
  let at = 0;
  while (whiteSpace.has(text[at]?.value ?? 0)) at++;
  const sign = text[at]?.value;
  if (sign === plus || sign === minus) at++;
  const from = at;
  while (isDigit(text[at]?.value ?? 0)) at++;
  const digitBytes = text.slice(from, at);
  const end = text[at];
  if (end === undefined || digitBytes.length === 0 || digitBytes.length > mostDigits) return undefined;
  const shape = [
    ...text.slice(0, from).map((byte) => isByte(byte, byte.value)),
    ...digitBytes.map(({ term }) => inRanges(term, 8, [digits])),
    `(not ${inRanges(end.term, 8, [digits])})`,
  ];
  const values = digitBytes.map(({ term }, place) => {
    const digit = `((_ zero_extend 56) (bvsub ${term} ${literal(BigInt(zero), 8)}))`;
    return `(bvmul ${digit} ${literal(10n ** BigInt(digitBytes.length - 1 - place), 64)})`;
  });
  const sum = values.length === 1 ? (values[0] ?? '') : `(bvadd ${values.join(' ')})`;
  const whole = sign === minus ? `(bvneg ${sum})` : sum;
  const cut = call.bits === 64 ? whole : `((_ extract ${call.bits - 1} 0) ${whole})`;
  return `(=> ${conjunction(shape)} (= ${call.result} ${cut}))`;
};

/** For base ten only. A base of zero, which the text determines, gives no constraint. */
const numberInBaseTen: Constraint = (call) => {
  const holds = call.observed(2) === 10n ? decimalNumber(call) : undefined;
  return holds && `(=> (= ${call.argument(2, 32)} ${literal(10n, 32)}) ${holds})`;
};

/** Names, with the first and the last character of each range in hexadecimal. */
const characterClasses = `
  isalpha 41-5a 61-7a
  isalnum 41-5a 61-7a 30-39
  isdigit 30-39
  isupper 41-5a
  islower 61-7a
  isspace 09-0d 20-20
  isblank 09-09 20-20
  iscntrl 00-1f 7f-7f
  isgraph 21-7e
  isprint 20-7e
  ispunct 21-2f 3a-40 5b-60 7b-7e
  isxdigit 30-39 41-46 61-66`
  .trim()
  .split('\n')
  .map((row): [string, Constraint] => {
    const [name = '', ...ranges] = row.trim().split(' ');
    return [name, inClass(ranges.map((range) => [parseInt(range, 16), parseInt(range.slice(3), 16)]))];
  });

const constraints: ReadonlyMap<string, Constraint> = new Map<string, Constraint>([
  ['strlen', textLength],
  ['strcmp', compareTexts(true, false)],
  ['strncmp', compareTexts(true, true)],
  ['memcmp', compareTexts(false, true)],
  ['bcmp', compareTexts(false, true, isNotNull)],
  ['strchr', firstInText],
  ['strrchr', lastInText],
  ['memchr', firstInBytes],
  ...['atoi', 'atol', 'atoll'].map((name) => [name, decimalNumber] as const),
  ...['strtol', 'strtoll', 'strtoul', 'strtoull'].map((name) => [name, numberInBaseTen] as const),
  ...['abs', 'labs', 'llabs'].map((name) => [name, absoluteValue] as const),
  ['toupper', changeCase(lower, -0x20)],
  ['tolower', changeCase(upper, 0x20)],
  ...characterClasses,
]);

export function hasConstraint(name: string): boolean {
  return constraints.has(name);
}

/** The constraint on a call; undefined if only the values of the run are known. */
export function libraryConstraint(name: string, call: CallTerms): string | undefined {
  return constraints.get(name)?.(call);
}
