/** A run of the old version next to a run of the new one. */

import type { Instruction, Type } from '../../program/ir/index.js';
import { type Instance, nowhere, type ParameterEntry } from '../../symbolic/index.js';
import { oldCodeResult } from './old-code-result.js';
import type { PlacedRun } from './run-places.js';

/** Instances belong to the new run, counterparts to the old one. */
export class RunPair {
  constructor(
    readonly old: PlacedRun,
    readonly next: PlacedRun,
  ) {}

  /** The same execution of the same instruction in the old run; undefined if there is none. */
  counterpartOf(instance: Instance): Instance | undefined {
    return this.next.counterpartIn(this.old, instance);
  }

  /** Do both compute the same value, or branch in the same way? */
  hasSameResult(instance: Instance, counterpart: Instance): boolean {
    if (this.#isDecision(instance)) return this.next.isSameDecision(instance, this.old, counterpart);
    return valueIn(this.next, instance) === valueIn(this.old, counterpart);
  }

  /** Did the old run execute it with the same result? */
  isUnchanged(instance: Instance): boolean {
    if (instance <= nowhere) return true;
    const counterpart = this.counterpartOf(instance);
    return counterpart !== undefined && this.hasSameResult(instance, counterpart);
  }

  /** Is it a call with the same numeric arguments? */
  isSameCall(instance: Instance, counterpart: Instance): boolean {
    const call = this.next.run.instructionOf(instance);
    if (call.op !== 'call') return false;
    const [given, before] = [this.next.run.argumentsOf(instance), this.old.run.argumentsOf(counterpart)];
    return (
      given.length === before.length &&
      given.every((value, at) => call.arguments[at]?.type.kind === 'pointer' || value === before[at])
    );
  }

  /** Do both load the same element, as far as the indices next to the load show? */
  isSameElement(load: Instance, counterpart: Instance): boolean {
    let [at, before] = [this.next.run.operandsOf(load)[0], this.old.run.operandsOf(counterpart)[0]];
    while (at !== undefined && before !== undefined && at > nowhere && before > nowhere) {
      const element = this.next.run.instructionOf(at);
      if (element.op !== 'getelementptr') return true;
      for (let index = 1; index <= element.indices.length; index++)
        if (this.next.run.operandValue(at, index) !== this.old.run.operandValue(before, index)) return false;
      [at, before] = [this.next.run.operandsOf(at)[0], this.old.run.operandsOf(before)[0]];
    }
    return true;
  }

  /** Addresses differ between runs and cannot be compared. */
  yieldsAddress(instance: Instance): boolean {
    return resultOperand(this.next.run.instructionOf(instance))?.type.kind === 'pointer';
  }

  inputsOf(instance: Instance): readonly Instance[] {
    const { run } = this.next;
    const writers = run.memoryOf(instance).map(({ writer }) => writer);
    return [...run.operandsOf(instance), ...writers].filter((input) => input > nowhere);
  }

  /**
   * @param given values that the new code read, by name
   * @returns false if the result of the old code is unknown
   */
  isComputedDifferently(
    instance: Instance,
    counterpart: Instance,
    given: ReadonlyMap<string, bigint>,
  ): boolean {
    const made = oldCodeResult(this.old, this.next, counterpart, given);
    if (made === undefined) return false;
    return this.#isDecision(instance)
      ? !this.next.isSameDecision(instance, this.old, counterpart, made)
      : made !== valueIn(this.next, instance);
  }

  /** The value in the new run; undefined for addresses. */
  valueOf(instance: Instance): bigint | undefined {
    return valueIn(this.next, instance);
  }

  #isDecision(instance: Instance): boolean {
    const { op } = this.next.run.instructionOf(instance);
    return op === 'branch' || op === 'switch';
  }
}

/** Undefined for addresses, which cannot be compared between runs. */
function valueIn({ run }: PlacedRun, instance: Instance): bigint | undefined {
  const instruction = run.instructionOf(instance);
  const value = resultOperand(instruction);
  return value === undefined || value.type.kind === 'pointer' ? undefined : run.valueOf(instance);
}

/** The operand or instruction that has the resulting value. */
function resultOperand(instruction: Instruction | ParameterEntry): { readonly type: Type } | undefined {
  return instruction.op === 'store' || instruction.op === 'ret' ? instruction.value : instruction;
}
