import { isComputed } from '../../program/compile/index.js';
import type { Type } from '../../program/ir/index.js';
import type { Step } from '../code.js';
import { bitsOf } from '../constants.js';

/** The width of the value of a step; undefined if it is no number of up to 64 bits. */
export function bitsOfValue({ instruction, parameter, code }: Step): number | undefined {
  const { layout } = code.image.plan;
  const type: Type | undefined =
    instruction === undefined
      ? code.plan.fn.parameters[parameter]?.type
      : instruction.op === 'store'
        ? instruction.value.type
        : instruction.op === 'ret'
          ? instruction.value?.type
          : instruction.type;
  if (type === undefined || type.kind === 'void') return undefined;
  const resolved = layout.resolved(type);
  return isComputed(resolved) ? bitsOf(resolved) : undefined;
}

export function literal(value: bigint, bits: number): string {
  return `(_ bv${BigInt.asUintN(bits, value)} ${bits})`;
}

export function fitted(term: string, from: number, to: number): string {
  if (from === to) return term;
  return from > to ? `((_ extract ${to - 1} 0) ${term})` : `((_ zero_extend ${to - from}) ${term})`;
}
