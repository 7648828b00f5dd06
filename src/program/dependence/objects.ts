/** What memory is made of, as far as it can be told apart before the program runs. */

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
  /** The function whose activation it lives in; -1 if it outlives all. */
  readonly owner: number;
  /** Of one activation, or of the program, there is never more than one at a time. */
  readonly isSingle: boolean;
  readonly isConstant: boolean;
}

/** In these nothing is told apart. */
const shapeless: ReadonlySet<ObjectKind> = new Set([
  'variadic',
  'environment',
  'terminal',
  'thrown',
  'unknown',
] as const);

/** Sets of offsets into one object that are kept apart; more than this many are anywhere. */
const mostSets = 24;

/**
 * Objects by number, and locations by number: an object with offsets into it. That is what pointers point to.
 */
export class Locations {
  readonly objects: MemoryObject[] = [];
  readonly #singles: Map<number, number>[] = [];
  readonly #sets: number[][] = [];
  readonly #object: number[] = [];
  readonly #offsets: Offsets[] = [];

  /** @returns the object's number */
  add(object: MemoryObject): number {
    this.#singles.push(new Map());
    this.#sets.push([]);
    return this.objects.push(object) - 1;
  }

  get count(): number {
    return this.#object.length;
  }

  objectOf(location: number): number {
    return this.#object[location] as number;
  }

  offsetsOf(location: number): Offsets {
    return this.#offsets[location] as Offsets;
  }

  object(number: number): MemoryObject {
    return this.objects[number] as MemoryObject;
  }

  at(object: number, offsets: Offsets): number {
    const { kind } = this.objects[object] as MemoryObject;
    if (kind === 'function') return this.#single(object, start);
    if (shapeless.has(kind)) return this.#set(object, anywhere);
    if (offsets.step === 0) return this.#single(object, offsets);
    // Written in two ways, a row would cover itself, and neither would be kept.
    return this.#set(object, isFree(offsets) ? unbounded(offsets) : offsets);
  }

  /** Is there a location in the set that has all this one's offsets and more? */
  isCovered(location: number, by: { has(location: number): boolean }): boolean {
    for (const set of this.#sets[this.objectOf(location)] as number[])
      if (set !== location && covers(this.offsetsOf(set), this.offsetsOf(location)) && by.has(set))
        return true;
    return false;
  }

  #single(object: number, offsets: Offsets): number {
    const known = this.#singles[object] as Map<number, number>;
    const location = known.get(offsets.first) ?? this.#new(object, offsets);
    known.set(offsets.first, location);
    return location;
  }

  #set(object: number, offsets: Offsets): number {
    const known = this.#sets[object] as number[];
    for (const location of known) {
      const { first, step, last } = this.offsetsOf(location);
      if (first === offsets.first && step === offsets.step && last === offsets.last) return location;
    }
    if (known.length >= mostSets && offsets !== anywhere) return this.#set(object, anywhere);
    const location = this.#new(object, offsets);
    known.push(location);
    return location;
  }

  #new(object: number, offsets: Offsets): number {
    this.#offsets.push(offsets);
    return this.#object.push(object) - 1;
  }
}
