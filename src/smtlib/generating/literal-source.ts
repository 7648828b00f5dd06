import type { Random } from '../../machine/index.js';
import { apply, type Constant, integer, name, type Sort, type Term } from '../tree.js';
import type { ArgumentKind } from './vocabulary.js';

/**
 * - `random`: StringFuzz's style: strings of exactly the given length over all printable characters, integers up to
 *   that length, random bits.
 * - `meaningful`: substrings of one word, so that literals contain, extend and overlap each other, and small or
 *   boundary numbers, so that assertions interact.
 */
export type LiteralStyle = 'random' | 'meaningful';

/** Printable characters that need no escape in any dialect. */
const alphabet = [...Array(95).keys()]
  .map((i) => String.fromCharCode(0x20 + i))
  .filter((character) => character !== '"' && character !== '\\');

/** All pairs of characters, which halves the number of random draws. */
const pairs = alphabet.flatMap((first) => alphabet.map((second) => first + second));

const numerals: readonly Constant[] = [...Array(1024).keys()].map((i) => ({
  kind: 'numeral',
  text: String(i),
}));

const boundaries: readonly Term[] = [
  ...[1, 2, 3, 4, 5, 7, 8, 9, 10, 16, 99, 100, 127, 128, 255, 256, 1000, 65535, 65536],
  ...[2 ** 31 - 1, 2 ** 31, 2 ** 32, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n],
  ...[-1, -2, -3, -10, -128, -(2 ** 31), -(2n ** 63n)],
].map((value) => integer(value));

const fractions: readonly Term[] = [
  ...'1.0 2.0 3.0 0.5 0.25 0.1 1.5 10.0 100.0 0.001 1000000.0 4294967296.0'
    .split(' ')
    .map((text): Term => ({ kind: 'decimal', text })),
  ...['1.0', '2.0', '0.5', '1000.0'].map((text): Term => apply('-', { kind: 'decimal', text })),
];

const zero: Term = { kind: 'numeral', text: '0' };
const zeroReal: Term = { kind: 'decimal', text: '0.0' };
const booleans = [name('true'), name('false')];
const roundings = ['RNE', 'RNA', 'RTP', 'RTN', 'RTZ'].map(name);
const namedLanguages = [name('re.allchar'), name('re.all'), name('re.none')];

export class LiteralSource {
  private words: readonly string[] | undefined;

  constructor(
    private readonly random: Random,
    private readonly style: LiteralStyle,
    private readonly length: number,
  ) {}

  text(): string {
    if (this.style === 'meaningful') {
      this.words ??= overlappingWords(this.random, this.length);
      return this.random.pick(this.words);
    }
    return randomText(this.random, this.length);
  }

  string(): Constant {
    return { kind: 'string', text: this.text() };
  }

  integer(kind: ArgumentKind): Term {
    const { random, length } = this;
    if (this.style === 'meaningful') {
      if (kind !== 'nonzero' && random.chance(0.2)) return zero;
      return random.pick(boundaries);
    }
    const value = kind === 'nonzero' ? random.between(1, Math.max(1, length)) : random.below(length + 1);
    return numerals[value] ?? { kind: 'numeral', text: String(value) };
  }

  real(kind: ArgumentKind): Term {
    const { random, length } = this;
    if (this.style === 'meaningful') {
      if (kind !== 'nonzero' && random.chance(0.2)) return zeroReal;
      return random.pick(fractions);
    }
    const whole = random.below(length + 1);
    const rest = random.between(kind === 'nonzero' ? 1 : 0, 9);
    return { kind: 'decimal', text: `${whole}.${rest}` };
  }

  bits(width: number): string {
    const { random } = this;
    if (this.style === 'meaningful') return random.pick(boundaryBits)(width);
    let text = '';
    while (text.length < width) text += random.bits().toString(2).padStart(32, '0');
    return text.slice(0, width);
  }

  language(): Term {
    const { random } = this;
    const which = random.below(8);
    if (which < 5) return apply('str.to_re', this.string());
    return which < 7 ? random.pick(namedLanguages) : characterRange(random);
  }

  boolean(): Term {
    return this.random.pick(booleans);
  }

  rounding(): Term {
    return this.random.pick(roundings);
  }
}

export function randomText(random: Random, length: number): string {
  let text = length % 2 === 1 ? random.pick(alphabet) : '';
  while (text.length < length) text += random.pick(pairs);
  return text;
}

/** CVC4 rejects ranges such as `(re.range "z" "a")` and ends that are not one character. */
export function characterRange(random: Random): Term {
  const ends = [random.between(0x30, 0x7a), random.between(0x30, 0x7a)].sort((a, b) => a - b);
  const character = (code: number): Constant => ({
    kind: 'string',
    // A backslash would need an escape; its neighbour serves as well.
    text: String.fromCharCode(code === 0x5c ? 0x5b : code),
  });
  return apply('re.range', ...ends.map(character));
}

/** Substrings of a random word over few letters and digits, including the empty string. */
function overlappingWords(random: Random, length: number): readonly string[] {
  const longest = Math.max(1, Math.min(length, 6));
  const letters = random.sample([...'abc012'], 3);
  let whole = '';
  while (whole.length < 2 * longest) whole += random.pick(letters);
  const words = [''];
  for (let i = 0; i < 9; i++) {
    const start = random.below(whole.length);
    words.push(whole.slice(start, start + random.between(1, longest)));
  }
  return words;
}

const boundaryBits: readonly ((width: number) => string)[] = [
  (width) => '0'.repeat(width),
  (width) => '1'.repeat(width),
  (width) => '1'.padStart(width, '0'),
  (width) => '1'.padEnd(width, '0'),
  (width) => '0'.padEnd(width, '1'),
  (width) => '01'.repeat(width).slice(0, width),
  (width) => '10'.repeat(width).slice(0, width),
  (width) => '1'.repeat(Math.ceil(width / 2)).padStart(width, '0'),
];

export type LiteralMaker = (source: LiteralSource, kind: ArgumentKind) => Term;

/** Undefined for sorts without literals that every solver reads. */
export function literalMaker(sort: Sort): LiteralMaker | undefined {
  return makers.get(sort.symbol)?.(sort);
}

const makers: ReadonlyMap<string, (sort: Sort) => LiteralMaker | undefined> = new Map<
  string,
  (sort: Sort) => LiteralMaker | undefined
>([
  ['Bool', () => (source) => source.boolean()],
  ['Int', () => (source, kind) => source.integer(kind)],
  ['Real', () => (source, kind) => source.real(kind)],
  ['String', () => (source) => source.string()],
  ['RegLan', () => (source) => source.language()],
  ['RoundingMode', () => (source) => source.rounding()],
  ['BitVec', (sort) => bitVectorMaker(widths(sort)[0])],
  ['FloatingPoint', (sort) => floatMaker(...widths(sort))],
]);

/** Limit in bits; wider literals make formulas too long. */
const maxLiteralWidth = 4096;

function widths(sort: Sort): readonly number[] {
  return sort.indices.map((index) => (index.kind === 'numeral' ? Number(index.text) : Number.NaN));
}

function bitVectorMaker(width = Number.NaN): LiteralMaker | undefined {
  if (!(width >= 1 && width <= maxLiteralWidth)) return undefined;
  return (source) => bitVector(source.bits(width));
}

function floatMaker(exponent = Number.NaN, significand = Number.NaN): LiteralMaker | undefined {
  if (!(exponent >= 1 && significand >= 2 && exponent + significand <= maxLiteralWidth)) return undefined;
  const parts = [1, exponent, significand - 1];
  return (source) => apply('fp', ...parts.map((width): Term => binary(source.bits(width))));
}

const binary = (bits: string): Constant => ({ kind: 'binary', text: `#b${bits}` });

/** A decimal with this many digits after the point, from its value in units of the last digit. */
export function decimal(value: bigint, places: number): Term {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return value < 0n ? apply('-', { kind: 'decimal', text }) : { kind: 'decimal', text };
}

/** A hexadecimal literal if the width is a multiple of four, else a binary one. */
export function bitVector(bits: string): Constant {
  if (bits.length % 4 !== 0) return binary(bits);
  let text = '#x';
  for (let i = 0; i < bits.length; i += 4) text += Number.parseInt(bits.slice(i, i + 4), 2).toString(16);
  return { kind: 'hexadecimal', text };
}
