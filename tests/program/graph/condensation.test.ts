import fc from 'fast-check';
import { expect, it } from 'vitest';
import { condense, propagateMarks } from '../../../src/program/graph/index.js';

const count = 12;
const graphs = fc.array(fc.array(fc.nat({ max: count - 1 }), { maxLength: 3 }), {
  minLength: count,
  maxLength: count,
});

function reachable(next: readonly (readonly number[])[], start: number): ReadonlySet<number> {
  const seen = new Set<number>();
  const left = [start];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    left.push(...(next[node] ?? []));
  }
  return seen;
}

it('propagateMarks reaches exactly the reachable components', () => {
  const starts = fc.uniqueArray(fc.nat({ max: count - 1 }), { maxLength: 5 });
  fc.assert(
    fc.property(graphs, starts, fc.integer({ min: 1, max: 3 }), (next, from, words) => {
      const whole = condense(count, from, (node, into) => {
        for (const to of next[node] ?? []) into.push(to);
      });
      const marks = new Int32Array(whole.count * words);
      for (const [at, start] of from.entries()) {
        const place = (whole.componentOf[start] ?? -1) * words + (at % words);
        marks[place] = (marks[place] ?? 0) | (1 << at);
      }
      propagateMarks(whole, marks, words);
      for (let node = 0; node < count; node++) {
        const component = whole.componentOf[node] ?? -1;
        const reached = from.filter((start) => reachable(next, start).has(node));
        expect(component === -1).toBe(reached.length === 0);
        const marked = from.filter(
          (_, at) => component !== -1 && ((marks[component * words + (at % words)] ?? 0) & (1 << at)) !== 0,
        );
        expect(marked).toEqual(reached);
      }
    }),
  );
});

it('condense merges mutually reachable nodes, each component after its successors', () => {
  fc.assert(
    fc.property(graphs, (next) => {
      const whole = condense(count, next.keys(), (node, into) => {
        for (const to of next[node] ?? []) into.push(to);
      });
      for (let a = 0; a < count; a++)
        for (let b = 0; b < count; b++) {
          const isBoth = reachable(next, a).has(b) && reachable(next, b).has(a);
          expect(whole.componentOf[a] === whole.componentOf[b]).toBe(isBoth);
          if (!isBoth && reachable(next, a).has(b))
            expect(whole.componentOf[a]).toBeGreaterThan(whole.componentOf[b] ?? 0);
        }
    }),
  );
});
