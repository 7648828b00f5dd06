/** Simpler replacements for operators, by theory. To add one, add a row. */

interface Row {
  readonly operator: string;
  readonly simpler: string;
  /** Indices of the arguments to keep; all by default. */
  readonly keeps?: readonly number[] | undefined;
}

const to =
  (simpler: string, keeps?: readonly number[]) =>
  (operator: string): Row => ({ operator, simpler, keeps });

const rows: readonly Row[] = [
  // core
  ...['distinct', 'xor'].map(to('=')),
  ...['=>'].map(to('or')),
  // strings and sequences
  ...['str.prefixof', 'str.suffixof', 'str.contains', 'str.<'].map(to('=')),
  ...['seq.prefixof', 'seq.suffixof', 'seq.contains'].map(to('=')),
  ...['str.<='].map(to('str.<')),
  ...['str.replace_all'].map(to('str.replace')),
  ...['str.replace_re_all'].map(to('str.replace_re')),
  ...['str.substr'].map(to('str.at', [0, 1])),
  ...['seq.extract'].map(to('seq.at', [0, 1])),
  ...['str.from_code'].map(to('str.from_int')),
  ...['str.to_code'].map(to('str.to_int')),
  // regular expressions
  ...['re.+'].map(to('re.*')),
  ...['re.diff'].map(to('re.inter')),
  ...['re.range'].map(to('str.to_re', [0])),
  // Numbers. `<` is not replaced by `=`: an equation is no shorter and blocks other steps.
  ...['<='].map(to('<')),
  ...['>='].map(to('>')),
  // bit-vectors
  ...['bvult', 'bvugt'].map(to('=')),
  ...['bvule', 'bvslt'].map(to('bvult')),
  ...['bvuge', 'bvsgt'].map(to('bvugt')),
  ...['bvsle'].map(to('bvslt')),
  ...['bvsge'].map(to('bvsgt')),
  ...['bvsdiv'].map(to('bvudiv')),
  ...['bvsrem', 'bvsmod'].map(to('bvurem')),
  ...['bvashr'].map(to('bvlshr')),
  ...['bvnand'].map(to('bvand')),
  ...['bvnor'].map(to('bvor')),
  ...['bvxnor'].map(to('bvxor')),
  // floating point
  ...['fp.eq'].map(to('=')),
  ...['fp.lt', 'fp.gt'].map(to('fp.eq')),
  ...['fp.leq'].map(to('fp.lt')),
  ...['fp.geq'].map(to('fp.gt')),
  ...['fp.fma'].map(to('fp.mul', [0, 1, 2])),
  ...['fp.sub'].map(to('fp.add')),
];

const rowOf: ReadonlyMap<string, Row> = new Map(rows.map((row) => [row.operator, row]));

export function simplerOperator(operator: string): Row | undefined {
  return rowOf.get(operator);
}

/** Discount on an operator's weight: the more rows lead to an operator, the lighter it is. */
const discounts: ReadonlyMap<string, number> = (() => {
  const found = new Map<string, number>();
  for (const { operator } of rows) {
    let steps = 0;
    for (let row = rowOf.get(operator); row !== undefined; row = rowOf.get(row.simpler)) {
      steps++;
      found.set(row.simpler, Math.max(found.get(row.simpler) ?? 0, 0.05 * steps));
    }
  }
  return found;
})();

export function operatorDiscount(operator: string): number {
  return discounts.get(operator) ?? 0;
}
