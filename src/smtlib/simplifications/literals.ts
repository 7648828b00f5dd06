/** Literals made shorter and plainer. */

import { stringCodes, stringText } from '../literals.js';
import { isConstant } from '../occurrences/literal-terms.js';
import { askedAt } from '../occurrences/scope.js';
import type { TermNode } from '../occurrences/term-node.js';
import { type Constant, identifier, index, type Term } from '../tree.js';
import type { TermRule } from './rule.js';
import { literalWeight, plainLetter } from './weight.js';

export const shortenLiteral: TermRule = {
  says: 'a literal becomes shorter or plainer',
  terms: (_, { node }) => lighterLiterals(node, shorterTexts),
};

/** Apart from the others and late: what only many different letters show has to be made short before. */
export const unifyLetters: TermRule = {
  says: 'all letters of a literal become the same',
  terms: (_, { node }) =>
    lighterLiterals(node, ({ kind, text }) =>
      kind === 'string' ? [stringText(stringCodes(text).map(() => plainLetter))] : [],
    ),
};

function lighterLiterals(node: TermNode, textsOf: (literal: Constant) => readonly string[]): readonly Term[] {
  const { term } = node;
  if (!isConstant(term)) return [];
  const asked = askedAt(node);
  if (asked === 'itself') return [];
  const own = literalWeight(term);
  return [...new Set(textsOf(term))]
    .filter((text) => text !== '' || term.kind === 'string')
    .filter((text) => asked !== 'nonzero' || /[1-9]/.test(text))
    .map((text): Constant => ({ kind: term.kind, text }))
    .filter((shorter) => literalWeight(shorter) < own);
}

function shorterTexts({ kind, text }: Constant): readonly string[] {
  switch (kind) {
    case 'string':
      return shorterStrings(text);
    case 'numeral':
      return ['0', '1', ...[1, 2, Math.ceil(text.length / 2), -1].map((end) => text.slice(0, end))];
    case 'decimal':
      return ['0.0', '1.0'];
    case 'rational':
    case 'field':
      return [];
    case 'hexadecimal':
    case 'binary': {
      const [prefix, digits] = [text.slice(0, 2), text.slice(2)];
      return [`${prefix}${'0'.repeat(digits.length)}`, `${prefix}${'1'.padStart(digits.length, '0')}`];
    }
  }
}

function shorterStrings(text: string): readonly string[] {
  const codes = stringCodes(text);
  const half = Math.ceil(codes.length / 2);
  const parts = [[], codes.slice(0, half), codes.slice(half), codes.slice(1), codes.slice(0, -1)];
  return parts.map((part) => stringText(part));
}

/** Operators whose indices count repetitions. */
const repeating: ReadonlySet<string> = new Set(['re.loop', 're.^']);

export const reduceRepetitions: TermRule = {
  says: 'a regular expression repeats fewer times',
  terms(_, { node: { term } }) {
    if (term.kind !== 'apply' || !repeating.has(term.fn.symbol)) return [];
    const counts = term.fn.indices.map((bound) =>
      bound.kind === 'numeral' ? Number(bound.text) : Number.NaN,
    );
    if (counts.length === 0 || !counts.every(Number.isSafeInteger)) return [];
    const own = repetitionWeight(counts);
    return counts
      .flatMap((count, at) => [0, 1, Math.floor(count / 2)].map((less) => counts.with(at, less)))
      .filter(([low = 0, high = low]) => low <= high)
      .filter((less) => repetitionWeight(less) < own)
      .map(
        (less): Term => ({
          ...term,
          fn: identifier(
            term.fn.symbol,
            less.map((count) => index(count)),
            term.fn.sort,
          ),
        }),
      );
  },
};

function repetitionWeight(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + literalWeight(index(count)), 0);
}
