/**
 * The operators that generators and mutations write: those accepted by all of Z3 (4.8.12 and 5.2.0), CVC4 1.8 and
 * cvc5 1.0.3, with weights and constraints on their arguments.
 */

import { operatorsByName } from '../theories/index.js';

/**
 * A constraint on an argument beyond its sort: solvers reject `(* x y)` in a linear logic, and differ on division by
 * zero.
 */
export type ArgumentKind = 'term' | 'literal' | 'nonzero';

/** The index lists for an indexed operator, from the widths of its first argument and of the wanted result. */
type IndexChoice = (from: number, to: number) => readonly (readonly number[])[];

export interface Use {
  readonly name: string;
  /** Relative frequency among the operators of its result sort. */
  readonly weight: number;
  /** Arguments beyond the list are unconstrained. */
  readonly kinds: readonly ArgumentKind[];
  readonly indices: IndexChoice | undefined;
  /** Use only the overload with this number of parameters; solvers do not agree on the others. */
  readonly parameters: number | undefined;
  /** Never add arguments to the signature's, even if the standard allows it. */
  readonly isExact: boolean;
  /** Sorts to exclude, e.g. regular languages, which cvc5 can neither compare nor branch on. */
  readonly avoids: ReadonlySet<string>;
}

function use(name: string, weight = 1, options: Partial<Omit<Use, 'name' | 'weight'>> = {}): Use {
  return {
    name,
    weight,
    kinds: noKinds,
    indices: undefined,
    parameters: undefined,
    isExact: false,
    avoids: nothing,
    ...options,
  };
}

const noKinds: readonly ArgumentKind[] = [];
const nothing: ReadonlySet<string> = new Set();
const languages: ReadonlySet<string> = new Set(['RegLan', 'RegEx']);

const core = [
  use('not', 3),
  use('and', 3),
  use('or', 3),
  use('xor'),
  use('=>'),
  use('=', 4, { avoids: languages }),
  use('distinct', 1, { avoids: languages }),
  use('ite', 1, { avoids: languages }),
];

const abs = use('abs', 1, { avoids: new Set(['Real']) });
const comparisons = [use('<', 2), use('<=', 2), use('>', 2), use('>=', 2)];
const sums = [use('+', 3, { parameters: 2 }), use('-', 3)];

const linear = [
  ...comparisons,
  ...sums,
  // CVC4 has it for integers only.
  abs,
  use('*', 1, { kinds: ['literal'], parameters: 2, isExact: true }),
  use('div', 1, { kinds: ['term', 'nonzero'], isExact: true }),
  use('mod', 1, { kinds: ['term', 'nonzero'] }),
  use('/', 1, { kinds: ['term', 'nonzero'], isExact: true }),
];

const nonlinear = linear.map((entry) => (entry.name === '*' ? use('*', 3, { parameters: 2 }) : entry));

const conversions = [use('to_real', 2), use('to_int'), use('is_int')];

const strings = [
  use('str.++', 4, { parameters: 2 }),
  use('str.len', 3),
  use('str.at', 2),
  use('str.substr', 2),
  use('str.prefixof', 2),
  use('str.suffixof', 2),
  use('str.contains', 2),
  use('str.indexof', 2, { parameters: 3 }),
  use('str.replace', 2),
  use('str.replace_all'),
  use('str.replace_re'),
  use('str.replace_re_all'),
  use('str.is_digit'),
  use('str.to_code'),
  use('str.from_code'),
  use('str.to_int'),
  use('str.from_int'),
  // No solver accepts more than two arguments here.
  use('str.<', 1, { isExact: true }),
  use('str.<=', 1, { isExact: true }),
  use('str.in_re', 3),
  use('str.to_re', 2),
  use('re.++', 3, { parameters: 2 }),
  use('re.union', 3, { parameters: 2 }),
  use('re.inter', 1, { parameters: 2 }),
  use('re.*', 3),
  use('re.+', 2),
  use('re.opt'),
  use('re.comp'),
  use('re.diff', 1, { isExact: true }),
  use('re.^', 1, { indices: () => [[0], [1], [2], [3], [5]] }),
  use('re.loop', 1, {
    indices: () => [
      [0, 1],
      [0, 3],
      [1, 2],
      [1, 4],
      [2, 2],
      [2, 5],
    ],
  }),
];

const middle = (from: number, to: number): readonly number[] => [
  ...new Set([0, Math.floor((from - to) / 2), from - to]),
];
const turns: IndexChoice = (from) =>
  [...new Set([1, Math.floor(from / 2), from - 1])].map((amount) => [amount]);
const widening: IndexChoice = (from, to) => (to > from ? [[to - from]] : []);

const bitVectors = [
  ...['bvnot', 'bvneg'].map((name) => use(name, 2)),
  ...['bvand', 'bvor', 'bvxor', 'bvadd', 'bvsub', 'bvmul'].map((name) => use(name, 3)),
  ...['bvudiv', 'bvurem', 'bvsdiv', 'bvsrem', 'bvsmod'].map((name) => use(name)),
  ...['bvshl', 'bvlshr', 'bvashr'].map((name) => use(name, 2)),
  ...['bvnand', 'bvnor', 'bvxnor'].map((name) => use(name)),
  ...['bvult', 'bvule', 'bvugt', 'bvuge', 'bvslt', 'bvsle', 'bvsgt', 'bvsge'].map((name) => use(name)),
  use('bvcomp'),
  use('concat', 2),
  use('extract', 2, {
    indices: (from, to) => (to <= from ? middle(from, to).map((low) => [low + to - 1, low]) : []),
  }),
  use('zero_extend', 1, { indices: widening }),
  use('sign_extend', 1, { indices: widening }),
  use('repeat', 1, { indices: (from, to) => (to > from && to % from === 0 ? [[to / from]] : []) }),
  use('rotate_left', 1, { indices: turns }),
  use('rotate_right', 1, { indices: turns }),
];

const arrays = [use('select', 3, { parameters: 2 }), use('store', 3, { parameters: 3 })];

const floats = [
  ...['fp.abs', 'fp.neg', 'fp.sqrt', 'fp.roundToIntegral', 'fp.rem', 'fp.min', 'fp.max'].map((name) =>
    use(name),
  ),
  ...['fp.add', 'fp.sub', 'fp.mul', 'fp.div'].map((name) => use(name, 2)),
  use('fp.fma'),
  ...['fp.leq', 'fp.lt', 'fp.geq', 'fp.gt', 'fp.eq'].map((name) => use(name)),
  ...['fp.isNormal', 'fp.isSubnormal', 'fp.isZero', 'fp.isInfinite', 'fp.isNaN'].map((name) => use(name)),
  ...['fp.isNegative', 'fp.isPositive'].map((name) => use(name)),
];

/** Z3 accepts sequence operators on strings; cvc5 and CVC4 do not. */
const onSequences = { avoids: new Set(['String']) };

const sequences = [
  use('seq.++', 3, { ...onSequences, parameters: 2 }),
  use('seq.unit', 2),
  ...['seq.len', 'seq.contains'].map((name) => use(name, 2, onSequences)),
  ...['seq.at', 'seq.extract', 'seq.prefixof', 'seq.suffixof', 'seq.replace'].map((name) =>
    use(name, 1, onSequences),
  ),
  use('seq.indexof', 1, { ...onSequences, parameters: 3 }),
];

export const sections = {
  core,
  linear,
  nonlinear,
  comparisons,
  conversions,
  strings,
  bitVectors,
  arrays,
  floats,
  sequences,
} as const satisfies Record<string, readonly Use[]>;

export type Section = keyof typeof sections;

const known: ReadonlyMap<string, Use> = new Map(
  Object.values(sections)
    .flat()
    .map((entry) => [entry.name, entry]),
);

/**
 * Vocabulary entries for operator names. An operator outside the vocabulary gets a default entry, unless it is
 * indexed: there are no sensible indices for it.
 */
export function usesOf(names: Iterable<string>, base: readonly Use[]): readonly Use[] {
  const chosen = new Map(base.map((entry) => [entry.name, entry]));
  const found: Use[] = [];
  for (const name of names) {
    const entry = chosen.get(name) ?? known.get(name);
    if (entry !== undefined) found.push(entry);
    else if (operatorsByName.get(name)?.some((other) => other.indexNames.length === 0)) found.push(use(name));
  }
  return found;
}
