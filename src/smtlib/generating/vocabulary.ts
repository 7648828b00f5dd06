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

export interface OperatorUse {
  readonly name: string;
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

function use(
  name: string,
  weight = 1,
  options: Partial<Omit<OperatorUse, 'name' | 'weight'>> = {},
): OperatorUse {
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

/** Unconstrained entries, each a `name` or `name:weight`. */
function uses(entries: string): readonly OperatorUse[] {
  return entries.split(' ').map((entry) => {
    const [name = '', weight = '1'] = entry.split(':');
    return use(name, Number(weight));
  });
}

const noKinds: readonly ArgumentKind[] = [];
const nothing: ReadonlySet<string> = new Set();
const languages: ReadonlySet<string> = new Set(['RegLan', 'RegEx']);

const core = [
  ...uses('not:3 and:3 or:3 xor =>'),
  use('=', 4, { avoids: languages }),
  use('distinct', 1, { avoids: languages }),
  use('ite', 1, { avoids: languages }),
];

const abs = use('abs', 1, { avoids: new Set(['Real']) });
const comparisons = uses('<:2 <=:2 >:2 >=:2');
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

const conversions = uses('to_real:2 to_int is_int');

const strings = [
  use('str.++', 4, { parameters: 2 }),
  ...uses('str.len:3 str.at:2 str.substr:2 str.prefixof:2 str.suffixof:2 str.contains:2'),
  use('str.indexof', 2, { parameters: 3 }),
  ...uses('str.replace:2 str.replace_all str.replace_re str.replace_re_all str.is_digit'),
  ...uses('str.to_code str.from_code str.to_int str.from_int'),
  // No solver accepts more than two arguments here.
  use('str.<', 1, { isExact: true }),
  use('str.<=', 1, { isExact: true }),
  ...uses('str.in_re:3 str.to_re:2'),
  use('re.++', 3, { parameters: 2 }),
  use('re.union', 3, { parameters: 2 }),
  use('re.inter', 1, { parameters: 2 }),
  ...uses('re.*:3 re.+:2 re.opt re.comp'),
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
const rotations: IndexChoice = (from) =>
  [...new Set([1, Math.floor(from / 2), from - 1])].map((amount) => [amount]);
const widening: IndexChoice = (from, to) => (to > from ? [[to - from]] : []);

const bitVectors = [
  ...uses('bvnot:2 bvneg:2 bvand:3 bvor:3 bvxor:3 bvadd:3 bvsub:3 bvmul:3'),
  ...uses('bvudiv bvurem bvsdiv bvsrem bvsmod bvshl:2 bvlshr:2 bvashr:2 bvnand bvnor bvxnor'),
  ...uses('bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge bvcomp concat:2'),
  use('extract', 2, {
    indices: (from, to) => (to <= from ? middle(from, to).map((low) => [low + to - 1, low]) : []),
  }),
  use('zero_extend', 1, { indices: widening }),
  use('sign_extend', 1, { indices: widening }),
  use('repeat', 1, { indices: (from, to) => (to > from && to % from === 0 ? [[to / from]] : []) }),
  use('rotate_left', 1, { indices: rotations }),
  use('rotate_right', 1, { indices: rotations }),
];

const arrays = [use('select', 3, { parameters: 2 }), use('store', 3, { parameters: 3 })];

const floats = [
  ...uses('fp.abs fp.neg fp.sqrt fp.roundToIntegral fp.rem fp.min fp.max'),
  ...uses('fp.add:2 fp.sub:2 fp.mul:2 fp.div:2 fp.fma fp.leq fp.lt fp.geq fp.gt fp.eq'),
  ...uses('fp.isNormal fp.isSubnormal fp.isZero fp.isInfinite fp.isNaN fp.isNegative fp.isPositive'),
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
} as const satisfies Record<string, readonly OperatorUse[]>;

export type Section = keyof typeof sections;

const useByName: ReadonlyMap<string, OperatorUse> = new Map(
  Object.values(sections)
    .flat()
    .map((entry) => [entry.name, entry]),
);

/**
 * Vocabulary entries for operator names. An operator outside the vocabulary gets a default entry, unless it is
 * indexed: there are no sensible indices for it.
 */
export function usesOf(names: Iterable<string>, base: readonly OperatorUse[]): readonly OperatorUse[] {
  const chosen = new Map(base.map((entry) => [entry.name, entry]));
  const found: OperatorUse[] = [];
  for (const name of names) {
    const entry = chosen.get(name) ?? useByName.get(name);
    if (entry !== undefined) found.push(entry);
    else if (operatorsByName.get(name)?.some((other) => other.indexNames.length === 0)) found.push(use(name));
  }
  return found;
}
