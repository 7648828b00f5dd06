/** Literals one step away: numbers plus and minus one, strings emptied (SMTLOC, Table 1). */

import { bitVector, decimal } from '../generating/literal-source.js';
import { isConstant } from '../occurrences/literal-terms.js';
import { apply, type Constant, integer, name, type Term } from '../tree.js';

const maxWidth = 4096;

export function neighbourConstants(term: Term): readonly Term[] {
  if (isConstant(term)) return neighboursOf(term);
  if (term.kind === 'name') return namedNeighbours(term.id.symbol, term.id.indices[0]);
  if (term.kind !== 'apply') return [];
  const [first, ...others] = term.args;
  if (term.fn.symbol === '-' && others.length === 0) {
    if (first?.kind === 'numeral') return around(-BigInt(first.text)).map(integer);
    return first?.kind === 'decimal' ? aroundDecimal(first.text, true) : [];
  }
  // The last part of a float is the least significant.
  const last = term.args.at(-1);
  if (term.fn.symbol === 'fp' && last !== undefined && isConstant(last))
    return neighboursOf(last).map((next) => apply(term.fn, ...term.args.slice(0, -1), next));
  return [];
}

function around(value: bigint): readonly bigint[] {
  return [value + 1n, value - 1n];
}

function neighboursOf(constant: Constant): readonly Term[] {
  switch (constant.kind) {
    case 'numeral':
      return around(BigInt(constant.text)).map(integer);
    case 'decimal':
      return aroundDecimal(constant.text, false);
    case 'string':
      return constant.text === '' ? [] : [{ kind: 'string', text: '' }];
    case 'binary':
      return aroundBits(BigInt(`0b${constant.text.slice(2)}`), constant.text.length - 2);
    case 'hexadecimal':
      return aroundBits(BigInt(`0x${constant.text.slice(2)}`), 4 * (constant.text.length - 2));
    case 'rational':
    case 'field':
      return [];
  }
}

function aroundDecimal(text: string, isNegative: boolean): readonly Term[] {
  const [whole = '0', digits = '0'] = text.split('.');
  const unit = 10n ** BigInt(digits.length);
  const value = BigInt(whole + digits) * (isNegative ? -1n : 1n);
  return [value + unit, value - unit].map((next) => decimal(next, digits.length));
}

function aroundBits(value: bigint, width: number): readonly Term[] {
  if (!(width >= 1 && width <= maxWidth)) return [];
  const found = around(value).map((next) => BigInt.asUintN(width, next).toString(2).padStart(width, '0'));
  return [...new Set(found)].map(bitVector);
}

function namedNeighbours(
  symbol: string,
  index: { readonly kind: string; readonly text?: string } | undefined,
): readonly Term[] {
  if (symbol === 'true') return [name('false')];
  if (symbol === 'false') return [name('true')];
  const isNumbered = /^bv\d+$/.test(symbol) && symbol.length <= maxWidth;
  return isNumbered && index?.kind === 'numeral'
    ? aroundBits(BigInt(symbol.slice(2)), Number(index.text))
    : [];
}
