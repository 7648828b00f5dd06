/** Two runs laid side by side: for what one of them did, what the other did in the same place. */

import { type Instruction, sourceLine, type Type, typeText, type Value } from '../../program/ir/index.js';
import {
  type Frame,
  type Instance,
  nowhere,
  type ParameterEntry,
  type Replay,
} from '../../symbolic/index.js';
import type { Change } from '../changes/change.js';
import type { AlignedLines } from './aligned-lines.js';

/** Where an instruction stands, in words that mean the same in both versions. */
export interface CodePlace {
  /** Undefined for what is only there on the way to what a change does. */
  readonly name: string | undefined;
  /** Where the other version knows no such name: what is done to which variable, in which change ever. */
  readonly moved?: string | undefined;
  /** Where that is not known either: its order in the change. A variable may have been renamed. */
  readonly order?: string | undefined;
  readonly change: Change | undefined;
}

interface FunctionPlaces {
  readonly of: ReadonlyMap<Instruction, CodePlace>;
  /** All of it stands in changes: it is only there in this version. */
  readonly isOwn: boolean;
}

const unplaced: CodePlace = { name: undefined, change: undefined };

/** Of both runs: an activation is told by the one that called it, its function, and how often that was called there before. */
export class FrameNames {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size + 1);
    return this.#numbers.size;
  }
}

/** One of the runs. */
export class PlacedRun {
  readonly #functions = new Map<Frame['blocks'], FunctionPlaces>();
  /** Instances by frame, one frame after the other. */
  readonly #order: Int32Array;
  readonly #starts: Int32Array;
  /** By frame, the instances in each place of it. */
  readonly #positions = new Map<number, ReadonlyMap<string, readonly Instance[]>>();
  /** By frame, its name in both runs; undefined where it is a part of what a change does. */
  readonly #names: (number | undefined)[] = [];
  readonly #frames = new Map<number, number>();

  constructor(
    readonly run: Replay,
    readonly source: string,
    private readonly lines: AlignedLines,
    names: FrameNames,
  ) {
    const counts: number[] = [];
    for (let at = 0; at < run.instances; at++) {
      const frame = run.frameOf(at);
      counts[frame] = (counts[frame] ?? 0) + 1;
    }
    const starts = new Int32Array(counts.length + 1);
    for (let frame = 0; frame < counts.length; frame++)
      starts[frame + 1] = (starts[frame] ?? 0) + (counts[frame] ?? 0);
    this.#starts = starts;
    this.#order = new Int32Array(run.instances);
    const next = starts.slice();
    for (let at = 0; at < run.instances; at++) {
      const frame = run.frameOf(at);
      const place = next[frame] ?? 0;
      this.#order[place] = at;
      next[frame] = place + 1;
    }
    this.#nameFrames(names);
  }

  #nameFrames(names: FrameNames): void {
    const calls = new Map<number, number>();
    const visible: number[] = [];
    for (let number = 0; ; number++) {
      const frame = this.run.frame(number);
      if (frame === undefined) return;
      const above = visible[frame.caller] ?? 0;
      if (this.#placesIn(frame).isOwn) {
        visible[number] = above;
        continue;
      }
      const called = names.of(`${above} ${frame.function}`);
      const times = calls.get(called) ?? 0;
      calls.set(called, times + 1);
      const name = names.of(`${called} ${times}`);
      visible[number] = name;
      this.#names[number] = name;
      this.#frames.set(name, number);
    }
  }

  placeOf(instance: Instance): CodePlace {
    const instruction = this.run.instructionOf(instance);
    const frame = this.run.frame(this.run.frameOf(instance));
    if (frame === undefined) return unplaced;
    const { of, isOwn } = this.#placesIn(frame);
    if (instruction.op === 'parameter')
      return isOwn ? unplaced : { name: `parameter ${instruction.index}`, change: undefined };
    return of.get(instruction) ?? unplaced;
  }

  /** What the other run did there at the same time, so to speak. */
  counterpartIn(other: PlacedRun, instance: Instance): Instance | undefined {
    const { name, moved, order } = this.placeOf(instance);
    const number = this.run.frameOf(instance);
    const frame = this.#names[number];
    const there = frame === undefined ? undefined : other.#frames.get(frame);
    if (name === undefined || there === undefined) return undefined;
    const [here, positions] = [this.#positionsIn(number), other.#positionsIn(there)];
    const inPlace = (known: string): Instance | undefined =>
      positions.get(known)?.[ordinalIn(here.get(known) ?? [], instance)];
    if (positions.has(name) || moved === undefined || order === undefined) return inPlace(name);
    const orphans = other.#orphansIn(there, here).get(moved);
    if (orphans === undefined) return inPlace(order);
    return orphans[ordinalIn(this.#orphansIn(number, positions).get(moved) ?? [], instance)];
  }

  readonly #orphans = new Map<number, ReadonlyMap<string, readonly Instance[]>>();

  /** What changes do in an activation that the other one has no name for, by what it is done to. */
  #orphansIn(
    frame: number,
    others: ReadonlyMap<string, readonly Instance[]>,
  ): ReadonlyMap<string, readonly Instance[]> {
    const known = this.#orphans.get(frame);
    if (known !== undefined) return known;
    const orphans = new Map<string, Instance[]>();
    for (const at of this.#instancesIn(frame)) {
      const { name, moved } = this.placeOf(at);
      if (moved === undefined || name === undefined || others.has(name)) continue;
      const there = orphans.get(moved);
      if (there === undefined) orphans.set(moved, [at]);
      else there.push(at);
    }
    this.#orphans.set(frame, orphans);
    return orphans;
  }

  /** Is it in a function that only this version has? */
  isOwn(instance: Instance): boolean {
    const frame = this.run.frame(this.run.frameOf(instance));
    return frame !== undefined && this.#placesIn(frame).isOwn;
  }

  /** The changes whose own code decides something in an activation that the other run does not decide, or otherwise. */
  decidingIn(instance: Instance, other: PlacedRun): readonly Change[] {
    const found = new Set<Change>();
    for (const at of this.#instancesIn(this.run.frameOf(instance))) {
      const { change } = this.placeOf(at);
      if (change === undefined || found.has(change)) continue;
      const { op } = this.run.instructionOf(at);
      if (op !== 'branch' && op !== 'switch' && op !== 'ret') continue;
      const counterpart = this.counterpartIn(other, at);
      const isSame =
        counterpart !== undefined &&
        (op === 'ret' || this.run.operandValue(at, 0) === other.run.operandValue(counterpart, 0));
      if (!isSame) found.add(change);
    }
    return [...found];
  }

  #instancesIn(frame: number): Int32Array {
    return this.#order.subarray(this.#starts[frame], this.#starts[frame + 1]);
  }

  #positionsIn(frame: number): ReadonlyMap<string, readonly Instance[]> {
    const known = this.#positions.get(frame);
    if (known !== undefined) return known;
    const positions = new Map<string, Instance[]>();
    for (const at of this.#instancesIn(frame)) {
      const { name, order } = this.placeOf(at);
      for (const one of [name, order]) {
        if (one === undefined) continue;
        const there = positions.get(one);
        if (there === undefined) positions.set(one, [at]);
        else there.push(at);
      }
    }
    this.#positions.set(frame, positions);
    return positions;
  }

  #placesIn(frame: Frame): FunctionPlaces {
    const known = this.#functions.get(frame.blocks);
    if (known !== undefined) return known;
    const of = new Map<Instruction, CodePlace>();
    const counts = new Map<string, number>();
    const variables = variablesIn(frame);
    let [own, other] = [0, 0];
    for (const { instructions, terminator } of frame.blocks)
      for (const instruction of [...instructions, terminator]) {
        const line = sourceLine(frame.module.debug, instruction.location, this.source);
        const { label, change } =
          line === undefined ? { label: '', change: undefined } : this.lines.at(line.file, line.line);
        if (line !== undefined) change === undefined ? other++ : own++;
        const word = change === undefined ? instruction.op : effectOf(instruction, variables);
        if (word === undefined) {
          of.set(instruction, { name: undefined, change });
          continue;
        }
        const place = change === undefined ? `${label} ${word}` : `change ${change.id} ${word}`;
        const count = counts.get(place) ?? 0;
        counts.set(place, count + 1);
        // What a change does to a variable is one thing, however often it is written there.
        if (change !== undefined && instruction.op === 'store') {
          const stores = `change ${change.id} stores`;
          const order = counts.get(stores) ?? 0;
          counts.set(stores, order + 1);
          of.set(instruction, { name: place, moved: word, order: `${stores} ${order}`, change });
        } else of.set(instruction, { name: `${place} ${count}`, change });
      }
    const places = { of, isOwn: own > 0 && other === 0 };
    this.#functions.set(frame.blocks, places);
    return places;
  }
}

/** What code does that can be seen outside of it, by a name for it in both versions. */
function effectOf(
  instruction: Instruction | ParameterEntry,
  variables: ReadonlyMap<string, string>,
): string | undefined {
  switch (instruction.op) {
    case 'store':
      return `store ${targetOf(instruction.pointer, instruction.value.type, variables)}`;
    case 'load':
      return `load ${targetOf(instruction.pointer, instruction.type, variables)}`;
    case 'branch':
    case 'switch':
    case 'ret':
      return instruction.op;
    case 'call':
      return instruction.callee.kind === 'global' ? `call ${instruction.callee.name}` : 'call';
    default:
      return undefined;
  }
}

/** What a pointer leads to: a variable or field by its name or number, else anything of its type. */
function targetOf(pointer: Value, type: Type, variables: ReadonlyMap<string, string>): string {
  if (pointer.kind === 'global') return `@${pointer.name}`;
  return (pointer.kind === 'local' ? variables.get(pointer.name) : undefined) ?? typeText(type);
}

/** By the name that the IR has for its place. */
function variablesIn({ blocks, module }: Frame): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { instructions } of blocks)
    for (const instruction of instructions) {
      if (instruction.op === 'getelementptr' && instruction.result !== undefined) {
        const path = instruction.indices.map((index) => (index.kind === 'integer' ? index.value : '…'));
        names.set(instruction.result, `${typeText(instruction.stepsOver)} ${path.join('.')}`);
      }
      if (instruction.op !== 'debug' || instruction.record !== 'declare') continue;
      const [value, node] = instruction.operands;
      if (value?.kind !== 'value' || value.value.kind !== 'local' || node?.kind !== 'node') continue;
      names.set(value.value.name, module.debug.variable(node.id)?.name ?? '');
    }
  return names;
}

/** In a list that goes up. */
function ordinalIn(list: readonly Instance[], instance: Instance): number {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const there = list[middle] ?? nowhere;
    if (there === instance) return middle;
    if (there < instance) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
