import type { Layout, Type, Value } from '../ir/index.js';
import { elements, type Offsets, single, start, sum, upward } from './memory/offsets.js';
import type { Move } from './memory/points-to.js';

export const stays: Move = { by: start, isFree: false };

/**
 * The distance of a getelementptr. An unknown index stays within an array of known length, since leaving it is
 * undefined behaviour in C. An array of zero or one element is taken for a flexible array member.
 */
export function moveOf(layout: Layout, stepsOver: Type, indices: readonly Value[]): Move {
  let by: Offsets = start;
  let isFree = false;
  let type = stepsOver;
  for (const [depth, index] of indices.entries()) {
    const constant = constantIndex(index);
    if (depth === 0) {
      const bytes = layout.strideBytes(type);
      if (constant !== undefined) by = sum(by, single(constant * bytes));
      else {
        by = sum(by, upward(bytes));
        isFree = true;
      }
      continue;
    }
    type = layout.resolved(type);
    if (type.kind === 'struct') {
      by = sum(by, single(layout.fieldOffset(type, constant ?? 0)));
      type = type.fields[constant ?? 0] ?? { kind: 'opaque' };
    } else if (type.kind === 'array' || type.kind === 'vector') {
      const bytes = layout.strideBytes(type.of);
      if (constant !== undefined) by = sum(by, single(constant * bytes));
      else by = sum(by, type.length > 1 ? elements(bytes, type.length) : upward(bytes));
      type = type.of;
    } else return { by: { first: 0, step: 1, last: Number.POSITIVE_INFINITY }, isFree: true };
  }
  return { by, isFree };
}

function constantIndex(index: Value): number | undefined {
  if (index.kind === 'integer') return Number(index.value);
  return index.kind === 'zero' || index.kind === 'null' ? 0 : undefined;
}
