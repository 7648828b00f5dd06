/** Memory objects that the analysis distinguishes. */

import { type FunctionId, IntList, idOf, type LocationId, type ObjectId, Table } from '../../graph/index.js';
import { anywhere, covers, isFree, type Offsets, start, unbounded } from './offsets.js';

/**
 * - local: memory of an alloca
 * - copy: the callee's own copy of a struct that was passed by value
 * - variadic: a function's unnamed arguments
 * - heap: all allocations of one call
 * - transfer: the bytes copied by one memcpy; only contents pass through it
 * - environment: the program's input: argv, environ, standard input
 * - terminal: standard output and error, which the program never reads
 * - thrown: exceptions in flight
 * - unknown: everything that external code has or was given
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
  /** As in the source, if it has a name there. */
  readonly name: string;
  /** In bytes; Infinity if unknown. */
  readonly size: number;
  /** The function whose activation it lives in; `noOwner` if it outlives all. */
  readonly owner: FunctionId;
  /** At most one exists per activation, or in the program. */
  readonly isSingle: boolean;
  readonly isConstant: boolean;
}

export const noOwner: FunctionId = idOf(-1);

const undivided: ReadonlySet<ObjectKind> = new Set([
  'variadic',
  'environment',
  'terminal',
  'thrown',
  'unknown',
] as const);

/** Distinct offset progressions per object; further ones become `anywhere`. */
const maxRows = 24;

/** Accesses of at least this many bytes are treated as unlimited in keys. */
export const maxBytes = 4095;

/** One number for a location and an access size; all sizes from `mostBytes` on are the same. */
export function accessKey(location: LocationId, bytes: number): number {
  return location * (maxBytes + 1) + Math.min(bytes, maxBytes);
}

export class Locations {
  readonly objects = new Table<ObjectId, MemoryObject>();
  /** Locations with a single offset, by that offset. */
  readonly #singles = new Table<ObjectId, Map<number, LocationId>>();
  readonly #rows = new Table<ObjectId, LocationId[]>();
  readonly #object = new IntList<ObjectId, LocationId>();
  readonly #offsets = new Table<LocationId, Offsets>();

  /** By default an unnamed object of unknown size that belongs to no activation and may exist several times. */
  add(object: Partial<MemoryObject> & Pick<MemoryObject, 'kind'>): ObjectId {
    this.#singles.add(new Map());
    this.#rows.add([]);
    return this.objects.add({
      name: '',
      size: Number.POSITIVE_INFINITY,
      owner: noOwner,
      isSingle: false,
      isConstant: false,
      ...object,
    });
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
    if (undivided.has(kind)) return this.#row(object, anywhere);
    if (offsets.step === 0) return this.#single(object, offsets);
    // Normalized: two spellings of the same progression would cover each other, and both would be dropped.
    return this.#row(object, isFree(offsets) ? unbounded(offsets) : offsets);
  }

  /** Does the set contain a location with all offsets of this one and more? */
  isCovered(location: LocationId, by: { has(location: LocationId): boolean }): boolean {
    for (const row of this.#rows.get(this.objectOf(location)))
      if (row !== location && covers(this.offsetsOf(row), this.offsetsOf(location)) && by.has(row))
        return true;
    return false;
  }

  #single(object: ObjectId, offsets: Offsets): LocationId {
    const byOffset = this.#singles.get(object);
    const location = byOffset.get(offsets.first) ?? this.#new(object, offsets);
    byOffset.set(offsets.first, location);
    return location;
  }

  #row(object: ObjectId, offsets: Offsets): LocationId {
    const rows = this.#rows.get(object);
    for (const location of rows) {
      const { first, step, last } = this.offsetsOf(location);
      if (first === offsets.first && step === offsets.step && last === offsets.last) return location;
    }
    if (rows.length >= maxRows && offsets !== anywhere) return this.#row(object, anywhere);
    const location = this.#new(object, offsets);
    rows.push(location);
    return location;
  }

  #new(object: ObjectId, offsets: Offsets): LocationId {
    this.#object.push(object);
    return this.#offsets.add(offsets);
  }
}
