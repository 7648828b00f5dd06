/** What memory is made of, as far as it can be told apart before the program runs. */

import { type FunctionId, IntList, idOf, type LocationId, type ObjectId, Table } from '../graph/index.js';
import { anywhere, covers, isFree, type Offsets, start, unbounded } from './offsets.js';

/**
 * - local: room made by an alloca
 * - copy: the callee's own copy of a struct that was passed by value
 * - variadic: where a function finds its unnamed arguments
 * - heap: all that one call allocates
 * - transfer: what one memcpy carries over; only contents pass through it
 * - environment: what the program is handed: argv, environ, standard input
 * - terminal: standard output and error, which nobody in the program reads
 * - thrown: exceptions on their way
 * - unknown: everything that code outside the program has or was given
 */
export type ObjectKind =
  | 'local'
  | 'copy'
  | 'variadic'
  | 'global'
  | 'function'
  | 'heap'
  | 'transfer'
  | 'environment'
  | 'terminal'
  | 'errno'
  | 'thrown'
  | 'unknown';

export interface MemoryObject {
  readonly kind: ObjectKind;
  /** As its source calls it, where it does. */
  readonly name: string;
  /** Bytes; Infinity if it is not known. */
  readonly size: number;
  /** The function whose activation it lives in; `noOwner` if it outlives all. */
  readonly owner: FunctionId;
  /** Of one activation, or of the program, there is never more than one at a time. */
  readonly isSingle: boolean;
  readonly isConstant: boolean;
}

/** Of objects that belong to no activation. */
export const noOwner: FunctionId = idOf(-1);

/** In these nothing is told apart. */
const shapeless: ReadonlySet<ObjectKind> = new Set([
  'variadic',
  'environment',
  'terminal',
  'thrown',
  'unknown',
] as const);

/** Rows of offsets into one object that are kept apart; more than this many are anywhere. */
const mostRows = 24;

/** Accesses of this many bytes or more are taken to go on for ever where they are told apart. */
export const mostBytes = 4095;

/** One number for a location and so many bytes from there; the same for all numbers of bytes from `mostBytes` on. */
export function accessKey(location: LocationId, bytes: number): number {
  return location * (mostBytes + 1) + Math.min(bytes, mostBytes);
}

/** The objects, and the locations in them. */
export class Locations {
  readonly objects = new Table<ObjectId, MemoryObject>();
  /** For each object its locations of a single offset, by that. */
  readonly #singles = new Table<ObjectId, Map<number, LocationId>>();
  /** For each object its locations of more than one offset. */
  readonly #rows = new Table<ObjectId, LocationId[]>();
  readonly #object = new IntList<ObjectId, LocationId>();
  readonly #offsets = new Table<LocationId, Offsets>();

  add(object: MemoryObject): ObjectId {
    this.#singles.add(new Map());
    this.#rows.add([]);
    return this.objects.add(object);
  }

  objectOf(location: LocationId): ObjectId {
    return this.#object.get(location);
  }

  offsetsOf(location: LocationId): Offsets {
    return this.#offsets.get(location);
  }

  object(id: ObjectId): MemoryObject {
    return this.objects.get(id);
  }

  at(object: ObjectId, offsets: Offsets): LocationId {
    const { kind } = this.objects.get(object);
    if (kind === 'function') return this.#single(object, start);
    if (shapeless.has(kind)) return this.#row(object, anywhere);
    if (offsets.step === 0) return this.#single(object, offsets);
    // Written in two ways, a row would cover itself, and neither would be kept.
    return this.#row(object, isFree(offsets) ? unbounded(offsets) : offsets);
  }

  /** Is there a location in the set that has all this one's offsets and more? */
  isCovered(location: LocationId, by: { has(location: LocationId): boolean }): boolean {
    for (const row of this.#rows.get(this.objectOf(location)))
      if (row !== location && covers(this.offsetsOf(row), this.offsetsOf(location)) && by.has(row))
        return true;
    return false;
  }

  #single(object: ObjectId, offsets: Offsets): LocationId {
    const known = this.#singles.get(object);
    const location = known.get(offsets.first) ?? this.#new(object, offsets);
    known.set(offsets.first, location);
    return location;
  }

  #row(object: ObjectId, offsets: Offsets): LocationId {
    const known = this.#rows.get(object);
    for (const location of known) {
      const { first, step, last } = this.offsetsOf(location);
      if (first === offsets.first && step === offsets.step && last === offsets.last) return location;
    }
    if (known.length >= mostRows && offsets !== anywhere) return this.#row(object, anywhere);
    const location = this.#new(object, offsets);
    known.push(location);
    return location;
  }

  #new(object: ObjectId, offsets: Offsets): LocationId {
    this.#object.push(object);
    return this.#offsets.add(offsets);
  }
}
