/** What the old code of a change would have made of what the new code was given. */

import type { BinaryOperator, CastOperator, Type } from '../../program/ir/index.js';
import { type Instance, nowhere } from '../../symbolic/index.js';
import type { PlacedRun } from './run-places.js';

/** Longer computations are not done again. */
const mostSteps = 1000;

/**
 * @param effect what the old code did
 * @param given by what is read, what the new code read there
 * @returns undefined where that cannot be told: the old code reads something else, or decides something
 */
export function madeByOld(
  old: PlacedRun,
  next: PlacedRun,
  effect: Instance,
  given: ReadonlyMap<string, bigint>,
): bigint | undefined {
  const { run } = old;
  let steps = 0;
  const operand = (instance: Instance, at: number): bigint | undefined => {
    const definition = run.operandsOf(instance)[at] ?? nowhere;
    return definition <= nowhere ? run.operandValue(instance, at) : made(definition);
  };
  const made = (instance: Instance): bigint | undefined => {
    if (++steps > mostSteps) return undefined;
    const { reads, change } = old.placeOf(instance);
    const isHere = run.frameOf(instance) === run.frameOf(effect);
    if (isHere && reads !== undefined) return given.get(reads);
    if (!isHere || change === undefined) {
      const counterpart = old.counterpartIn(next, instance);
      return counterpart === undefined ? undefined : next.run.valueOf(counterpart);
    }
    return computed(instance);
  };
  const computed = (instance: Instance): bigint | undefined => {
    const instruction = run.instructionOf(instance);
    switch (instruction.op) {
      case 'store':
      case 'ret':
      case 'branch':
      case 'switch':
      case 'freeze':
        return operand(instance, 0);
      case 'binary': {
        const [left, right] = [operand(instance, 0), operand(instance, 1)];
        if (left === undefined || right === undefined) return undefined;
        return binary(instruction.operator, bitsOf(instruction.type), left, right);
      }
      case 'compare': {
        const [left, right] = [operand(instance, 0), operand(instance, 1)];
        if (left === undefined || right === undefined || instruction.operator !== 'icmp') return undefined;
        return compared(instruction.predicate, bitsOf(instruction.left.type), left, right);
      }
      case 'cast': {
        const value = operand(instance, 0);
        if (value === undefined) return undefined;
        return cast(instruction.operator, bitsOf(instruction.value.type), bitsOf(instruction.type), value);
      }
      default:
        return undefined;
    }
  };
  return computed(effect);
}

function bitsOf(type: Type): number {
  return type.kind === 'integer' ? type.bits : 0;
}

function binary(operator: BinaryOperator, bits: number, left: bigint, right: bigint): bigint | undefined {
  const way = operators.get(operator);
  const isDivision = operator.endsWith('div') || operator.endsWith('rem');
  if (way === undefined || bits === 0 || (isDivision && right === 0n)) return undefined;
  return BigInt.asUintN(bits, way(left, right, bits));
}

const signed = (value: bigint, bits: number): bigint => BigInt.asIntN(bits, value);

type Way = (left: bigint, right: bigint, bits: number) => bigint;

const operators: ReadonlyMap<BinaryOperator, Way> = new Map<BinaryOperator, Way>([
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

const relations: ReadonlyMap<string, (left: bigint, right: bigint) => boolean> = new Map([
  ['eq', (left, right) => left === right],
  ['ne', (left, right) => left !== right],
  ['gt', (left, right) => left > right],
  ['ge', (left, right) => left >= right],
  ['lt', (left, right) => left < right],
  ['le', (left, right) => left <= right],
]);

function compared(predicate: string, bits: number, left: bigint, right: bigint): bigint | undefined {
  if (bits === 0) return undefined;
  const isSigned = predicate.startsWith('s');
  const relation = relations.get(predicate.slice(-2));
  if (relation === undefined) return undefined;
  const holds = isSigned ? relation(signed(left, bits), signed(right, bits)) : relation(left, right);
  return holds ? 1n : 0n;
}

function cast(operator: CastOperator, from: number, to: number, value: bigint): bigint | undefined {
  if (from === 0 || to === 0) return undefined;
  if (operator === 'trunc' || operator === 'zext') return BigInt.asUintN(to, value);
  return operator === 'sext' ? BigInt.asUintN(to, signed(value, from)) : undefined;
}
