/**
 * Memory as variables: parts of objects that are never told apart. What reads and writes which of them is all that
 * dependences through memory are made of.
 */

import type { CallTree } from './call-tree.js';
import { mayMeet, type Offsets, single, sum } from './offsets.js';
import { type Access, access, type Call } from './outline.js';
import { privateObjects } from './private-objects.js';
import type { ProgramMemory } from './program-memory.js';

/** What an access does to one variable. */
export type Touch = (variable: number, isRead: boolean, isWritten: boolean, isOverwritten: boolean) => void;

/** Parts of one object beyond this many are one. */
const mostParts = 512;

/** As long as there are no more variables than this outside can get at, they are told apart where it does. */
const fewEscaped = 64;

/** An object in parts: part i is from `bounds[i]` to `bounds[i + 1]`. */
interface Parts {
  readonly bounds: number[];
  readonly variables: Int32Array;
}

/** Every access of the program, as the pointer it goes through and what it does. */
interface PartUse {
  reads: boolean;
  writes: boolean;
  /** The same for parts that exactly the same accesses touch. */
  signature: number;
}

export class Variables {
  /** Variables up to this one may be used by more than one function; the others are private to one. */
  readonly sharedCount: number;
  readonly count: number;
  readonly #owners: number[] = [];
  readonly #objects: number[] = [];
  readonly #parts: (Parts | undefined)[] = [];
  readonly #escaped: number[] = [];
  readonly #private: ReadonlySet<number>;
  readonly #reached = new Map<number, readonly number[]>();
  /** What outside writes and what it may read, where those are too many to be told apart. */
  readonly #writtenOutside: number;
  readonly #readOutside: number;

  constructor(
    private readonly memory: ProgramMemory,
    private readonly tree: CallTree,
  ) {
    this.#private = privateObjects(memory);
    const uses = this.#divide();
    this.#number(uses, false);
    const isOpen = memory.pointsTo.escaped.size > 0 || this.#isUnknownUsed();
    const isCoarse = this.#escaped.length > fewEscaped;
    this.#writtenOutside = isOpen ? this.#add(memory.unknown, -1) : -1;
    this.#readOutside = isOpen && isCoarse ? this.#add(memory.unknown, -1) : -1;
    this.sharedCount = this.#owners.length;
    this.#number(uses, true);
    this.count = this.#owners.length;
  }

  /** The function whose activation it lives in; -1 if it outlives all. */
  owner(variable: number): number {
    return this.#owners[variable] as number;
  }

  object(variable: number): number {
    return this.#objects[variable] as number;
  }

  /** Can the function, or one it calls, have to do with it at all? */
  isKnownIn(fn: number, variable: number): boolean {
    const owner = this.owner(variable);
    return owner === -1 || this.tree.isBelow(owner, fn);
  }

  /** The variables of one object, in order. */
  ofObject(object: number): readonly number[] {
    const found = this.#parts[object]?.variables ?? [];
    return [...new Set(found)].filter((variable) => variable !== -1);
  }

  /** From where to where in its object a variable lies. */
  boundsOf(variable: number): { readonly from: number; readonly to: number } {
    const parts = this.#parts[this.object(variable)];
    const first = parts?.variables.indexOf(variable) ?? -1;
    const last = parts?.variables.lastIndexOf(variable) ?? -1;
    return { from: parts?.bounds[first] ?? 0, to: parts?.bounds[last + 1] ?? Number.POSITIVE_INFINITY };
  }

  /** Everything an access touches. @param beyond it begins this many bytes behind where its pointer points */
  touched(one: Access, touch: Touch, beyond = 0): void {
    const { pointsTo } = this.memory;
    const { locations } = pointsTo;
    const isRead = (one.does & access.read) !== 0;
    const isWritten = (one.does & access.write) !== 0;
    if ((one.does & access.readAll) !== 0) {
      for (const object of this.#reachable(one.pointer)) {
        if (object === this.memory.unknown) this.touchedOutside(true, false, touch);
        for (const variable of this.#parts[object]?.variables ?? [])
          if (variable !== -1) touch(variable, true, false, false);
      }
      return;
    }
    const targets = pointsTo.targets(one.pointer);
    for (const location of targets) {
      const object = locations.objectOf(location);
      if (object === this.memory.unknown) {
        this.touchedOutside(isRead, isWritten, touch);
        continue;
      }
      const offsets = sum(locations.offsetsOf(location), single(beyond));
      const isSure =
        targets.length === 1 &&
        offsets.step === 0 &&
        (one.does & access.fill) !== 0 &&
        this.#isUnique(object);
      this.#touchParts(object, offsets, one.bytes, (variable, isWhole) =>
        touch(variable, isRead, isWritten, isSure && isWhole),
      );
      if (this.#readOutside !== -1 && pointsTo.isEscaped(object)) {
        if (isWritten) touch(this.#readOutside, false, true, false);
        if (isRead) touch(this.#writtenOutside, true, false, false);
      }
    }
  }

  /** What code outside may touch. */
  touchedOutside(isRead: boolean, isWritten: boolean, touch: Touch): void {
    if (this.#writtenOutside === -1) return;
    touch(this.#writtenOutside, isRead, isWritten, false);
    if (this.#readOutside === -1)
      for (const variable of this.#escaped) touch(variable, isRead, isWritten, false);
    else if (isRead) touch(this.#readOutside, true, false, false);
  }

  /** Everything that the functions outside the program touch that a call may call. */
  touchedByCall(call: Call, touch: Touch): void {
    for (const one of call.accesses) this.touched(one, touch);
    if (call.isUnknown) this.touchedOutside(true, true, touch);
  }

  #reachable(pointer: number): readonly number[] {
    let found = this.#reached.get(pointer);
    if (found === undefined) {
      found = [...this.memory.pointsTo.reachable(pointer)];
      this.#reached.set(pointer, found);
    }
    return found;
  }

  #isUnknownUsed(): boolean {
    return this.memory.outlines.some(({ calls }) => calls.some(({ isUnknown }) => isUnknown));
  }

  /** Does the object stand for one piece of memory at a time, so that what is written replaces what was there? */
  #isUnique(object: number): boolean {
    const { owner, isSingle } = this.memory.pointsTo.locations.object(object);
    return isSingle && (owner === -1 || this.#private.has(object) || !this.tree.isRecursive[owner]);
  }

  #touchParts(
    object: number,
    offsets: Offsets,
    bytes: number,
    touch: (variable: number, isWhole: boolean) => void,
  ): void {
    const parts = this.#parts[object];
    if (parts === undefined) return;
    const { bounds, variables } = parts;
    const end = offsets.last + bytes;
    for (let at = firstPart(bounds, offsets.first); at < variables.length; at++) {
      const [from, to] = [bounds[at] as number, bounds[at + 1] as number];
      if (from >= end) break;
      const variable = variables[at] as number;
      if (variable === -1 || !mayMeet(offsets, bytes, { first: from, step: 0, last: from }, to - from))
        continue;
      touch(variable, offsets.first <= from && to <= offsets.first + bytes);
    }
  }

  /** Cuts every object where some access begins or ends, and finds out which parts are both written and read. */
  #divide(): readonly (PartUse[] | undefined)[] {
    const { outlines, pointsTo } = this.memory;
    const cuts: (Set<number> | undefined)[] = [];
    const seen = new Set<number>();
    const all: Access[] = [];
    for (const { accesses, calls } of outlines) {
      for (const one of accesses) all.push(one);
      for (const call of calls) for (const one of call.accesses) all.push(one);
    }
    for (const one of all) {
      if ((one.does & access.readAll) !== 0)
        for (const object of this.#reachable(one.pointer)) cutsOf(cuts, object);
      else for (const location of pointsTo.targets(one.pointer)) this.#cut(cuts, seen, location, one.bytes);
    }
    // What code outside touches has parts even if nobody else does.
    for (const object of pointsTo.escaped) cutsOf(cuts, object);
    const uses = cuts.map((set, object) => (set === undefined ? undefined : this.#partsFrom(set, object)));
    this.#noteUses(all, uses);
    return uses;
  }

  #cut(cuts: (Set<number> | undefined)[], seen: Set<number>, location: number, bytes: number): void {
    const key = location * 4096 + Math.min(bytes, 4095);
    if (seen.has(key) && bytes < 4095) return;
    seen.add(key);
    const { locations } = this.memory.pointsTo;
    const { first, last } = locations.offsetsOf(location);
    const set = cutsOf(cuts, locations.objectOf(location));
    set.add(Math.max(0, first));
    if (last + bytes > 0) set.add(last + bytes);
  }

  #partsFrom(cuts: Set<number>, object: number): PartUse[] | undefined {
    const { kind, size, isConstant } = this.memory.pointsTo.locations.object(object);
    if (isConstant || kind === 'function' || kind === 'unknown') return undefined;
    const inner = [...cuts].filter((cut) => cut > 0 && cut < size).toSorted((a, b) => a - b);
    const bounds = [0, ...inner.slice(0, mostParts - 1), size];
    this.#parts[object] = {
      bounds,
      // Until they are numbered every part is its own.
      variables: Int32Array.from(bounds.slice(1), (_, at) => at),
    };
    // A copy of the caller's is written by the call.
    const writes = kind === 'copy' || kind === 'variadic';
    return bounds.slice(1).map(() => ({ reads: false, writes, signature: 0 }));
  }

  #noteUses(all: readonly Access[], uses: readonly (PartUse[] | undefined)[]): void {
    const { pointsTo } = this.memory;
    const { locations } = pointsTo;
    for (const [number, { pointer, bytes, does }] of all.entries()) {
      const reads = (does & (access.read | access.readAll)) !== 0;
      const writes = (does & access.write) !== 0;
      const note = (object: number, at: number): void => {
        const use = uses[object]?.[at];
        if (use === undefined) return;
        use.reads ||= reads;
        use.writes ||= writes;
        use.signature = mixed(use.signature, number);
      };
      if ((does & access.readAll) !== 0)
        for (const object of this.#reachable(pointer))
          for (const at of uses[object]?.keys() ?? []) note(object, at);
      else
        for (const location of pointsTo.targets(pointer)) {
          const object = locations.objectOf(location);
          this.#touchParts(object, locations.offsetsOf(location), bytes, (at) => note(object, at));
        }
    }
    const isOpen = pointsTo.escaped.size > 0;
    if (isOpen)
      for (const object of pointsTo.escaped)
        for (const use of uses[object] ?? []) {
          use.reads = true;
          use.writes = true;
        }
  }

  /** Gives the parts their variables. */
  #number(uses: readonly (PartUse[] | undefined)[], isPrivate: boolean): void {
    const same = new Map<string, number>();
    const { locations } = this.memory.pointsTo;
    for (const [object, parts] of uses.entries()) {
      if (parts === undefined || this.#private.has(object) !== isPrivate) continue;
      const variables = this.#parts[object]?.variables;
      const { owner } = locations.object(object);
      const isUnique = this.#isUnique(object);
      const isEscaped = this.memory.pointsTo.isEscaped(object);
      for (const [at, { reads, writes, signature }] of parts.entries()) {
        let variable = -1;
        if (reads && writes) {
          // Which activation's objects a call can get at is asked of each of them.
          const apart = owner === -1 ? isEscaped : object;
          const key = isUnique ? `${object} ${at}` : `${signature} ${apart}`;
          variable = same.get(key) ?? this.#add(object, owner);
          same.set(key, variable);
          if (isEscaped && this.#escaped.at(-1) !== variable) this.#escaped.push(variable);
        }
        if (variables !== undefined) variables[at] = variable;
      }
    }
  }

  #add(object: number, owner: number): number {
    this.#objects.push(object);
    return this.#owners.push(owner) - 1;
  }
}

function cutsOf(cuts: (Set<number> | undefined)[], object: number): Set<number> {
  let set = cuts[object];
  if (set === undefined) {
    set = new Set();
    cuts[object] = set;
  }
  return set;
}

/** The part an offset lies in. */
function firstPart(bounds: readonly number[], offset: number): number {
  let [low, high] = [0, bounds.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((bounds[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Two hashes in one number that is still exact. */
function mixed(signature: number, item: number): number {
  const low = signature % 0x4000000;
  const high = Math.floor(signature / 0x4000000);
  const nextLow = (Math.imul(low ^ item, 0x9e3779b1) >>> 6) & 0x3ffffff;
  const nextHigh = (Math.imul(high + item, 0x85ebca6b) >>> 7) & 0x1ffffff;
  return nextHigh * 0x4000000 + nextLow;
}
