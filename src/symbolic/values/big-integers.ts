/** Integer operators of LLVM IR on bigints. Arguments and results are unsigned. */

type Binary = (left: bigint, right: bigint, bits: number) => bigint;

const signed = (value: bigint, bits: number): bigint => BigInt.asIntN(bits, value);

const binaries: ReadonlyMap<string, Binary> = new Map<string, Binary>([
  ['add', (left, right) => left + right],
  ['sub', (left, right) => left - right],
  ['mul', (left, right) => left * right],
  ['and', (left, right) => left & right],
  ['or', (left, right) => left | right],
  ['xor', (left, right) => left ^ right],
  ['shl', (left, right, bits) => left << (right % BigInt(bits))],
  ['lshr', (left, right, bits) => left >> (right % BigInt(bits))],
  ['ashr', (left, right, bits) => signed(left, bits) >> (right % BigInt(bits))],
  ['udiv', (left, right) => left / right],
  ['urem', (left, right) => left % right],
  ['sdiv', (left, right, bits) => signed(left, bits) / signed(right, bits)],
  ['srem', (left, right, bits) => signed(left, bits) % signed(right, bits)],
]);

/** Undefined for other operators, and for a division by zero. */
export function binaryOf(operator: string, bits: number, left: bigint, right: bigint): bigint | undefined {
  const compute = binaries.get(operator);
  const isDivision = operator.endsWith('div') || operator.endsWith('rem');
  if (compute === undefined || bits === 0 || (isDivision && right === 0n)) return undefined;
  return BigInt.asUintN(bits, compute(left, right, bits));
}

const relations: ReadonlyMap<string, (left: bigint, right: bigint) => boolean> = new Map([
  ['eq', (left, right) => left === right],
  ['ne', (left, right) => left !== right],
  ['gt', (left, right) => left > right],
  ['ge', (left, right) => left >= right],
  ['lt', (left, right) => left < right],
  ['le', (left, right) => left <= right],
]);

/** Does a predicate of `icmp` hold? Undefined for other predicates. */
export function relationHolds(
  predicate: string,
  bits: number,
  left: bigint,
  right: bigint,
): boolean | undefined {
  const relation = relations.get(predicate.slice(-2));
  if (relation === undefined || bits === 0) return undefined;
  return predicate.startsWith('s')
    ? relation(signed(left, bits), signed(right, bits))
    : relation(left, right);
}

/** Casts that only change the number of bits. */
export const plainCasts: ReadonlySet<string> = new Set(
  'bitcast ptrtoint inttoptr addrspacecast trunc zext ptrtoaddr'.split(' '),
);

/** Undefined for other casts. */
export function castOf(operator: string, from: number, to: number, value: bigint): bigint | undefined {
  if (from === 0 || to === 0) return undefined;
  if (plainCasts.has(operator)) return BigInt.asUintN(to, value);
  return operator === 'sext' ? BigInt.asUintN(to, signed(value, from)) : undefined;
}
