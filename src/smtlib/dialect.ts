/** How one solver version spells the language: operator names and the escapes of string literals. */
export interface Dialect {
  readonly name: DialectName;
  /** Operator names: `2.5` has `str.in.re`, `2.6` has `str.in_re`, `2.7` also `ubv_to_int`. */
  readonly names: '2.5' | '2.6' | '2.7';
  /** String escapes: `x` is `\x5c` with 8-bit characters, `u` is `\u{5c}`. */
  readonly escapes: 'x' | 'u';
}

export type DialectName = '2.5' | '2.6' | '2.7' | '2.6x';

/** A dialect whose strings have every character, so that every formula can be written in it. */
export type CompleteDialect = Dialect & { readonly escapes: 'u' };

/**
 * The dialects solver versions speak, as measured on real releases:
 * `2.5` Z3 up to 4.8.8 and CVC4 up to 1.7; `2.6x` Z3 4.8.9 and 4.8.10, which take the new names but still read
 * `\n` and `\x41` inside a literal; `2.6` Z3 from 4.8.11, CVC4 1.8, cvc5; `2.7` the same with the bit-vector
 * conversions of SMT-LIB 2.7.
 */
export const dialects = {
  '2.5': { name: '2.5', names: '2.5', escapes: 'x' },
  '2.6x': { name: '2.6x', names: '2.6', escapes: 'x' },
  '2.6': { name: '2.6', names: '2.6', escapes: 'u' },
  '2.7': { name: '2.7', names: '2.7', escapes: 'u' },
} as const satisfies Record<DialectName, Dialect>;

/** Names of SMT-LIB 2.5 and of older solvers, with the 2.6 name the tree holds. */
const oldNames: Readonly<Record<string, string>> = {
  'str.in.re': 'str.in_re',
  'str.to.re': 'str.to_re',
  'str.to.int': 'str.to_int',
  'int.to.str': 'str.from_int',
  're.nostr': 're.none',
  're.complement': 're.comp',
};

/** Names no standard has, which formulas in circulation use all the same. */
const strayNames: Readonly<Record<string, string>> = {
  'str.from.int': 'str.from_int',
  'str.from-int': 'str.from_int',
  'str.to-int': 'str.to_int',
};

/** Names of SMT-LIB 2.7, with the name every solver so far also takes, which the tree holds. */
const newNames: Readonly<Record<string, string>> = {
  ubv_to_int: 'bv2nat',
  int_to_bv: 'int2bv',
  nat2bv: 'int2bv',
};

/** What a name of any dialect is called in the tree. */
export const canonicalNames: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...oldNames, ...strayNames, ...newNames }),
);

/** Names that only a 2.5 formula uses; one of them makes its string literals 2.5 literals too. */
export const namesOfOldFormulas: ReadonlySet<string> = new Set(Object.keys({ ...oldNames, ...strayNames }));

const inverse = (names: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).map(([old, canonical]) => [canonical, old]));

/** What a name of the tree is called in a dialect, where it differs. */
export const namesInDialect: Readonly<Record<Dialect['names'], ReadonlyMap<string, string>>> = {
  '2.5': inverse(oldNames),
  '2.6': new Map(),
  '2.7': inverse({ ubv_to_int: 'bv2nat', int_to_bv: 'int2bv' }),
};
