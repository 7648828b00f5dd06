/**
 * Where a failing run parts from the passing one of the old version: back from the failure along values that are not what
 * they were, past all that is the same in both (as "Comparative causality", Sumner and Zhang 2013, does without changes).
 */

import { operandsOf } from '../../program/ir/index.js';
import { type Instance, nowhere } from '../../symbolic/index.js';
import type { Change, ChangedFile } from '../changes/change.js';
import { Declared } from './changed-declarations.js';
import { RunPair } from './run-pair.js';
import type { PlacedRun } from './run-places.js';

/** The changes on that way, closest to the failure first. */
export interface Parting {
  /** What they are given is as it was, and what they make of it is not. */
  readonly sources: readonly Change[];
  /** What they are given is as it was, but the old run did not come to do it: nobody knows what it should be. */
  readonly unjudged: readonly Change[];
  /** What they are given is not as it was: they may only pass it on. */
  readonly carriers: readonly Change[];
  /** The sources because of which one of the unjudged is come to. */
  readonly lettersOf: (unjudged: Change) => readonly Change[];
  /** Of a change with functions that only the new version has, those by whose calls they are come to. */
  readonly callsOf: (change: Change) => readonly Change[];
}

/** What code of a change read; where it read different things by one name, that is not known. */
class Given {
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
export function partingOf(
  old: PlacedRun,
  next: PlacedRun,
  failure: Instance,
  files: readonly ChangedFile[],
): Parting {
  const walk = new PartingWalk(new RunPair(old, next), new Declared(next.source, files));
  // From all that is seen from outside: the failure is what was seen first.
  walk.from([failure, ...next.run.outputs]);
  return walk.parting();
}

/** The code of a change and what it calls of its own: longer ways in there are not gone to their ends. */
const mostSteps = 5000;
/** A loop comes to the same change by one decision after another. */
const mostDeciders = 100;

class PartingWalk {
  readonly #seen: Uint8Array;
  readonly #left: Instance[] = [];
  /** In the order they were met. */
  readonly #met = new Set<Change>();
  readonly #sources = new Set<Change>();
  /** With what decided that they are come to. */
  readonly #unjudged = new Map<Change, Set<Instance>>();
  /** What each of them does, closest to the failure. */
  readonly #effects = new Map<Change, Instance>();

  readonly #old: PlacedRun;
  readonly #next: PlacedRun;

  constructor(
    private readonly pair: RunPair,
    private readonly declared: Declared,
  ) {
    [this.#old, this.#next] = [pair.old, pair.next];
    this.#seen = new Uint8Array(pair.next.run.instances);
  }

  /** What is as it was leads nowhere. */
  from(instances: Iterable<Instance>): void {
    for (const instance of instances) this.#follow(instance);
    for (let done = 0; done < this.#left.length; done++) this.#visit(this.#left[done] ?? nowhere);
  }

  parting(): Parting {
    const met = [...this.#met];
    const unjudged = met.filter((change) => this.#unjudged.has(change) && !this.#sources.has(change));
    return {
      sources: met.filter((change) => this.#sources.has(change)),
      unjudged,
      carriers: met.filter((change) => !this.#unjudged.has(change) && !this.#sources.has(change)),
      lettersOf: (change) => this.#sourcesOf(change),
      callsOf: (change) => this.#callsOf(change),
    };
  }

  /** Out of functions that only the new version has, to the call in one that both have. */
  #callsOf(change: Change): readonly Change[] {
    const { run } = this.#next;
    let at = this.#effects.get(change) ?? nowhere;
    if (at <= nowhere || !this.#next.isOwn(at)) return [];
    while (at > nowhere && this.#next.isOwn(at)) at = run.frame(run.frameOf(at))?.call ?? nowhere;
    const calling = at > nowhere ? this.#next.placeOf(at).change : undefined;
    return calling === undefined || calling === change ? [] : [calling];
  }

  readonly #knownSources = new Map<Change, readonly Change[]>();

  /** Of the decision that something unjudged was come to by. */
  #sourcesOf(unjudged: Change): readonly Change[] {
    const known = this.#knownSources.get(unjudged);
    if (known !== undefined) return known;
    const walk = new PartingWalk(this.pair, this.declared);
    walk.from(this.#unjudged.get(unjudged) ?? []);
    const { sources } = walk.parting();
    this.#knownSources.set(unjudged, sources);
    return sources;
  }

  #follow(instance: Instance): void {
    if (instance <= nowhere || this.#seen[instance] === 1) return;
    this.#seen[instance] = 1;
    this.#left.push(instance);
  }

  #blame(changes: Iterable<Change>): void {
    for (const change of changes) {
      this.#met.add(change);
      this.#sources.add(change);
    }
  }

  #visit(instance: Instance): void {
    const { change } = this.#next.placeOf(instance);
    const counterpart = this.pair.counterpartOf(instance);
    const isRead = this.#next.run.instructionOf(instance).op === 'load';
    if (counterpart !== undefined && (change === undefined || isRead)) this.#compare(instance, counterpart);
    else if (change === undefined) this.#lookAround(instance);
    else if (counterpart === undefined || !this.pair.isSameCall(instance, counterpart))
      this.#lookInto(instance, counterpart);
  }

  /** The same instruction in both runs: what it was given that is not the same. */
  #compare(instance: Instance, counterpart: Instance): void {
    const { run } = this.#next;
    const instruction = run.instructionOf(instance);
    const operands = run.operandsOf(instance);
    const isLike = this.pair.isLike(instance, counterpart);
    if (instruction.op === 'load' && isLike && !this.pair.isAddress(instance)) return;
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
      else this.#blameText(instance);
      if (!isPointer) isFound = true;
    }
    isFound = this.#compareMemory(instance, counterpart) || isFound;
    if (isFound || isLike) return;
    // It was read from elsewhere, or has been something else from the beginning.
    if (instruction.op === 'load') for (const pointer of operands) this.#follow(pointer);
    if (instruction.op !== 'load' || this.pair.isSamePlace(instance, counterpart)) this.#blameText(instance);
  }

  #compareMemory(instance: Instance, counterpart: Instance): boolean {
    const [{ run }, before] = [this.#next, this.#old.run];
    const [read, readBefore] = [run.memoryOf(instance), before.memoryOf(counterpart)];
    let isFound = false;
    for (const [at, { writer }] of read.entries()) {
      const writerBefore = readBefore[at]?.writer ?? nowhere;
      const same = writer <= nowhere ? nowhere : this.pair.counterpartOf(writer);
      // Of addresses nothing is known but where they come from.
      if (writer > nowhere && (this.pair.isAddress(instance) || !this.pair.isAsBefore(writer))) {
        this.#follow(writer);
        isFound = true;
      }
      if (same === writerBefore) continue;
      isFound = true;
      if (this.#isReplaced(writer, writerBefore)) continue;
      // It was another that wrote there: from another address, or because something was not done.
      for (const pointer of run.operandsOf(instance)) this.#follow(pointer);
      this.#blameOmission(instance, writerBefore);
    }
    return isFound;
  }

  /** What a change did to it before, another one in the same function does now: nothing is missing. */
  #isReplaced(writer: Instance, before: Instance): boolean {
    if (writer <= nowhere || before <= nowhere) return false;
    const [came, went] = [this.#next.placeOf(writer).change, this.#old.placeOf(before).change];
    return came !== undefined && came.file === went?.file && came.within === went.within;
  }

  /** What the old run did, and this one did not: whatever decided on it, or what is gone. */
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
      if (!this.pair.isLike(counterpart, at)) {
        this.#follow(counterpart);
        return;
      }
      // It was decided as before: something is gone, or something else has come in between.
      this.#blame(gone.size > 0 ? gone : this.#next.decidingIn(instance, this.#old));
      return;
    }
    this.#blame(gone);
  }

  /** Only this run does it, and not by a change: what decided on it, and what it was given that is not as it was. */
  #lookAround(instance: Instance): void {
    const { run } = this.#next;
    for (const input of this.pair.inputsOf(instance)) if (!this.pair.isAsBefore(input)) this.#follow(input);
    const decider = run.controllerOf(instance);
    if (decider <= nowhere) return;
    this.#follow(decider);
    const before = this.pair.counterpartOf(decider);
    // It was decided as before: what came in between is gone.
    if (before !== undefined && this.pair.isAsBefore(decider))
      this.#blame(this.#old.decidingIn(before, this.#next));
  }

  /**
   * What the code of a change does: where all that it is given is as it was, the change is to blame for it; else if the
   * old code would have made something else of the same.
   */
  #lookInto(effect: Instance, counterpart: Instance | undefined): void {
    const { run } = this.#next;
    const changes = new Set<Change>();
    // Of a function that only the new version has nobody knows what it should make of what it is given.
    const fresh = new Set<Change>();
    const inside = new Set([effect]);
    const given = new Given();
    let isGiven = false;
    let decider = counterpart === undefined ? run.controllerOf(effect) : nowhere;
    for (const at of inside) {
      const { change } = this.#next.placeOf(at);
      if (change !== undefined) changes.add(change);
      if (change !== undefined && this.#next.isOwn(at)) fresh.add(change);
      // What the change itself decides is a part of what it does.
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
        if (this.#isInside(input, changes) && inside.size < mostSteps) inside.add(input);
        else if (!this.pair.isAsBefore(input)) {
          this.#follow(input);
          isGiven = true;
        }
      }
    }
    const isDecided = !this.pair.isAsBefore(decider);
    if (isDecided) this.#follow(decider);
    const isAddress = this.pair.isAddress(effect);
    if (!isGiven && !isDecided && (counterpart === undefined || !isAddress)) this.#blame(changes);
    if (isGiven && counterpart !== undefined && !isAddress)
      if (this.pair.isMadeOtherwise(effect, counterpart, given.values)) this.#blame(changes);
    for (const change of changes) {
      this.#met.add(change);
      if (!this.#effects.has(change) && this.#next.placeOf(effect).change === change)
        this.#effects.set(change, effect);
      if (isDecided || !isGiven || fresh.has(change)) this.#leave(change, isDecided ? decider : effect);
    }
  }

  #leave(unjudged: Change, decided: Instance): void {
    const known = this.#unjudged.get(unjudged) ?? new Set();
    if (known.size < mostDeciders) known.add(decided);
    this.#unjudged.set(unjudged, known);
  }

  /** On the way to what a change does, and nothing that the old version has, too. */
  #isInside(input: Instance, changes: ReadonlySet<Change>): boolean {
    const { name, change } = this.#next.placeOf(input);
    if (name === undefined || this.#next.isOwn(input)) return true;
    return change !== undefined && changes.has(change) && this.pair.counterpartOf(input) === undefined;
  }

  /** An unchanged line means something else. */
  #blameText(instance: Instance): void {
    const place = this.#next.run.lineOf(instance, this.#next.source);
    if (place !== undefined) this.#blame(this.declared.namedIn(place));
  }
}
