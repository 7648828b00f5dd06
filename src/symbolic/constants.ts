import type { Layout, Type, Value } from '../program/ir/index.js';
import { binaryOf, castOf, relationHolds } from './values/big-integers.js';
import { elementOffset } from './values/element-offset.js';
import { doubleBits, doubleOfBits, floatBits } from './values/floats.js';

export type AddressOf = (name: string) => bigint | undefined;

/** The bits of a scalar constant; undefined if unknown, as for the address of a block. */
export function constantBits(value: Value, layout: Layout, addressOf: AddressOf): bigint | undefined {
  switch (value.kind) {
    case 'integer':
      return BigInt.asUintN(bitsOf(value.type), value.value);
    case 'null':
    case 'zero':
    case 'undef':
    case 'poison':
    case 'none':
      return 0n;
    case 'float':
      return floatConstant(value.type, value.text);
    case 'global':
      return addressOf(value.name);
    case 'expression': {
      const operands = value.operands.map((operand) => constantBits(operand, layout, addressOf));
      if (operands.some((operand) => operand === undefined)) return undefined;
      return expressionBits(value, operands as readonly bigint[], layout);
    }
    default:
      return undefined;
  }
}

export function bitsOf(type: Type): number {
  if (type.kind === 'integer') return type.bits;
  return type.kind === 'float' && type.format === 'float' ? 32 : 64;
}

/** LLVM writes floats as decimals if that is exact, else as the bits of a double. */
function floatConstant(type: Type, text: string): bigint | undefined {
  const hexadecimal = /^0x([\dA-Fa-f]+)$/.exec(text)?.[1];
  if (!/^0x[\dA-Fa-f]+$|^-?[\d.]/.test(text)) return undefined;
  if (bitsOf(type) === 64) return hexadecimal === undefined ? doubleBits(Number(text)) : BigInt(text);
  const value = hexadecimal === undefined ? Number(text) : doubleOfBits(BigInt(text));
  return floatBits(value);
}

type Expression = Extract<Value, { readonly kind: 'expression' }>;

function expressionBits(
  { operator, operands, stepsOver, type, predicate }: Expression,
  values: readonly bigint[],
  layout: Layout,
): bigint | undefined {
  const [left = 0n, right = 0n] = values;
  const source = operands[0]?.type ?? type;
  if (operator === 'getelementptr') {
    const offset = stepsOver === undefined ? undefined : elementOffset(layout, stepsOver, operands.slice(1));
    if (offset === undefined || offset.terms.length > 0) return undefined;
    return BigInt.asUintN(64, left + BigInt(offset.constant));
  }
  if (operator === 'icmp') return relationHolds(predicate ?? '', bitsOf(source), left, right) ? 1n : 0n;
  if (operator === 'select') return left === 0n ? values[2] : right;
  return (
    binaryOf(operator, bitsOf(type), left, right) ?? castOf(operator, bitsOf(source), bitsOf(type), left)
  );
}
