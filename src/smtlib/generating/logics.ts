/** The logics formulas are generated in: which sorts their variables have and which operators they use. */

import { indexedSort, type Sort, sort } from '../tree.js';
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

/** The operators of several parts of the vocabulary. */
export function gather(names: readonly Section[]): readonly Use[] {
  return names.flatMap((part): readonly Use[] => sections[part]);
}

function logic(variables: readonly Sort[], uses: readonly Section[], others: readonly Sort[] = []): Logic {
  return { variables, others, uses: gather(uses) };
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
  QF_ABV: logic(
    [array(bits(8), bits(8)), bits(8), bits(16), bool],
    ['core', 'bitVectors', 'arrays'],
    [bits(1)],
  ),
} as const satisfies Record<string, Logic>;

export type LogicName = keyof typeof logics;

export const logicNames: readonly LogicName[] = Object.keys(logics) as LogicName[];

/** What a logic's name says it has besides the core: the standard puts names together from such parts. */
const parts: readonly (readonly [name: RegExp, sections: readonly Section[]])[] = [
  [/S/, ['strings', 'sequences']],
  [/BV/, ['bitVectors']],
  [/FP/, ['floats']],
  [/^(QF_)?A/, ['arrays']],
  [/IRA/, ['conversions']],
];

/** The kinds of arithmetic, the first that fits; string logics have lengths to compare and add. */
const arithmetics: readonly (readonly [name: RegExp, section: Section])[] = [
  // What a formula of difference logic may add up, no table can say.
  [/[IR]DL/, 'comparisons'],
  [/N[IR]+A/, 'nonlinear'],
  [/L[IR]+A|S/, 'linear'],
];

const isReadable = /^(QF_)?(A|UF|DT|S|BV|FP|X|[LN][IR]+A|[IR]DL)+$/;

/** Everything there is, with arithmetic every solver takes whatever it believes the logic to be. */
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

/** The parts of the vocabulary a formula that names this logic may use. */
export function sectionsIn(logicName: string | undefined): readonly Section[] {
  if (logicName === undefined || !isReadable.test(logicName)) return everything;
  const arithmetic = arithmetics.find(([name]) => name.test(logicName));
  return [
    'core',
    ...(arithmetic === undefined ? [] : [arithmetic[1]]),
    ...parts.filter(([name]) => name.test(logicName)).flatMap(([, found]) => found),
  ];
}
