/**
 * Finds where a failing run diverges from the passing run of the old version. Walks back from the failure along
 * values that differ, and ignores all equal ones (as "Comparative causality", Sumner and Zhang 2013, does without
 * changes).
 */

import { getOrCreate } from '../../program/graph/index.js';
import { operandsOf } from '../../program/ir/index.js';
import { type Instance, nowhere } from '../../symbolic/index.js';
import type { Change, ChangedFile } from '../changes/change.js';
import { ChangedDeclarations } from './changed-declarations.js';
import { RunPair } from './run-pair.js';
import type { PlacedRun } from './run-places.js';

/** Changes on that path, closest to the failure first. */
export interface Suspects {
  /** Changes that compute a different result from the inputs of the old run. */
  readonly origins: readonly Change[];
  /** Changes with the inputs of the old run that the old run did not execute, so no expected result is known. */
  readonly unjudged: readonly Change[];
  /** The origins because of which an unjudged change is executed. */
  readonly enablersOf: (unjudged: Change) => readonly Change[];
  /** The changes that call functions added by the given change. */
  readonly callsOf: (change: Change) => readonly Change[];
}

export interface Divergence extends Suspects {
  /** Changes whose inputs differ from the old run: they may only pass on a difference. */
  readonly carriers: readonly Change[];
}

/** The values that a change read, by name; a name with two different values is dropped. */
class ReadValues {
  readonly values = new Map<string, bigint>();
  readonly #unclear = new Set<string>();

  add(read: string | undefined, value: bigint | undefined): void {
    if (read === undefined || this.#unclear.has(read)) return;
    const known = this.values.get(read);
    if (value !== undefined && (known === undefined || known === value)) this.values.set(read, value);
    else {
      this.#unclear.add(read);
      this.values.delete(read);
    }
  }
}

/** @param failure in the new run */
export function divergenceOf(
  old: PlacedRun,
  next: PlacedRun,
  failure: Instance,
  files: readonly ChangedFile[],
): Divergence {
  const walk = new DivergenceWalk(new RunPair(old, next), new ChangedDeclarations(next.source, files));
  // All outputs, since the failure is only the first that differs.
  walk.from([failure, ...next.run.outputs]);
  return walk.result();
}

/** Maximum number of instances followed inside a change and the functions it adds. */
const maxSteps = 5000;
/** A loop may reach the same change by many decisions. */
const maxDecisions = 100;

class DivergenceWalk {
  readonly #seen: Uint8Array;
  readonly #queue: Instance[] = [];
  /** In the order of the walk. */
  readonly #met = new Set<Change>();
  readonly #origins = new Set<Change>();
  /** With the decisions by which they were reached. */
  readonly #unjudged = new Map<Change, Set<Instance>>();
  /** The effect of each change that is closest to the failure. */
  readonly #effects = new Map<Change, Instance>();

  readonly #old: PlacedRun;
  readonly #next: PlacedRun;

  constructor(
    private readonly pair: RunPair,
    private readonly declared: ChangedDeclarations,
  ) {
    [this.#old, this.#next] = [pair.old, pair.next];
    this.#seen = new Uint8Array(pair.next.run.instances);
  }

  /** Unchanged instances are not followed. */
  from(instances: Iterable<Instance>): void {
    for (const instance of instances) this.#follow(instance);
    for (let done = 0; done < this.#queue.length; done++) this.#visit(this.#queue[done] ?? nowhere);
  }

  result(): Divergence {
    const met = [...this.#met];
    const unjudged = met.filter((change) => this.#unjudged.has(change) && !this.#origins.has(change));
    return {
      origins: met.filter((change) => this.#origins.has(change)),
      unjudged,
      carriers: met.filter((change) => !this.#unjudged.has(change) && !this.#origins.has(change)),
      enablersOf: (change) => this.#originsOf(change),
      callsOf: (change) => this.#callsOf(change),
    };
  }

  /** Leaves functions that only the new version has, up to the call in a function of both versions. */
  #callsOf(change: Change): readonly Change[] {
    const { run } = this.#next;
    let at = this.#effects.get(change) ?? nowhere;
    if (at <= nowhere || !this.#next.isInNewFunction(at)) return [];
    while (at > nowhere && this.#next.isInNewFunction(at)) at = run.frame(run.frameOf(at))?.call ?? nowhere;
    const calling = at > nowhere ? this.#next.placeOf(at).change : undefined;
    return calling === undefined || calling === change ? [] : [calling];
  }

  readonly #knownOrigins = new Map<Change, readonly Change[]>();

  /** The origins of the decision by which an unjudged change was reached. */
  #originsOf(unjudged: Change): readonly Change[] {
    return getOrCreate(this.#knownOrigins, unjudged, () => {
      const walk = new DivergenceWalk(this.pair, this.declared);
      walk.from(this.#unjudged.get(unjudged) ?? []);
      return walk.result().origins;
    });
  }

  #follow(instance: Instance): void {
    if (instance <= nowhere || this.#seen[instance] === 1) return;
    this.#seen[instance] = 1;
    this.#queue.push(instance);
  }

  #blame(changes: Iterable<Change>): void {
    for (const change of changes) {
      this.#met.add(change);
      this.#origins.add(change);
    }
  }

  #visit(instance: Instance): void {
    const { change } = this.#next.placeOf(instance);
    const counterpart = this.pair.counterpartOf(instance);
    const isRead = this.#next.run.instructionOf(instance).op === 'load';
    if (counterpart !== undefined && (change === undefined || isRead)) this.#compare(instance, counterpart);
    else if (change === undefined) this.#visitUnmatched(instance);
    else if (counterpart === undefined || !this.pair.isSameCall(instance, counterpart))
      this.#visitChanged(instance, counterpart);
  }

  /** Compares the operands of an instruction that both runs executed. */
  #compare(instance: Instance, counterpart: Instance): void {
    const { run } = this.#next;
    const instruction = run.instructionOf(instance);
    const operands = run.operandsOf(instance);
    const isLike = this.pair.hasSameResult(instance, counterpart);
    if (instruction.op === 'load' && isLike && !this.pair.yieldsAddress(instance)) return;
    let isFound = false;
    const kinds = instruction.op === 'parameter' ? [instruction] : operandsOf(instruction);
    for (const [at, definition] of operands.entries()) {
      if (instruction.op === 'load') break;
      const isPointer = kinds[at]?.type.kind === 'pointer';
      if (isPointer && instruction.op === 'call') continue;
      const isSame =
        !isPointer && run.operandValue(instance, at) === this.#old.run.operandValue(counterpart, at);
      if (isSame) continue;
      if (isPointer || definition > nowhere) this.#follow(definition);
      else this.#blameDeclarations(instance);
      if (!isPointer) isFound = true;
    }
    isFound = this.#compareMemory(instance, counterpart) || isFound;
    if (isFound || isLike) return;
    // It was loaded from another address, or its initial value changed.
    if (instruction.op === 'load') for (const pointer of operands) this.#follow(pointer);
    if (instruction.op !== 'load' || this.pair.isSameElement(instance, counterpart))
      this.#blameDeclarations(instance);
  }

  #compareMemory(instance: Instance, counterpart: Instance): boolean {
    const [{ run }, before] = [this.#next, this.#old.run];
    const [read, readBefore] = [run.memoryOf(instance), before.memoryOf(counterpart)];
    let isFound = false;
    for (const [at, { writer }] of read.entries()) {
      const writerBefore = readBefore[at]?.writer ?? nowhere;
      const same = writer <= nowhere ? nowhere : this.pair.counterpartOf(writer);
      // Addresses cannot be compared between runs, only their origins.
      if (writer > nowhere && (this.pair.yieldsAddress(instance) || !this.pair.isUnchanged(writer))) {
        this.#follow(writer);
        isFound = true;
      }
      if (same === writerBefore) continue;
      isFound = true;
      if (this.#isReplaced(writer, writerBefore)) continue;
      // Another instruction wrote there, because of another address or because a write is missing.
      for (const pointer of run.operandsOf(instance)) this.#follow(pointer);
      this.#blameOmission(instance, writerBefore);
    }
    return isFound;
  }

  /** Another change in the same function writes there now, so no write is missing. */
  #isReplaced(writer: Instance, before: Instance): boolean {
    if (writer <= nowhere || before <= nowhere) return false;
    const [came, went] = [this.#next.placeOf(writer).change, this.#old.placeOf(before).change];
    return came !== undefined && came.file === went?.file && came.within === went.within;
  }

  /** The old run wrote there and this one did not: follows the decision that prevents it, or blames the removal. */
  #blameOmission(instance: Instance, before: Instance): void {
    const gone = new Set<Change>();
    for (let at = before; at > nowhere; at = this.#old.run.controllerOf(at)) {
      const { change } = this.#old.placeOf(at);
      const counterpart = this.#old.counterpartIn(this.#next, at);
      if (counterpart === undefined) {
        if (change !== undefined) gone.add(change);
        continue;
      }
      if (at === before) return;
      if (!this.pair.hasSameResult(counterpart, at)) {
        this.#follow(counterpart);
        return;
      }
      // The decision is the same: code was removed, or other code was added in between.
      this.#blame(gone.size > 0 ? gone : this.#next.decidingIn(instance, this.#old));
      return;
    }
    this.#blame(gone);
  }

  /**
   * Only this run executed it, and no change contains it: follows its differing inputs and the decision that led to
   * it.
   */
  #visitUnmatched(instance: Instance): void {
    const { run } = this.#next;
    for (const input of this.pair.inputsOf(instance)) if (!this.pair.isUnchanged(input)) this.#follow(input);
    const decider = run.controllerOf(instance);
    if (decider <= nowhere) return;
    this.#follow(decider);
    const before = this.pair.counterpartOf(decider);
    // The decision is the same: the code in between was removed.
    if (before !== undefined && this.pair.isUnchanged(decider))
      this.#blame(this.#old.decidingIn(before, this.#next));
  }

  /**
   * An effect of a change. If all of its inputs are unchanged, the change is an origin; else it is one if the old
   * code would have computed another result from these inputs.
   */
  #visitChanged(effect: Instance, counterpart: Instance | undefined): void {
    const { run } = this.#next;
    const changes = new Set<Change>();
    // No expected result is known for a function that only the new version has.
    const fresh = new Set<Change>();
    const inside = new Set([effect]);
    const given = new ReadValues();
    let isGiven = false;
    let decider = counterpart === undefined ? run.controllerOf(effect) : nowhere;
    for (const at of inside) {
      const { change } = this.#next.placeOf(at);
      if (change !== undefined) changes.add(change);
      if (change !== undefined && this.#next.isInNewFunction(at)) fresh.add(change);
      // Decisions of the change are part of its effect.
      const own = run.controllerOf(at);
      const deciding = own > nowhere ? this.#next.placeOf(own).change : undefined;
      if (deciding !== undefined && changes.has(deciding)) {
        inside.add(own);
        if (own === decider) decider = run.controllerOf(own);
      }
      for (const input of this.pair.inputsOf(at)) {
        if (inside.has(input)) continue;
        if (run.frameOf(input) === run.frameOf(effect))
          given.add(this.#next.placeOf(input).reads, this.pair.valueOf(input));
        if (this.#isInside(input, changes) && inside.size < maxSteps) inside.add(input);
        else if (!this.pair.isUnchanged(input)) {
          this.#follow(input);
          isGiven = true;
        }
      }
    }
    const isDecided = !this.pair.isUnchanged(decider);
    if (isDecided) this.#follow(decider);
    const isAddress = this.pair.yieldsAddress(effect);
    if (!isGiven && !isDecided && (counterpart === undefined || !isAddress)) this.#blame(changes);
    if (isGiven && counterpart !== undefined && !isAddress)
      if (this.pair.isComputedDifferently(effect, counterpart, given.values)) this.#blame(changes);
    for (const change of changes) {
      this.#met.add(change);
      if (!this.#effects.has(change) && this.#next.placeOf(effect).change === change)
        this.#effects.set(change, effect);
      if (isDecided || !isGiven || fresh.has(change)) this.#addUnjudged(change, isDecided ? decider : effect);
    }
  }

  #addUnjudged(unjudged: Change, decided: Instance): void {
    const decisions = getOrCreate(this.#unjudged, unjudged, () => new Set());
    if (decisions.size < maxDecisions) decisions.add(decided);
  }

  /** Does the input belong to the change itself, and not to code of both versions? */
  #isInside(input: Instance, changes: ReadonlySet<Change>): boolean {
    const { name, change } = this.#next.placeOf(input);
    if (name === undefined || this.#next.isInNewFunction(input)) return true;
    return change !== undefined && changes.has(change) && this.pair.counterpartOf(input) === undefined;
  }

  /** The line is unchanged, but a declaration that it uses changed. */
  #blameDeclarations(instance: Instance): void {
    const place = this.#next.run.lineOf(instance, this.#next.source);
    if (place !== undefined) this.#blame(this.declared.changesNamedOn(place));
  }
}
