import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { stackedLayout } from '../../src/page/drawing/stacked-layout.js';

const graphs = fc.integer({ min: 1, max: 30 }).chain((count) =>
  fc.record({
    boxes: fc.array(fc.tuple(fc.integer({ min: 20, max: 400 }), fc.integer({ min: 30, max: 200 })), {
      minLength: count,
      maxLength: count,
    }),
    arrows: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 60 }),
  }),
);

it('stackedLayout places boxes below each other, with arrows between borders inside the picture', () => {
  fc.assert(
    fc.property(graphs, ({ boxes, arrows }) => {
      const {
        width = 0,
        height = 0,
        children = [],
        edges = [],
      } = stackedLayout({
        id: 'graph',
        children: boxes.map(([width, height], at) => ({ id: `b${at}`, width, height })),
        edges: arrows.map(([from, to], at) => ({ id: `e${at}`, sources: [`b${from}`], targets: [`b${to}`] })),
      });
      let end = 0;
      for (const box of children) {
        expect(box.y).toBeGreaterThanOrEqual(end);
        end = (box.y ?? 0) + (box.height ?? 0);
        expect((box.x ?? 0) + (box.width ?? 0)).toBeLessThanOrEqual(width);
      }
      expect(height).toBe(end);
      for (const [at, { sections = [] }] of edges.entries()) {
        const [from, to] = arrows[at] ?? [0, 0];
        for (const { startPoint, bendPoints = [], endPoint } of sections) {
          expect(isOnBorder(startPoint, children[from])).toBe(true);
          expect(isOnBorder(endPoint, children[to])).toBe(true);
          for (const { x, y } of bendPoints) {
            expect(x).toBeGreaterThanOrEqual(0);
            expect(x).toBeLessThanOrEqual(width);
            expect(y).toBeLessThanOrEqual(height);
          }
        }
        expect(sections).toHaveLength(1);
      }
    }),
  );
});

interface Rectangle {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
}

function isOnBorder(
  point: { readonly x: number; readonly y: number },
  { x = 0, y = 0, width = 0, height = 0 }: Rectangle = {},
): boolean {
  const [left, top] = [point.x - x, point.y - y];
  const isInside = left >= 0 && left <= width && top >= 0 && top <= height;
  return isInside && (left === 0 || left === width || top === 0 || top === height);
}

it('stackedLayout handles ten thousand boxes and arrows', () => {
  const ids = Array.from({ length: 10_000 }, (_, at) => `b${at}`);
  const { edges = [] } = stackedLayout({
    id: 'graph',
    children: ids.map((id) => ({ id, width: 10, height: 10 })),
    edges: ids.map((id, at) => ({
      id: `e${at}`,
      sources: [id],
      targets: [ids[(at * 7919) % ids.length] ?? ''],
    })),
  });
  expect(edges.every(({ sections = [] }) => sections.length === 1)).toBe(true);
});
