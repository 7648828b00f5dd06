/** The logics formulas are generated in: which sorts their variables have and which operators they use. */

import { indexedSort, type Sort, sort } from './tree.js';
import { type Section, sections, type Use } from './vocabulary.js';

export interface Logic {
  /** The sorts variables are declared of. */
  readonly variables: readonly Sort[];
  /** Sorts terms have besides; no solver takes variables of them. */
  readonly others: readonly Sort[];
  readonly uses: readonly Use[];
}

const bool = sort('Bool');
const int = sort('Int');
const real = sort('Real');
const text = sort('String');
const bits = (width: number): Sort => indexedSort('BitVec', width);
const array = (index: Sort, element: Sort): Sort => sort('Array', [index, element]);

function gather(parts: readonly Section[]): readonly Use[] {
  return parts.flatMap((part): readonly Use[] => sections[part]);
}

function logic(variables: readonly Sort[], parts: readonly Section[], others: readonly Sort[] = []): Logic {
  return { variables, others, uses: gather(parts) };
}

/**
 * By the name each of the supported solvers takes in `set-logic` for these operators. (`QF_S` would do for strings,
 * but cvc5 refuses `>` in it; `QF_AX` has no integers.)
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
  QF_ABV: logic([array(bits(8), bits(8)), bits(8), bits(16), bool], ['core', 'bitVectors', 'arrays']),
} as const satisfies Record<string, Logic>;

export type LogicName = keyof typeof logics;

export const logicNames: readonly LogicName[] = Object.keys(logics) as LogicName[];

/** Difference logics: what their formulas may add up, no table can say. */
const isDifference = /[IR]DL/;
const isNonlinear = /N[IR]+A/;

const rest: readonly Section[] = [
  'core',
  'conversions',
  'strings',
  'bitVectors',
  'arrays',
  'floats',
  'sequences',
];

/** Everything there is, but for arithmetic: what a logic allows of that, its name says. */
export const usesByArithmetic = {
  difference: gather([...rest, 'comparisons']),
  linear: gather([...rest, 'linear']),
  nonlinear: gather([...rest, 'nonlinear']),
} as const satisfies Record<string, readonly Use[]>;

export type Arithmetic = keyof typeof usesByArithmetic;

/** The arithmetic a logic of this name has; linear where nothing is said, which every logic takes. */
export function arithmeticOf(logicName: string | undefined): Arithmetic {
  if (logicName === undefined) return 'linear';
  if (isDifference.test(logicName)) return 'difference';
  return isNonlinear.test(logicName) ? 'nonlinear' : 'linear';
}
