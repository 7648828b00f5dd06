/** Rules that make literals shorter or simpler. */

import { addToList } from '../collections.js';
import { stringCodes, stringText } from '../literals.js';
import { isConstant, isNonzero } from '../occurrences/literal-terms.js';
import { replaceAt } from '../occurrences/replace-at.js';
import { constraintAt } from '../occurrences/scope.js';
import type { Occurrence, TermNode } from '../occurrences/term-node.js';
import { apply, type Constant, identifier, index, type Term } from '../tree.js';
import type { ScriptRule, TermRule } from './rule.js';
import { literalWeight, plainLetter } from './weight.js';

export const shortenLiteral: TermRule = {
  summary: 'shortens or simplifies a literal',
  terms: (_, { node }) => lighterLiterals(node, shorterTexts),
};

/** A separate, late rule: a literal that needs different letters should become short first. */
export const unifyLetters: TermRule = {
  summary: 'makes all letters of a literal equal',
  terms: (_, { node }) => lighterLiterals(node, unifiedTexts),
};

function unifiedTexts({ kind, text }: Constant): readonly string[] {
  return kind === 'string' ? [stringText(stringCodes(text).map(() => plainLetter))] : [];
}

function lighterLiterals(node: TermNode, textsOf: (literal: Constant) => readonly string[]): readonly Term[] {
  const { term } = node;
  if (!isConstant(term)) return [];
  const constraint = constraintAt(node);
  if (constraint === 'itself') return [];
  const own = literalWeight(term);
  return [...new Set(textsOf(term))]
    .filter((text) => text !== '' || term.kind === 'string')
    .filter((text) => constraint !== 'nonzero' || /[1-9]/.test(text))
    .map((text): Constant => ({ kind: term.kind, text }))
    .filter((shorter) => literalWeight(shorter) < own);
}

function shorterTexts({ kind, text }: Constant): readonly string[] {
  switch (kind) {
    case 'string':
      return shorterStrings(text);
    case 'numeral':
      return [
        ...['0', '1', ...[1, 2, Math.ceil(text.length / 2), -1].map((end) => text.slice(0, end))],
        String(BigInt(text) / 2n),
        // The largest number with one digit less.
        '9'.repeat(text.length - 1),
      ];
    case 'decimal': {
      const [whole = '', places = ''] = text.split('.');
      return [
        '0.0',
        '1.0',
        `${whole}.0`,
        `${whole}.${places.slice(0, -1)}`,
        `${whole.slice(0, -1)}.0`,
      ].filter((shorter) => /^\d+\.\d+$/.test(shorter));
    }
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
  return [...parts, ...withoutMiddle(codes)].map((part) => stringText(part));
}

/** Only in short strings; longer ones lose their ends first. */
const maxInnerDeletion = 16;

function withoutMiddle(codes: readonly number[]): readonly (readonly number[])[] {
  if (codes.length > maxInnerDeletion) return [];
  return codes.slice(1, -1).map((_, at) => codes.toSpliced(at + 1, 1));
}

/** Literals with more occurrences are not changed together, because replacing each one takes long. */
const maxOccurrences = 200;

export const shortenLiteralsTogether: ScriptRule = {
  summary: 'shortens or simplifies all occurrences of a literal',
  *scripts(occurrences) {
    const found = new Map<string, Occurrence[]>();
    for (const command of occurrences.changeable) {
      for (const node of occurrences.commands[command]?.nodes ?? []) {
        if (!isConstant(node.term) || node.isPinned) continue;
        addToList(found, `${node.term.kind} ${node.term.text}`, { command, node });
      }
    }
    for (const same of found.values()) {
      const [first] = same;
      if (first === undefined || same.length < 2 || same.length > maxOccurrences) continue;
      const shorter = [
        ...lighterLiterals(first.node, shorterTexts),
        ...lighterLiterals(first.node, unifiedTexts),
      ];
      for (const literal of shorter) {
        if (same.some(({ node }) => !isAllowed(node, literal))) continue;
        yield () =>
          same.reduce((script, occurrence) => replaceAt(script, occurrence, literal), occurrences.script);
      }
    }
  },
};

/** Returns true if the context allows this literal. */
function isAllowed(node: TermNode, literal: Term): boolean {
  const constraint = constraintAt(node);
  return constraint !== 'itself' && (constraint !== 'nonzero' || isNonzero(literal));
}

const repetitionOperators: ReadonlySet<string> = new Set(['re.loop', 're.^']);

export const reduceRepetitions: TermRule = {
  summary: 'reduces the repetitions of a regular expression',
  terms(_, { node: { term } }) {
    if (term.kind !== 'apply' || !repetitionOperators.has(term.fn.symbol)) return [];
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

export const repeatWithoutCount: TermRule = {
  summary: 'replaces a counted repetition by an unlimited one',
  terms(_, { node: { term } }) {
    if (term.kind !== 'apply' || !repetitionOperators.has(term.fn.symbol)) return [];
    // `re.+` is not smaller than zero repetitions.
    const isNever = term.fn.indices.every((bound) => bound.kind === 'numeral' && bound.text === '0');
    return (isNever ? ['re.*'] : ['re.*', 're.+']).map((plain) => apply(identifier(plain), ...term.args));
  },
};

function repetitionWeight(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + literalWeight(index(count)), 0);
}
