/** Computes the result that the old code of a change would have for the inputs of the new code. */

import type { Type } from '../../program/ir/index.js';
import { binaryOf, castOf, type Instance, nowhere, relationHolds } from '../../symbolic/index.js';
import type { PlacedRun } from './run-places.js';

const maxSteps = 1000;

/**
 * @param effect an effect of the old code
 * @param given the values that the new code read, by name
 * @returns undefined if unknown: the old code reads another value, or branches
 */
export function oldCodeResult(
  old: PlacedRun,
  next: PlacedRun,
  effect: Instance,
  given: ReadonlyMap<string, bigint>,
): bigint | undefined {
  const { run } = old;
  let steps = 0;
  const operand = (instance: Instance, at: number): bigint | undefined => {
    const definition = run.operandsOf(instance)[at] ?? nowhere;
    return definition <= nowhere ? run.operandValue(instance, at) : resultOf(definition);
  };
  const resultOf = (instance: Instance): bigint | undefined => {
    if (++steps > maxSteps) return undefined;
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
        return binaryOf(instruction.operator, bitsOf(instruction.type), left, right);
      }
      case 'compare': {
        const [left, right] = [operand(instance, 0), operand(instance, 1)];
        if (left === undefined || right === undefined || instruction.operator !== 'icmp') return undefined;
        const holds = relationHolds(instruction.predicate, bitsOf(instruction.left.type), left, right);
        return holds === undefined ? undefined : holds ? 1n : 0n;
      }
      case 'cast': {
        const value = operand(instance, 0);
        if (value === undefined) return undefined;
        return castOf(instruction.operator, bitsOf(instruction.value.type), bitsOf(instruction.type), value);
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
