/** Divides memory into variables: parts of objects that no access distinguishes. */

import {
  after,
  type FunctionId,
  getOrCreate,
  type Id,
  idOf,
  type LocationId,
  lastAtOrBefore,
  type ObjectId,
  PairMap,
  type PointerId,
  Table,
  type VariableId,
} from '../graph/index.js';
import type { CallTree } from './calls/call-tree.js';
import { accessKey, maxBytes, noOwner } from './memory/objects.js';
import { mayMeet, type Offsets, single, sum } from './memory/offsets.js';
import { privateObjects } from './memory/private-objects.js';
import type { ProgramMemory } from './memory/program-memory.js';
import { type Access, access, type Call } from './outline.js';

export type Touch = (
  variable: VariableId,
  isRead: boolean,
  isWritten: boolean,
  isOverwritten: boolean,
) => void;

/** Parts per object; the rest of the object is one part. */
const maxParts = 512;

/** Up to this many escaped variables are distinguished in accesses by external code. */
const maxDistinctEscaped = 64;

type PartId = Id<'part'>;

/** In place of a variable that is never both written and read. */
const noVariable: VariableId = idOf(-1);

/** In place of a variable that has no number yet. */
const unnumbered: VariableId = idOf(-2);

/** A part of an object, with the effects of all accesses of the program. */
interface Part {
  readonly from: number;
  readonly to: number;
  isRead: boolean;
  isWritten: boolean;
  /** A hash of the accesses that touch the part. */
  signature: number;
  variable: VariableId;
}

type Parts = Table<PartId, Part>;

export class Variables {
  /** Variables below this number may be used by several functions; the others are private to one. */
  readonly sharedCount: number;
  readonly count: number;
  readonly #owners = new Table<VariableId, FunctionId>();
  readonly #objects = new Table<VariableId, ObjectId>();
  readonly #parts = new Table<ObjectId, Parts | undefined>();
  readonly #escaped: VariableId[] = [];
  readonly #private: ReadonlySet<ObjectId>;
  readonly #reached = new Map<PointerId, readonly ObjectId[]>();
  /** Stand for all escaped variables, if these are too many: one that external code writes, one that it reads. */
  readonly #writtenOutside: VariableId;
  readonly #readOutside: VariableId;

  constructor(
    private readonly memory: ProgramMemory,
    private readonly tree: CallTree,
  ) {
    this.#private = privateObjects(memory);
    this.#divide();
    this.#number(false);
    const isOpen = memory.pointsTo.escaped.size > 0 || this.#isUnknownUsed();
    const isCoarse = this.#escaped.length > maxDistinctEscaped;
    this.#writtenOutside = isOpen ? this.#add(memory.unknown, noOwner) : noVariable;
    this.#readOutside = isOpen && isCoarse ? this.#add(memory.unknown, noOwner) : noVariable;
    this.sharedCount = this.#owners.length;
    this.#number(true);
    this.count = this.#owners.length;
  }

  /** The function whose activation it lives in; `noOwner` if it outlives all. */
  owner(variable: VariableId): FunctionId {
    return this.#owners.get(variable);
  }

  object(variable: VariableId): ObjectId {
    return this.#objects.get(variable);
  }

  /** Can the function or its callees access the variable? */
  isAccessibleIn(fn: FunctionId, variable: VariableId): boolean {
    const owner = this.owner(variable);
    return owner === noOwner || this.tree.mayReach(owner, fn);
  }

  ofObject(object: ObjectId): readonly VariableId[] {
    const variables = new Set<VariableId>();
    for (const { variable } of this.#parts.get(object) ?? [])
      if (variable !== noVariable) variables.add(variable);
    return [...variables];
  }

  boundsOf(variable: VariableId): { readonly from: number; readonly to: number } {
    const parts = this.#parts.get(this.object(variable))?.values.filter((part) => part.variable === variable);
    return { from: parts?.at(0)?.from ?? 0, to: parts?.at(-1)?.to ?? Number.POSITIVE_INFINITY };
  }

  /** Visits everything an access touches. @param beyond offset of the access from its pointer's target */
  touched({ pointer, bytes, effect }: Access, touch: Touch, beyond = 0): void {
    const { pointsTo } = this.memory;
    const { locations } = pointsTo;
    const isRead = (effect & access.read) !== 0;
    const isWritten = (effect & access.write) !== 0;
    if ((effect & access.readAll) !== 0) {
      for (const object of this.#reachable(pointer)) {
        if (object === this.memory.unknown) this.touchedOutside(true, false, touch);
        for (const { variable } of this.#parts.get(object) ?? [])
          if (variable !== noVariable) touch(variable, true, false, false);
      }
      return;
    }
    const targets = pointsTo.targets(pointer);
    for (const location of targets) {
      const object = locations.objectOf(location);
      if (object === this.memory.unknown) {
        this.touchedOutside(isRead, isWritten, touch);
        continue;
      }
      const offsets = sum(locations.offsetsOf(location), single(beyond));
      const isSure =
        targets.length === 1 && offsets.step === 0 && (effect & access.fill) !== 0 && this.#isUnique(object);
      this.#touchParts(object, offsets, bytes, ({ variable }, isWhole) =>
        touch(variable, isRead, isWritten, isSure && isWhole),
      );
      if (this.#readOutside !== noVariable && pointsTo.isEscaped(object)) {
        if (isWritten) touch(this.#readOutside, false, true, false);
        if (isRead) touch(this.#writtenOutside, true, false, false);
      }
    }
  }

  touchedOutside(isRead: boolean, isWritten: boolean, touch: Touch): void {
    if (this.#writtenOutside === noVariable) return;
    touch(this.#writtenOutside, isRead, isWritten, false);
    if (this.#readOutside === noVariable)
      for (const variable of this.#escaped) touch(variable, isRead, isWritten, false);
    else if (isRead) touch(this.#readOutside, true, false, false);
  }

  /** Visits everything that the external callees of a call touch. */
  touchedByCall(call: Call, touch: Touch): void {
    for (const accessed of call.accesses) this.touched(accessed, touch);
    if (call.isUnknown) this.touchedOutside(true, true, touch);
  }

  #reachable(pointer: PointerId): readonly ObjectId[] {
    return getOrCreate(this.#reached, pointer, () => [...this.memory.pointsTo.reachable([pointer])]);
  }

  #isUnknownUsed(): boolean {
    return this.memory.outlines.values.some(({ calls }) => calls.some(({ isUnknown }) => isUnknown));
  }

  /** Does the object stand for a single piece of memory at a time, so that a write replaces its content? */
  #isUnique(object: ObjectId): boolean {
    const { owner, isSingle } = this.memory.pointsTo.locations.object(object);
    return isSingle && (owner === noOwner || this.#private.has(object) || !this.tree.isRecursive.get(owner));
  }

  #touchParts(
    object: ObjectId,
    offsets: Offsets,
    bytes: number,
    touch: (part: Part, isWhole: boolean) => void,
  ): void {
    const parts = this.#parts.get(object);
    if (parts === undefined) return;
    const end = offsets.last + bytes;
    for (let at = firstPart(parts, offsets.first); at < parts.length; at = after(at, 1)) {
      const part = parts.get(at);
      const { from, to, variable } = part;
      if (from >= end) break;
      if (variable === noVariable) continue;
      if (mayMeet(offsets, bytes, { first: from, step: 0, last: from }, to - from))
        touch(part, offsets.first <= from && to <= offsets.first + bytes);
    }
  }

  /** Divides every object at the bounds of accesses, and finds the parts that are both written and read. */
  #divide(): void {
    const { outlines, pointsTo } = this.memory;
    const cuts = new Table<ObjectId, Set<number> | undefined>();
    const seen = new Set<number>();
    const all: Access[] = [];
    for (const { accesses, calls } of outlines) {
      for (const accessed of accesses) all.push(accessed);
      for (const call of calls) for (const accessed of call.accesses) all.push(accessed);
    }
    for (const { pointer, bytes, effect } of all) {
      if ((effect & access.readAll) !== 0)
        for (const object of this.#reachable(pointer)) cutsOf(cuts, object);
      else for (const location of pointsTo.targets(pointer)) this.#cut(cuts, seen, location, bytes);
    }
    // Escaped objects have parts even without an access in the program.
    for (const object of pointsTo.escaped) cutsOf(cuts, object);
    for (const [object, set] of cuts.entries())
      this.#parts.set(object, set === undefined ? undefined : this.#partsFrom(set, object));
    this.#noteUses(all);
  }

  #cut(
    cuts: Table<ObjectId, Set<number> | undefined>,
    seen: Set<number>,
    location: LocationId,
    bytes: number,
  ): void {
    const key = accessKey(location, bytes);
    if (seen.has(key) && bytes < maxBytes) return;
    seen.add(key);
    const { locations } = this.memory.pointsTo;
    const { first, last } = locations.offsetsOf(location);
    const set = cutsOf(cuts, locations.objectOf(location));
    set.add(Math.max(0, first));
    if (last + bytes > 0) set.add(last + bytes);
  }

  #partsFrom(cuts: Set<number>, object: ObjectId): Parts | undefined {
    const { kind, size, isConstant } = this.memory.pointsTo.locations.object(object);
    if (isConstant || kind === 'function' || kind === 'unknown') return undefined;
    const inner = [...cuts].filter((cut) => cut > 0 && cut < size).toSorted((a, b) => a - b);
    // The call writes the copy of the caller's struct.
    const isWritten = kind === 'copy' || kind === 'variadic';
    const parts: Parts = new Table();
    let from = 0;
    for (const to of [...inner.slice(0, maxParts - 1), size]) {
      parts.add({ from, to, isRead: false, isWritten, signature: 0, variable: unnumbered });
      from = to;
    }
    return parts;
  }

  #noteUses(all: readonly Access[]): void {
    const { pointsTo } = this.memory;
    const { locations } = pointsTo;
    for (const [number, { pointer, bytes, effect }] of all.entries()) {
      const isRead = (effect & (access.read | access.readAll)) !== 0;
      const isWritten = (effect & access.write) !== 0;
      const note = (part: Part): void => {
        part.isRead ||= isRead;
        part.isWritten ||= isWritten;
        part.signature = mixed(part.signature, number);
      };
      if ((effect & access.readAll) !== 0)
        for (const object of this.#reachable(pointer))
          for (const part of this.#parts.get(object) ?? []) note(part);
      else
        for (const location of pointsTo.targets(pointer))
          this.#touchParts(locations.objectOf(location), locations.offsetsOf(location), bytes, note);
    }
    for (const object of pointsTo.escaped)
      for (const part of this.#parts.get(object) ?? []) {
        part.isRead = true;
        part.isWritten = true;
      }
  }

  /** Assigns variables: one to all parts that no access distinguishes. */
  #number(isPrivate: boolean): void {
    // A call's access is decided per local object; for others it matters only whether they escaped.
    const bySignature = new PairMap<number, ObjectId | boolean, VariableId>();
    const { pointsTo } = this.memory;
    for (const [object, parts] of this.#parts.entries()) {
      if (parts === undefined || this.#private.has(object) !== isPrivate) continue;
      const { owner } = pointsTo.locations.object(object);
      const isUnique = this.#isUnique(object);
      const isEscaped = pointsTo.isEscaped(object);
      const apart = owner === noOwner ? isEscaped : object;
      for (const part of parts) {
        if (!part.isRead || !part.isWritten) {
          part.variable = noVariable;
          continue;
        }
        let variable = isUnique ? undefined : bySignature.get(part.signature, apart);
        if (variable === undefined) {
          variable = this.#add(object, owner);
          if (!isUnique) bySignature.set(part.signature, apart, variable);
        }
        part.variable = variable;
        if (isEscaped && this.#escaped.at(-1) !== variable) this.#escaped.push(variable);
      }
    }
  }

  #add(object: ObjectId, owner: FunctionId): VariableId {
    this.#objects.add(object);
    return this.#owners.add(owner);
  }
}

function cutsOf(cuts: Table<ObjectId, Set<number> | undefined>, object: ObjectId): Set<number> {
  return getOrCreate(cuts, object, () => new Set());
}

function firstPart(parts: Parts, offset: number): PartId {
  return lastAtOrBefore(parts.length, (id: PartId) => parts.get(id).from, offset);
}

/** Two hashes combined in one exact integer. */
function mixed(signature: number, item: number): number {
  const low = signature % 0x4000000;
  const high = Math.floor(signature / 0x4000000);
  const nextLow = (Math.imul(low ^ item, 0x9e3779b1) >>> 6) & 0x3ffffff;
  const nextHigh = (Math.imul(high + item, 0x85ebca6b) >>> 7) & 0x1ffffff;
  return nextHigh * 0x4000000 + nextLow;
}
