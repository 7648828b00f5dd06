/** A one-column graph layout in linear time. */

import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk.bundled.js';

const gap = 24;
/** Distance between lanes; an arrow that spans twice as many boxes takes the next lane. */
const lane = 14;

/**
 * Places the boxes below each other. An arrow down to the next box is straight. Longer arrows run down on the right
 * side and up on the left, further out the further they reach.
 */
export function stackedLayout(graph: ElkNode): ElkNode {
  const given = graph.children ?? [];
  const numbers = new Map(given.map(({ id }, at) => [id, at]));
  const lanes = (1 + Math.ceil(Math.log2(given.length + 1))) * lane;
  const boxesWidth = Math.max(0, ...given.map(({ width = 0 }) => width));
  let y = 0;
  const children = given.map((box) => {
    const placed = { ...box, x: lanes, y };
    y += (box.height ?? 0) + gap;
    return placed;
  });
  const edges = (graph.edges ?? []).map((edge): ElkExtendedEdge => {
    const from = numbers.get(edge.sources[0] ?? '') ?? 0;
    const to = numbers.get(edge.targets[0] ?? '') ?? 0;
    const [source, target] = [children[from], children[to]];
    if (source === undefined || target === undefined) return edge;
    return {
      ...edge,
      sections: [{ id: `${edge.id}s`, ...routeOf(source, target, to - from, lanes + boxesWidth) }],
    };
  });
  return { ...graph, children, edges, width: lanes + boxesWidth + lanes, height: Math.max(0, y - gap) };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width?: number;
  readonly height?: number;
}

/** @param right the right edge of the widest box */
function routeOf(
  source: Placed,
  target: Placed,
  distance: number,
  right: number,
): { startPoint: Point; bendPoints: Point[]; endPoint: Point } {
  const bottom = source.y + (source.height ?? 0);
  if (distance === 1) {
    const x = source.x + Math.min(source.width ?? 0, target.width ?? 0) / 2;
    return { startPoint: { x, y: bottom }, bendPoints: [], endPoint: { x, y: target.y } };
  }
  const reach = (1 + Math.log2(Math.abs(distance) + 1)) * lane;
  const isDown = distance > 1;
  const turn = isDown ? right + reach : source.x - reach;
  const sideOf = (box: Placed): number => (isDown ? box.x + (box.width ?? 0) : box.x);
  const leave = bottom - 6;
  const arrive = target.y + 6;
  return {
    startPoint: { x: sideOf(source), y: leave },
    bendPoints: [
      { x: turn, y: leave },
      { x: turn, y: arrive },
    ],
    endPoint: { x: sideOf(target), y: arrive },
  };
}
