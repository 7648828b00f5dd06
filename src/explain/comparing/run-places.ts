/** Matches the instances of two runs by places that both versions share. */

import { getOrCreate } from '../../program/graph/index.js';
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

/** The place of an instruction, named in the same way for both versions. */
export interface CodePlace {
  /** Undefined for intermediate computations of a change. */
  readonly name: string | undefined;
  /** Fallback if the other version has no such name: the operation and its variable, in any change. */
  readonly moved?: string | undefined;
  /** Second fallback: the position in the change, since a variable may have been renamed. */
  readonly order?: string | undefined;
  /** The name of the value, for a load in a change. */
  readonly reads?: string | undefined;
  readonly change: Change | undefined;
}

interface FunctionPlaces {
  readonly of: ReadonlyMap<Instruction, CodePlace>;
  /** All names in the function, executed or not. */
  readonly names: ReadonlySet<string>;
  /** All of its lines are in changes, so only this version has it. */
  readonly isNewFunction: boolean;
}

const unplaced: CodePlace = { name: undefined, change: undefined };

/** Shared by both runs: identifies an activation by its caller, its function and the number of earlier calls. */
export class FrameNames {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size + 1);
    return this.#numbers.size;
  }
}

export class PlacedRun {
  readonly #functions = new Map<Frame['blocks'], FunctionPlaces>();
  /** Instances sorted by frame. */
  readonly #order: Int32Array;
  readonly #starts: Int32Array;
  /** By frame, the instances at each place. */
  readonly #positions = new Map<number, ReadonlyMap<string, readonly Instance[]>>();
  /** The names of frames in both runs; undefined for frames of new functions. */
  readonly #names: (number | undefined)[] = [];
  readonly #frames = new Map<number, number>();

  constructor(
    readonly run: Replay,
    readonly source: string,
    private readonly lines: AlignedLines,
    names: FrameNames,
    /** The other run: renamed variables get the names that they had there. */
    private readonly before?: PlacedRun,
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
      if (this.#placesIn(frame).isNewFunction) {
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
    const { of, isNewFunction } = this.#placesIn(frame);
    if (instruction.op === 'parameter')
      return isNewFunction ? unplaced : { name: `parameter ${instruction.index}`, change: undefined };
    return of.get(instruction) ?? unplaced;
  }

  /** The same execution of the same place in the other run. */
  counterpartIn(other: PlacedRun, instance: Instance): Instance | undefined {
    const { name, moved, order } = this.placeOf(instance);
    const number = this.run.frameOf(instance);
    const frame = this.#names[number];
    const there = frame === undefined ? undefined : other.#frames.get(frame);
    if (name === undefined || there === undefined) return undefined;
    const [here, positions] = [this.#positionsIn(number), other.#positionsIn(there)];
    const inPlace = (known: string): Instance | undefined =>
      positions.get(known)?.[ordinalIn(here.get(known) ?? [], instance)];
    if (moved === undefined || order === undefined || other.#namesIn(there).has(name)) return inPlace(name);
    const orphans = other.#orphansIn(there, this.#namesIn(number)).get(moved);
    if (orphans === undefined) {
      const found = inPlace(order);
      const its = found === undefined ? undefined : other.placeOf(found).name;
      return its !== undefined && this.#namesIn(number).has(its) ? undefined : found;
    }
    return orphans[ordinalIn(this.#orphansIn(number, other.#namesIn(there)).get(moved) ?? [], instance)];
  }

  #namesIn(number: number): ReadonlySet<string> {
    const frame = this.run.frame(number);
    return frame === undefined ? new Set() : this.#placesIn(frame).names;
  }

  readonly #orphans = new Map<number, ReadonlyMap<string, readonly Instance[]>>();

  /** Effects of changes in an activation that have no name in the other version, grouped by what they write. */
  #orphansIn(frame: number, others: ReadonlySet<string>): ReadonlyMap<string, readonly Instance[]> {
    return getOrCreate(this.#orphans, frame, () => {
      const orphans = new Map<string, Instance[]>();
      for (const at of this.#instancesIn(frame)) {
        const { name, moved } = this.placeOf(at);
        if (moved !== undefined && name !== undefined && !others.has(name))
          getOrCreate(orphans, moved, () => []).push(at);
      }
      return orphans;
    });
  }

  /**
   * The place a branch leads to, since a change may negate its condition; undefined if it leads only to changed code.
   */
  targetOf(branch: Instance, condition: bigint | undefined): string | undefined {
    const instruction = this.run.instructionOf(branch);
    const frame = this.run.frame(this.run.frameOf(branch));
    if (instruction.op !== 'branch' || frame === undefined || condition === undefined) return undefined;
    const label = condition === 0n ? instruction.otherwise : instruction.then;
    const { of } = this.#placesIn(frame);
    const block = frame.blocks.find((one) => one.label === label);
    for (const inside of block === undefined ? [] : [...block.instructions, block.terminator]) {
      const place = of.get(inside);
      if (place?.change === undefined && place?.name !== undefined && inside.location !== undefined)
        return place.name;
    }
    return undefined;
  }

  /** Do both branches lead to the same place? @param condition replaces the value of the other branch */
  isSameDecision(
    branch: Instance,
    other: PlacedRun,
    counterpart: Instance,
    condition = other.run.operandValue(counterpart, 0),
  ): boolean {
    const own = this.run.operandValue(branch, 0);
    const [mine, its] = [this.targetOf(branch, own), other.targetOf(counterpart, condition)];
    return mine === undefined || its === undefined ? own === condition : mine === its;
  }

  isInNewFunction(instance: Instance): boolean {
    const frame = this.run.frame(this.run.frameOf(instance));
    return frame !== undefined && this.#placesIn(frame).isNewFunction;
  }

  /** The changes that branch or return in this activation otherwise than the other run. */
  decidingIn(instance: Instance, other: PlacedRun): readonly Change[] {
    const found = new Set<Change>();
    for (const at of this.#instancesIn(this.run.frameOf(instance))) {
      const { change } = this.placeOf(at);
      if (change === undefined || found.has(change)) continue;
      const { op } = this.run.instructionOf(at);
      if (op !== 'branch' && op !== 'switch' && op !== 'ret') continue;
      const counterpart = this.counterpartIn(other, at);
      const isSame =
        counterpart !== undefined && (op === 'ret' || this.isSameDecision(at, other, counterpart));
      if (!isSame) found.add(change);
    }
    return [...found];
  }

  /** The variables of each function, in order. */
  readonly #variables = new Map<string, readonly string[]>();

  #variablesIn(frame: Frame): ReadonlyMap<string, string> {
    const variables = variablesIn(frame);
    const names = [...new Set(variables.values())];
    this.#variables.set(frame.function, names);
    const before =
      (this.before === undefined ? undefined : this.before.#variables.get(frame.function)) ?? names;
    const [gone, come] = [
      before.filter((name) => !names.includes(name)),
      names.filter((name) => !before.includes(name)),
    ];
    // The same number of removed and added variables is taken as a renaming.
    if (gone.length !== come.length || gone.length === 0) return variables;
    const renamed = new Map(come.map((name, at) => [name, gone[at] ?? name]));
    return new Map([...variables].map(([place, name]) => [place, renamed.get(name) ?? name]));
  }

  #instancesIn(frame: number): Int32Array {
    return this.#order.subarray(this.#starts[frame], this.#starts[frame + 1]);
  }

  #positionsIn(frame: number): ReadonlyMap<string, readonly Instance[]> {
    return getOrCreate(this.#positions, frame, () => {
      const positions = new Map<string, Instance[]>();
      for (const at of this.#instancesIn(frame)) {
        const { name, order } = this.placeOf(at);
        for (const place of [name, order])
          if (place !== undefined) getOrCreate(positions, place, () => []).push(at);
      }
      return positions;
    });
  }

  #placesIn(frame: Frame): FunctionPlaces {
    const known = this.#functions.get(frame.blocks);
    if (known !== undefined) return known;
    const of = new Map<Instruction, CodePlace>();
    const counts = new Map<string, number>();
    const variables = new Map([...elementsIn(frame), ...this.#variablesIn(frame)]);
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
        // All stores of a change to one variable share a place.
        if (change !== undefined && instruction.op === 'store') {
          const stores = `change ${change.id} stores`;
          const order = counts.get(stores) ?? 0;
          counts.set(stores, order + 1);
          of.set(instruction, { name: place, moved: word, order: `${stores} ${order}`, change });
        } else {
          const reads = change !== undefined && instruction.op === 'load' ? word : undefined;
          of.set(instruction, { name: `${place} ${count}`, reads, change });
        }
      }
    const names = new Set([...of.values()].flatMap(({ name }) => name ?? []));
    const places = { of, names, isNewFunction: own > 0 && other === 0 };
    this.#functions.set(frame.blocks, places);
    return places;
  }
}

/** The effect of an instruction that is visible outside of its change, named in the same way for both versions. */
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

/** The variable or field that a pointer refers to, else the type. */
function targetOf(pointer: Value, type: Type, variables: ReadonlyMap<string, string>): string {
  if (pointer.kind === 'global') return `@${pointer.name}`;
  return (pointer.kind === 'local' ? variables.get(pointer.name) : undefined) ?? typeText(type);
}

/** By the local name in the IR. */
function variablesIn({ blocks, module }: Frame): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { instructions } of blocks)
    for (const instruction of instructions) {
      if (instruction.op !== 'debug' || instruction.record !== 'declare') continue;
      const [value, node] = instruction.operands;
      if (value?.kind !== 'value' || value.value.kind !== 'local' || node?.kind !== 'node') continue;
      names.set(value.value.name, module.debug.variable(node.id)?.name ?? '');
    }
  return names;
}

/** Array elements and fields, by type and indices. */
function elementsIn({ blocks }: Frame): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { instructions } of blocks)
    for (const instruction of instructions) {
      if (instruction.op !== 'getelementptr' || instruction.result === undefined) continue;
      const path = instruction.indices.map((index) => (index.kind === 'integer' ? index.value : '…'));
      names.set(instruction.result, `${typeText(instruction.stepsOver)} ${path.join('.')}`);
    }
  return names;
}

/** Binary search in an ascending list; -1 if absent. */
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
