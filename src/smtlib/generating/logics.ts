/** The logics of generated formulas: sorts of variables, and operators. */

import { indexedSort, type Sort, sort } from '../tree.js';
import { type OperatorUse, type Section, sections } from './vocabulary.js';

export interface Logic {
  readonly variables: readonly Sort[];
  /** Other sorts of terms; solvers do not accept variables of these. */
  readonly others: readonly Sort[];
  readonly uses: readonly OperatorUse[];
}

const bool = sort('Bool');
const int = sort('Int');
const real = sort('Real');
const text = sort('String');
const bits = (width: number): Sort => indexedSort('BitVec', width);
const array = (index: Sort, element: Sort): Sort => sort('Array', [index, element]);

export function usesIn(names: readonly Section[]): readonly OperatorUse[] {
  return names.flatMap((part): readonly OperatorUse[] => sections[part]);
}

function logic(variables: readonly Sort[], uses: readonly Section[], others: readonly Sort[] = []): Logic {
  return { variables, others, uses: usesIn(uses) };
}

/**
 * Names are those that each supported solver takes in `set-logic` for these operators. (`QF_S` would be enough for
 * strings, but cvc5 rejects `>` in it; `QF_AX` has no integers.)
 */
export const logics = {
  QF_SLIA: logic([text, int, bool], ['core', 'linear', 'strings'], [sort('RegLan')]),
  QF_UF: logic([bool], ['core']),
  QF_LIA: logic([int, bool], ['core', 'linear']),
  QF_NIA: logic([int, bool], ['core', 'nonlinear']),
  QF_LRA: logic([real, bool], ['core', 'linear']),
  QF_NRA: logic([real, bool], ['core', 'nonlinear']),
  QF_LIRA: logic([int, real, bool], ['core', 'linear', 'conversions']),
  QF_BV: logic([bits(8), bits(16), bits(32), bool], ['core', 'bitVectors'], [bits(1)]),
  QF_ALIA: logic([array(int, int), int, bool], ['core', 'linear', 'arrays']),
  QF_ABV: logic(
    [array(bits(8), bits(8)), bits(8), bits(16), bool],
    ['core', 'bitVectors', 'arrays'],
    [bits(1)],
  ),
} as const satisfies Record<string, Logic>;

export type LogicName = keyof typeof logics;

export const logicNames: readonly LogicName[] = Object.keys(logics) as LogicName[];

/** Vocabulary sections by parts of a logic's name, following the standard's naming scheme. */
const sectionsByName: readonly (readonly [name: RegExp, sections: readonly Section[]])[] = [
  [/S/, ['strings', 'sequences']],
  [/BV/, ['bitVectors']],
  [/FP/, ['floats']],
  [/^(QF_)?A/, ['arrays']],
  [/IRA/, ['conversions']],
];

/** Kinds of arithmetic; the first match wins. String logics compare and add lengths. */
const arithmetics: readonly (readonly [name: RegExp, section: Section])[] = [
  // Difference logic restricts sums in a way that the vocabulary cannot express.
  [/[IR]DL/, 'comparisons'],
  [/N[IR]+A/, 'nonlinear'],
  [/L[IR]+A|S/, 'linear'],
];

const isReadable = /^(QF_)?(A|UF|DT|S|BV|FP|X|[LN][IR]+A|[IR]DL)+$/;

/** All sections, with arithmetic that every solver accepts in any logic. */
const everything: readonly Section[] = [
  'core',
  'linear',
  'conversions',
  'strings',
  'sequences',
  'bitVectors',
  'arrays',
  'floats',
];

/** Vocabulary sections allowed in a formula of this logic. */
export function sectionsIn(logicName: string | undefined): readonly Section[] {
  if (logicName === undefined || !isReadable.test(logicName)) return everything;
  const arithmetic = arithmetics.find(([name]) => name.test(logicName));
  return [
    'core',
    ...(arithmetic === undefined ? [] : [arithmetic[1]]),
    ...sectionsByName.filter(([name]) => name.test(logicName)).flatMap(([, found]) => found),
  ];
}
