/** A run of the old version and one of the new, one beside the other. */

import type { Instruction, Type } from '../../program/ir/index.js';
import { type Instance, nowhere, type ParameterEntry } from '../../symbolic/index.js';
import { madeByOld } from './old-code-result.js';
import type { PlacedRun } from './run-places.js';

/** Instances are those of the new run, counterparts those of the old one. */
export class RunPair {
  constructor(
    readonly old: PlacedRun,
    readonly next: PlacedRun,
  ) {}

  /** The same instruction in the old run, as often done before; undefined where that did not come to it. */
  counterpartOf(instance: Instance): Instance | undefined {
    return this.next.counterpartIn(this.old, instance);
  }

  /** Do both hand on the same, or decide alike? */
  isLike(instance: Instance, counterpart: Instance): boolean {
    if (this.#isDecision(instance)) return this.next.isSameDecision(instance, this.old, counterpart);
    return valueIn(this.next, instance) === valueIn(this.old, counterpart);
  }

  /** Did the old run do it, too, with the same result? */
  isAsBefore(instance: Instance): boolean {
    if (instance <= nowhere) return true;
    const counterpart = this.counterpartOf(instance);
    return counterpart !== undefined && this.isLike(instance, counterpart);
  }

  /** The same call outside, with the same numbers. */
  isSameCall(instance: Instance, counterpart: Instance): boolean {
    const call = this.next.run.instructionOf(instance);
    if (call.op !== 'call') return false;
    const [given, before] = [this.next.run.argumentsOf(instance), this.old.run.argumentsOf(counterpart)];
    return (
      given.length === before.length &&
      given.every((value, at) => call.arguments[at]?.type.kind === 'pointer' || value === before[at])
    );
  }

  /** Are what they read from elements of the same number, as far as the code beside them tells? */
  isSamePlace(load: Instance, counterpart: Instance): boolean {
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

  /** Does it hand on an address, which says nothing in another run? */
  isAddress(instance: Instance): boolean {
    return handedOn(this.next.run.instructionOf(instance))?.type.kind === 'pointer';
  }

  /** What it was computed from. */
  inputsOf(instance: Instance): readonly Instance[] {
    const { run } = this.next;
    const writers = run.memoryOf(instance).map(({ writer }) => writer);
    return [...run.operandsOf(instance), ...writers].filter((input) => input > nowhere);
  }

  /** @param given what was read, by its name; false where it is not known what the old code would have made of it */
  isMadeOtherwise(instance: Instance, counterpart: Instance, given: ReadonlyMap<string, bigint>): boolean {
    const made = madeByOld(this.old, this.next, counterpart, given);
    if (made === undefined) return false;
    return this.#isDecision(instance)
      ? !this.next.isSameDecision(instance, this.old, counterpart, made)
      : made !== valueIn(this.next, instance);
  }

  /** What it computed in the new run; undefined for addresses. */
  valueOf(instance: Instance): bigint | undefined {
    return valueIn(this.next, instance);
  }

  #isDecision(instance: Instance): boolean {
    const { op } = this.next.run.instructionOf(instance);
    return op === 'branch' || op === 'switch';
  }
}

/** What it computed; undefined for addresses, which say nothing in another run. */
function valueIn({ run }: PlacedRun, instance: Instance): bigint | undefined {
  const instruction = run.instructionOf(instance);
  const value = handedOn(instruction);
  return value === undefined || value.type.kind === 'pointer' ? undefined : run.valueOf(instance);
}

/** What it hands on. */
function handedOn(instruction: Instruction | ParameterEntry): { readonly type: Type } | undefined {
  return instruction.op === 'store' || instruction.op === 'ret' ? instruction.value : instruction;
}
