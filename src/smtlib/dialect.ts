/** How one solver version spells the language: operator names and escapes in string literals. */
export interface Dialect {
  readonly name: DialectName;
  /** `2.5` has `str.in.re`, `2.6` has `str.in_re`, `2.7` also has `ubv_to_int`. */
  readonly names: '2.5' | '2.6' | '2.7';
  /** String escapes: `x` writes a backslash as `\x5c` and has 8-bit characters; `u` writes `\u{5c}`. */
  readonly escapes: 'x' | 'u';
}

export type DialectName = '2.5' | '2.6' | '2.7' | '2.6x';

/** A dialect whose strings contain every character, so that printing cannot fail. */
export type CompleteDialect = Dialect & { readonly escapes: 'u' };

/**
 * The dialects of solver versions, as measured on real releases:
 * - `2.5`: Z3 up to 4.8.8, CVC4 up to 1.7
 * - `2.6x`: Z3 4.8.9 and 4.8.10, which take the new names but still read `\n` and `\x41` in a literal
 * - `2.6`: Z3 from 4.8.11, CVC4 1.8, cvc5
 * - `2.7`: 2.6 with the bit-vector conversions of SMT-LIB 2.7
 */
export const dialects = {
  '2.5': { name: '2.5', names: '2.5', escapes: 'x' },
  '2.6x': { name: '2.6x', names: '2.6', escapes: 'x' },
  '2.6': { name: '2.6', names: '2.6', escapes: 'u' },
  '2.7': { name: '2.7', names: '2.7', escapes: 'u' },
} as const satisfies Record<DialectName, Dialect>;

/** Names of SMT-LIB 2.5 and older solvers, with the 2.6 name that the tree uses. */
const oldNames: Readonly<Record<string, string>> = {
  'str.in.re': 'str.in_re',
  'str.to.re': 'str.to_re',
  'str.to.int': 'str.to_int',
  'int.to.str': 'str.from_int',
  're.nostr': 're.none',
  're.complement': 're.comp',
};

/** Names of no standard that occur in published formulas. */
const nonstandardNames: Readonly<Record<string, string>> = {
  'str.from.int': 'str.from_int',
  'str.from-int': 'str.from_int',
  'str.to-int': 'str.to_int',
};

/** Names of SMT-LIB 2.7, with the name that all solvers accept so far and that the tree uses. */
const newNames: Readonly<Record<string, string>> = {
  ubv_to_int: 'bv2nat',
  int_to_bv: 'int2bv',
  nat2bv: 'int2bv',
};

/** From a name of any dialect to the tree's name. */
export const canonicalNames: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...oldNames, ...nonstandardNames, ...newNames }),
);

/** Names that only 2.5 formulas use; one of them makes the string literals 2.5 literals too. */
export const oldOnlyNames: ReadonlySet<string> = new Set(Object.keys({ ...oldNames, ...nonstandardNames }));

const inverse = (names: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).map(([old, canonical]) => [canonical, old]));

/** From the tree's name to the dialect's name, if they differ. */
export const namesInDialect: Readonly<Record<Dialect['names'], ReadonlyMap<string, string>>> = {
  '2.5': inverse(oldNames),
  '2.6': new Map(),
  '2.7': inverse({ ubv_to_int: 'bv2nat', int_to_bv: 'int2bv' }),
};
