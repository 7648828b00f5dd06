import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { components } from '../../../src/program/graph/components.js';
import { controlDependence } from '../../../src/program/graph/control-dependence.js';
import {
  immediateDominators,
  immediatePostDominators,
  type Successors,
  unreachable,
  virtualExit,
} from '../../../src/program/graph/dominators.js';

/** Small graphs; the entry is node 0. */
const graph: fc.Arbitrary<Successors> = fc
  .integer({ min: 1, max: 8 })
  .chain((count) =>
    fc.array(fc.uniqueArray(fc.nat(count - 1), { maxLength: 3 }), { minLength: count, maxLength: count }),
  );

function reachable(next: Successors, from: number, without = -1): ReadonlySet<number> {
  const seen = new Set<number>();
  const left = from === without ? [] : [from];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    left.push(...(next[node] ?? []).filter((to) => to !== without));
  }
  return seen;
}

describe('dominators', () => {
  it('of a node are the nodes on every path to it', () => {
    fc.assert(
      fc.property(graph, (next) => {
        const closest = immediateDominators(next, 0);
        const all = reachable(next, 0);
        for (const node of next.keys()) {
          const chain = new Set<number>();
          if (closest.get(node) !== unreachable)
            for (let at = node; ; at = closest.get(at)) {
              chain.add(at);
              if (at === 0) break;
            }
          const expected = [...next.keys()].filter(
            (other) =>
              all.has(node) && (other === node || !reachable(next, 0, other).has(node)) && all.has(other),
          );
          expect([...chain].toSorted((a, b) => a - b)).toEqual(expected);
        }
      }),
    );
  });

  it('in reverse are the nodes on every path to an exit', () => {
    fc.assert(
      fc.property(graph, (next) => {
        const ends = [...next.keys()].filter((node) => next[node]?.length === 0);
        // In an endless loop the choice of the exit is arbitrary.
        const reaches = (node: number, without = -1): boolean =>
          [...reachable(next, node, without)].some((reached) => ends.includes(reached));
        fc.pre([...next.keys()].every((node) => reaches(node)));
        const after = immediatePostDominators(next);
        for (const node of next.keys()) {
          const chain = new Set<number>();
          for (let at = node; at !== virtualExit; at = after.get(at)) chain.add(at);
          const expected = [...next.keys()].filter((other) => other === node || !reaches(node, other));
          expect([...chain].toSorted((a, b) => a - b)).toEqual(expected);
        }
      }),
    );
  });

  it('are found in one pass if very many blocks lead to one handler', () => {
    // Each block leads to the next and to the handler; a step for every pair of blocks would exceed the time limit.
    const count = 400_000;
    const handler = count;
    const next = Array.from({ length: count }, (_, at) => (at + 1 < count ? [at + 1, handler] : [handler]));
    next.push([]);
    const before = immediateDominators(next, 0);
    expect(before.get(handler)).toBe(0);
    const blocks = Array.from({ length: count }, (_, at) => at);
    expect(blocks.filter((at) => before.get(at) !== Math.max(0, at - 1))).toEqual([]);
    const after = immediatePostDominators(next);
    expect(blocks.filter((at) => after.get(at) !== handler)).toEqual([]);
  });

  it('exist for every node of a function that never ends', () => {
    expect([...immediatePostDominators<number>([[1], [2], [1]]).values]).toEqual([1, 2, virtualExit]);
  });
});

describe('control dependence', () => {
  it('connects a condition with the nodes on only one of its branches', () => {
    // if (0) { 1 } else { 2 } 3; while (3) 4; 5
    const next = [[1, 2], [3], [3], [4, 5], [3], []];
    expect(controlDependence(next).values).toEqual([[], [0], [0], [3], [3], []]);
  });
});

describe('components', () => {
  it('contain mutually reachable nodes, each component after its successors', () => {
    fc.assert(
      fc.property(graph, (next) => {
        const found = components(next);
        expect(found.flat().toSorted((a, b) => a - b)).toEqual([...next.keys()]);
        const home = new Map(found.flatMap((nodes, at) => nodes.map((node) => [node, at] as const)));
        for (const a of next.keys())
          for (const b of next.keys()) {
            const isSame = reachable(next, a).has(b) && reachable(next, b).has(a);
            expect(home.get(a) === home.get(b)).toBe(isSame);
          }
        for (const [from, targets] of next.entries())
          for (const to of targets) expect(home.get(to)).toBeLessThanOrEqual(home.get(from) as number);
      }),
    );
  });
});
