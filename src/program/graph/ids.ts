/** Integer ids with a type for each kind, so that the compiler rejects an id of another kind. */

declare const kind: unique symbol;

export type Id<Kind extends string> = number & { readonly [kind]: Kind };

/** A function, by its index in the program. */
export type FunctionId = Id<'function'>;

/** A block, by its index in the function; the entry is 0. */
export type BlockId = Id<'block'>;

/** A node of the dependence graph, numbered through the whole program. */
export type NodeId = Id<'node'>;

/** A node numbered within its function, instructions first and in order. */
export type LocalNodeId = Id<'local node'>;

/** A value an instruction reads: the result of an instruction, or a parameter. */
export type RegisterId = Id<'register'>;

/** A pointer variable of the points-to analysis: a register, a result, a part of memory. */
export type PointerId = Id<'pointer'>;

/** A memory object: a variable of the source, the allocations of one call, memory outside the program. */
export type ObjectId = Id<'object'>;

/** An object with offsets into it: the target of a pointer. */
export type LocationId = Id<'location'>;

/** A part of memory that the analysis never divides further. */
export type VariableId = Id<'variable'>;

/** A node in a module's debug information. */
export type MetadataId = Id<'metadata'>;

/** Converts a number to an id. Used wherever ids are assigned or computed. */
export function idOf<SomeId extends Id<string>>(number: number): SomeId {
  return number as SomeId;
}

export function after<SomeId extends Id<string>>(first: SomeId, count: number): SomeId {
  return (first + count) as SomeId;
}

/** The ids from `first` to `end - 1`. */
export function* idsBetween<SomeId extends Id<string>>(first: SomeId, end: number): Generator<SomeId> {
  for (let at: number = first; at < end; at++) yield at as SomeId;
}

/** The ids from 0 to `end - 1`. */
export function idsBelow<SomeId extends Id<string>>(end: number): Generator<SomeId> {
  return idsBetween(0 as SomeId, end);
}
