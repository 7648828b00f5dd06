/** The nodes of a function's parameters and result, created before its body is read. */

import { after, type FunctionId, type ObjectId, type PointerId, Table } from '../graph/index.js';
import type { IrFunction, Program, Type } from '../ir/index.js';
import type { Addresses } from './memory/addresses.js';
import { anywhere, start } from './memory/offsets.js';
import type { PointsTo } from './memory/points-to.js';

/** The callee's copy of a struct that is passed by value. */
interface StructCopy {
  readonly object: ObjectId;
  readonly bytes: number;
}

export interface FunctionSlots {
  readonly parameters: number;
  /** The first parameter; the others follow. */
  readonly firstNode: PointerId;
  readonly result: PointerId;
  readonly copies: ReadonlyMap<number, StructCopy>;
  readonly variadic: ObjectId | undefined;
  /** A letter for the kind of each parameter. */
  readonly classes: string;
}

export function functionSlots(
  program: Program,
  pointsTo: PointsTo,
  addresses: Addresses,
): Table<FunctionId, FunctionSlots> {
  const { locations } = pointsTo;
  const slots = program.functions.map(({ id, module, declared }): FunctionSlots => {
    const { parameters, isVariadic, name } = declared;
    const firstNode = pointsTo.newNodes(parameters.length);
    const copies = new Map<number, StructCopy>();
    for (const [at, { byValue }] of parameters.entries()) {
      if (byValue === undefined) continue;
      const bytes = addresses.layout(module).strideBytes(byValue);
      const object = locations.add({
        kind: 'copy',
        name: `${name} #${at}`,
        size: bytes,
        owner: id,
        isSingle: true,
      });
      copies.set(at, { object, bytes });
      pointsTo.point(after(firstNode, at), locations.at(object, start));
    }
    const variadic = isVariadic
      ? locations.add({ kind: 'variadic', name: `${name} ...`, owner: id })
      : undefined;
    return {
      parameters: parameters.length,
      firstNode,
      result: pointsTo.newNode(),
      copies,
      variadic,
      classes: classesOf(declared),
    };
  });
  return new Table(slots);
}

/** A function that external code may call gets any arguments, and its result is known outside. */
export function exposeFunction(slots: FunctionSlots, given: ObjectId, pointsTo: PointsTo): void {
  const node = pointsTo.newNode();
  pointsTo.point(node, pointsTo.locations.at(given, anywhere));
  for (let at = 0; at < slots.parameters; at++) {
    const copy = slots.copies.get(at);
    if (copy === undefined) pointsTo.copy(node, after(slots.firstNode, at));
    else pointsTo.holdInitially(copy.object, anywhere, Number.POSITIVE_INFINITY, node);
  }
  if (slots.variadic !== undefined)
    pointsTo.holdInitially(slots.variadic, anywhere, Number.POSITIVE_INFINITY, node);
  pointsTo.copy(slots.result, pointsTo.escapes);
}

export function classOf(type: Type): string {
  if (type.kind === 'pointer') return 'p';
  if (type.kind === 'integer') return 'i';
  return type.kind === 'float' ? 'f' : 's';
}

function classesOf({ parameters }: IrFunction): string {
  return parameters.map(({ type }) => classOf(type)).join('');
}

/**
 * Can a call with these arguments reach a function with these parameters? Extra arguments are allowed, and pointers
 * may be passed as integers.
 */
export function isCompatible(call: string, parameters: string): boolean {
  return call.replaceAll('p', 'i').startsWith(parameters.replaceAll('p', 'i'));
}
