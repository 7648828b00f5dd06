/**
 * Numbers that stand for something. Each kind has a type of its own, so that none is taken for another; when the
 * program runs they are plain numbers.
 */

declare const kind: unique symbol;

export type Id<Kind extends string> = number & { readonly [kind]: Kind };

/** A function, by its place among those of its program. */
export type FunctionId = Id<'function'>;

/** A block of a function, by its place in it; the entry is the first. */
export type BlockId = Id<'block'>;

/** What dependences go between, numbered through the whole program. */
export type NodeId = Id<'node'>;

/** The same, numbered inside its function; the function's instructions come first, in their order. */
export type LocalNodeId = Id<'local node'>;

/** A value an instruction reads: the result of an instruction, or a parameter. */
export type RegisterId = Id<'register'>;

/** What may hold a pointer: a register, a result, a part of memory. */
export type PointerId = Id<'pointer'>;

/** What memory is made of: a variable of the source, what one call allocates, what is outside. */
export type ObjectId = Id<'object'>;

/** An object with offsets into it: what pointers point to. */
export type LocationId = Id<'location'>;

/** A part of memory that is never told apart any further. */
export type VariableId = Id<'variable'>;

/** A node of the debug information of a module. */
export type MetadataId = Id<'metadata'>;

/** The number as an id: said where numbers are given out, and where they are worked out from others. */
export function idOf<SomeId extends Id<string>>(number: number): SomeId {
  return number as SomeId;
}

/** The id so many after another. */
export function after<SomeId extends Id<string>>(first: SomeId, count: number): SomeId {
  return (first + count) as SomeId;
}

/** The ids from the first to the one before the end. */
export function* idsBetween<SomeId extends Id<string>>(first: SomeId, end: number): Generator<SomeId> {
  for (let at: number = first; at < end; at++) yield at as SomeId;
}

/** The first ids, from 0 on. */
export function idsBelow<SomeId extends Id<string>>(end: number): Generator<SomeId> {
  return idsBetween(0 as SomeId, end);
}
