/** Floats in the solver's theory of floating-point numbers. Runs store them as bits. */

const sorts: ReadonlyMap<number, string> = new Map([
  [32, '8 24'],
  [64, '11 53'],
]);

const operations: ReadonlyMap<string, string> = new Map([
  ['fadd', 'fp.add'],
  ['fsub', 'fp.sub'],
  ['fmul', 'fp.mul'],
  ['fdiv', 'fp.div'],
]);

/**
 * The bits of a result; undefined if the theory lacks the operation.
 *
 * @param from width of the operand of a cast
 */
export function floatTerm(
  kind: string,
  bits: number,
  [left = '', right = '']: readonly string[],
  from = bits,
): string | undefined {
  const sort = sorts.get(bits);
  const operation = operations.get(kind);
  if (operation !== undefined && sort !== undefined)
    return bitsOfFloat(`(${operation} RNE ${asFloat(left, sort)} ${asFloat(right, sort)})`);
  if (kind === 'sitofp' && sort !== undefined) return bitsOfFloat(`((_ to_fp ${sort}) RNE ${left})`);
  if (kind === 'uitofp' && sort !== undefined) return bitsOfFloat(`((_ to_fp_unsigned ${sort}) RNE ${left})`);
  const source = sorts.get(from);
  if ((kind === 'fpext' || kind === 'fptrunc') && sort !== undefined && source !== undefined)
    return bitsOfFloat(`((_ to_fp ${sort}) RNE ${asFloat(left, source)})`);
  return undefined;
}

const comparisons: ReadonlyMap<string, (left: string, right: string) => string> = new Map([
  ['eq', (left, right) => `(fp.eq ${left} ${right})`],
  ['gt', (left, right) => `(fp.gt ${left} ${right})`],
  ['ge', (left, right) => `(fp.geq ${left} ${right})`],
  ['lt', (left, right) => `(fp.lt ${left} ${right})`],
  ['le', (left, right) => `(fp.leq ${left} ${right})`],
  ['ne', (left, right) => `(not (or (fp.eq ${left} ${right}) ${eitherNaN(left, right)}))`],
  ['rd', (left, right) => `(not ${eitherNaN(left, right)})`],
]);

/** LLVM's predicates: `o` holds only for ordered operands, `u` also if one is NaN. */
export function floatComparison(
  predicate: string,
  bits: number,
  left: string,
  right: string,
): string | undefined {
  const sort = sorts.get(bits);
  const compares = comparisons.get(predicate.slice(1));
  if (sort === undefined) return undefined;
  const [a, b] = [asFloat(left, sort), asFloat(right, sort)];
  if (predicate === 'uno') return eitherNaN(a, b);
  if (compares === undefined) return undefined;
  const holds = compares(a, b);
  return predicate.startsWith('u') ? `(or ${eitherNaN(a, b)} ${holds})` : holds;
}

function eitherNaN(left: string, right: string): string {
  return `(or (fp.isNaN ${left}) (fp.isNaN ${right}))`;
}

function asFloat(bits: string, sort: string): string {
  return `((_ to_fp ${sort}) ${bits})`;
}

/** A Z3 extension. It maps NaN to one of its representations. */
function bitsOfFloat(term: string): string {
  return `(fp.to_ieee_bv ${term})`;
}

/** Are these the bits of NaN? */
export function isNaNBits(value: bigint, bits: number): boolean {
  const fraction = bits === 32 ? 23n : 52n;
  const exponent = (value >> fraction) & (bits === 32 ? 0xffn : 0x7ffn);
  return exponent === (bits === 32 ? 0xffn : 0x7ffn) && (value & ((1n << fraction) - 1n)) !== 0n;
}
