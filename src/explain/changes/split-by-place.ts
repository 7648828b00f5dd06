import type { Change } from './change.js';

/**
 * Splits changes into parts of about the same size, between files if one ends nearby, else between functions (section
 * IV of AFTER). Neighbouring changes are likely to need one another.
 */
export function splitByPlace(changes: readonly Change[], parts: number): readonly (readonly Change[])[] {
  const inOrder = changes.toSorted((a, b) => a.id - b.id);
  const count = Math.min(parts, inOrder.length);
  const split: Change[][] = [];
  let from = 0;
  for (let part = 1; part <= count; part++) {
    const to = part === count ? inOrder.length : cutNear(inOrder, from, part, count);
    split.push(inOrder.slice(from, to));
    from = to;
  }
  return split;
}

function cutNear(changes: readonly Change[], from: number, part: number, count: number): number {
  const ideal = Math.round((part * changes.length) / count);
  // No part is empty.
  const [least, most] = [from + 1, changes.length - (count - part)];
  const reach = changes.length / count / 2;
  const near = (isBorder: (at: number) => boolean): number | undefined => {
    for (let distance = 0; distance <= reach; distance++)
      for (const at of [ideal - distance, ideal + distance])
        if (at >= least && at <= most && isBorder(at)) return at;
    return undefined;
  };
  const fileOf = (at: number): string | undefined => changes[at]?.file;
  const functionOf = (at: number): string => `${fileOf(at)} ${changes[at]?.within}`;
  return (
    near((at) => fileOf(at - 1) !== fileOf(at)) ??
    near((at) => functionOf(at - 1) !== functionOf(at)) ??
    Math.min(most, Math.max(least, ideal))
  );
}
