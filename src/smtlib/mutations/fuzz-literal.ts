import type { Random } from '../../machine/index.js';
import { itemAt } from '../collections.js';
import { bitVector, characterRange, decimal, randomText } from '../generating/literal-source.js';
import { stringCodes, stringText } from '../literals.js';
import { isConstant, isLiteral } from '../occurrences/literal-terms.js';
import { occurrencesIn } from '../occurrences/occurrences.js';
import { replaceAt } from '../occurrences/replace-at.js';
import { constraintAt } from '../occurrences/scope.js';
import type { TermNode } from '../occurrences/term-node.js';
import { type Application, apply, type Constant, integer, name, type Term } from '../tree.js';
import { chooseOccurrence } from './choose.js';
import type { Rule } from './rule.js';

/** The string mutations of StringFuzz and MulStringFuzz, on character codes. */
const stringEdits: readonly ((codes: readonly number[], at: number, fresh: number) => readonly number[])[] = [
  (codes, at, fresh) => codes.toSpliced(at, 0, fresh),
  (codes, at) => codes.toSpliced(at, 1),
  (codes, at, fresh) => codes.toSpliced(at, 1, fresh),
  (codes, at) => codes.toSpliced(at, 0, ...codes.slice(at, at + 1)),
  (codes) => [...codes, ...codes],
  (codes, at) => codes.slice(0, at),
];

/** Limit on doubling, so that chains of mutations do not grow literals without bound. */
const maxStringLength = 1000;

function fuzzString(text: string, random: Random): Term {
  const codes = stringCodes(text);
  const fresh = randomText(random, 1).charCodeAt(0);
  const at = random.below(Math.max(1, codes.length));
  const edited = codes.length === 0 ? [fresh] : random.pick(stringEdits)(codes, at, fresh);
  return {
    kind: 'string',
    text: stringText(edited.length > maxStringLength ? codes.toSpliced(at, 1) : edited),
  };
}

const integerEdits: readonly ((value: bigint) => bigint)[] = [
  (value) => value + 1n,
  (value) => value - 1n,
  (value) => -value,
  (value) => value * 2n,
  (value) => value / 2n,
  () => 0n,
  () => 2n ** 31n - 1n,
  () => -(2n ** 31n),
  () => 2n ** 63n,
];

const maxDigits = 1000;

function edited(value: bigint, random: Random): bigint {
  return random.pick(integerEdits)(value);
}

function fuzzInteger(value: bigint, random: Random, avoidsZero: boolean): Term {
  const next = String(value).length > maxDigits ? value / 2n : edited(value, random);
  return integer(avoidsZero && next === 0n ? 1n : next);
}

function fuzzDecimal(text: string, isNegative: boolean, random: Random, avoidsZero: boolean): Term {
  const [whole = '0', rest = ''] = text.split('.');
  const digits = rest === '' ? '0' : rest;
  // Changes the value by one or by one unit of its last digit.
  const unit = random.chance(0.5) ? 10n ** BigInt(digits.length) : 1n;
  const value = BigInt(whole + digits) * (isNegative ? -1n : 1n);
  let next = text.length > maxDigits ? value / 2n : edited(value / unit, random) * unit + (value % unit);
  if (avoidsZero && next === 0n) next = 1n;
  return decimal(next, digits.length);
}

const bitEdits: readonly ((bits: string, at: number) => string)[] = [
  (bits, at) => bits.slice(0, at) + (bits[at] === '0' ? '1' : '0') + bits.slice(at + 1),
  (bits) => '0'.repeat(bits.length),
  (bits) => '1'.repeat(bits.length),
  (bits) => `${bits.slice(1)}${bits.slice(0, 1)}`,
  (bits) => bits.replace(/./g, (bit) => (bit === '0' ? '1' : '0')),
];

function fuzzBits(bits: string, random: Random): string {
  // Flipping one bit is the smallest change, so it is the most frequent.
  const edit = random.chance(0.5) ? bitEdits[0] : random.pick(bitEdits);
  return edit?.(bits, random.below(bits.length)) ?? bits;
}

function bitsOf(constant: Constant): string {
  const digits = constant.text.slice(2);
  return constant.kind === 'binary'
    ? digits
    : [...digits].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('');
}

const maxWidth = 4096;

function fuzzNumbered(symbol: string, width: number, random: Random): Term | undefined {
  if (!(width >= 1 && width <= maxWidth) || symbol.length > 2 * maxWidth) return undefined;
  const bits = BigInt.asUintN(width, BigInt(symbol.slice(2)))
    .toString(2)
    .padStart(width, '0');
  return bitVector(fuzzBits(bits, random));
}

const namedLiterals: ReadonlyMap<string, readonly string[]> = new Map([
  ['true', ['false']],
  ['false', ['true']],
  ['re.none', ['re.all', 're.allchar']],
  ['re.all', ['re.none', 're.allchar']],
  ['re.allchar', ['re.none', 're.all']],
]);

function fuzzConstant(constant: Constant, random: Random, avoidsZero: boolean): Term {
  switch (constant.kind) {
    case 'string':
      return fuzzString(constant.text, random);
    case 'numeral':
      return fuzzInteger(BigInt(constant.text), random, avoidsZero);
    case 'decimal':
      return fuzzDecimal(constant.text, false, random, avoidsZero);
    case 'binary':
      return { kind: 'binary', text: `#b${fuzzBits(bitsOf(constant), random)}` };
    case 'hexadecimal':
      return bitVector(fuzzBits(bitsOf(constant), random));
    case 'rational':
    case 'field':
      return constant;
  }
}

function fuzzApplication({ fn, args }: Application, random: Random, avoidsZero: boolean): Term | undefined {
  const [first] = args;
  switch (fn.symbol) {
    case 're.range':
      return characterRange(random);
    case 'fp': {
      const at = random.below(args.length);
      const part = itemAt(args, at);
      return isConstant(part) ? apply(fn, ...args.with(at, fuzzConstant(part, random, false))) : undefined;
    }
    case '-':
      if (first?.kind === 'numeral') return fuzzInteger(-BigInt(first.text), random, avoidsZero);
      return first?.kind === 'decimal' ? fuzzDecimal(first.text, true, random, avoidsZero) : undefined;
    default:
      return undefined;
  }
}

function fuzzed({ term }: TermNode, random: Random, avoidsZero: boolean): Term | undefined {
  if (isConstant(term)) return fuzzConstant(term, random, avoidsZero);
  if (term.kind === 'apply') return fuzzApplication(term, random, avoidsZero);
  if (term.kind !== 'name') return undefined;
  const { symbol, indices } = term.id;
  const others = namedLiterals.get(symbol);
  if (others !== undefined) return name(random.pick(others));
  const [width] = indices;
  return width?.kind === 'numeral' ? fuzzNumbered(symbol, Number(width.text), random) : undefined;
}

/** MulStringFuzz's "fuzz numbers and characters" (section III.E), for literals of all sorts. */
export const fuzzLiteral: Rule = {
  summary: 'changes a literal slightly, or to a boundary value of its sort',
  apply(script, random) {
    const occurrences = occurrencesIn(script);
    if (occurrences === undefined) return undefined;
    const occurrence = chooseOccurrence(
      occurrences,
      random,
      ({ node }) =>
        isLiteral(node.term) &&
        !(node.parent !== undefined && isLiteral(node.parent.term)) &&
        constraintAt(node) !== 'itself',
    );
    if (occurrence === undefined) return undefined;
    const term = fuzzed(occurrence.node, random, constraintAt(occurrence.node) === 'nonzero');
    return term === undefined ? undefined : replaceAt(script, occurrence, term);
  },
};
