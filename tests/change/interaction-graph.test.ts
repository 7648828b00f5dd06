import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interactionGraph, type StatementGraph } from '../../src/change/interactions/interaction-graph.js';
import { BitSet, IntLists } from '../../src/program/graph/index.js';
import { changesBehind, plainInteractions } from './plain-interactions.js';

/** Fig. 4.5, right, by its line numbers: cut's parsing of ranges. */
const cut: StatementGraph = (() => {
  const next: number[][] = Array.from({ length: 15 }, () => []);
  const flow: Record<number, number[]> = {
    1: [2],
    2: [3],
    3: [4, 6],
    4: [5],
    5: [13],
    6: [7, 9],
    7: [8],
    8: [13],
    9: [10, 13],
    10: [11],
    11: [],
    13: [2],
  };
  const dependsOn: number[][] = Array.from({ length: 15 }, () => []);
  const depends: Record<number, number[]> = {
    3: [13],
    4: [3, 13],
    5: [3],
    6: [3, 13],
    7: [6, 1, 5],
    8: [6, 7, 4],
    9: [6, 13],
    10: [9, 8],
    11: [9],
    13: [13],
  };
  for (const [line, targets] of Object.entries(flow)) next[Number(line)] = targets;
  for (const [line, on] of Object.entries(depends)) dependsOn[Number(line)] = on;
  const changed = new Set([1, 5, 7]);
  return {
    next,
    dependsOn: IntLists.of(dependsOn),
    behind: (some) => changesBehind({ next, dependsOn }, some),
    isChanged: (line) => changed.has(line),
    isOutput: (line) => line === 10,
  };
})();

describe('the graph of interactions', () => {
  const graph = interactionGraph(cut);
  const edges = graph.edges.map(([from, to]) => `${from}-${to}`);

  it('has its interaction location at line 8 (Fig. 4.6)', () => {
    expect([...graph.interactions]).toEqual([[8, [1, 5, 7]]]);
    expect(graph.statements).toEqual([1, 5, 7, 8, 10]);
  });

  it('leads from change to change in every order the loop allows', () => {
    expect(edges).toEqual(expect.arrayContaining(['1-5', '1-7', '5-5', '5-7', '7-8', '8-5', '8-7', '8-10']));
    // After line 7 comes line 8, whatever comes then.
    expect(edges).not.toContain('7-5');
    expect(edges).not.toContain('7-7');
  });

  it.each([
    [[1, 5, 7]],
    [[1, 7, 7]],
    [[1, 7, 5]],
  ])('allows the sequence %j, with interaction locations between', (sequence) => {
    const leads = (from: number, to: number): boolean =>
      edges.includes(`${from}-${to}`) ||
      [...graph.interactions.keys()].some(
        (at) => edges.includes(`${from}-${at}`) && edges.includes(`${at}-${to}`),
      );
    for (const [at, to] of sequence.slice(1).entries()) expect(leads(sequence[at] as number, to)).toBe(true);
  });

  it('has no interaction location where a statement depends on one change only', () => {
    const single = interactionGraph({ ...cut, isChanged: (line) => line === 5 });
    expect(single.interactions.size).toBe(0);
    expect(single.statements).toEqual([5, 10]);
  });
});

const statements = 9;

/** Statements and what values pass between them, any of which may depend on any other; any set of changes behind each. */
const graphs = fc
  .record({
    relays: fc.nat({ max: 8 }),
    changed: fc.uniqueArray(fc.nat({ max: statements - 1 }), { maxLength: 5 }),
    outputs: fc.uniqueArray(fc.nat({ max: statements - 1 }), { maxLength: 3 }),
    isEvery: fc.boolean(),
  })
  .chain(({ relays, ...given }) => {
    const all = statements + relays;
    const edges = (from: number, to: number) =>
      fc.array(fc.uniqueArray(fc.nat({ max: to - 1 }), { maxLength: 4 }), {
        minLength: from,
        maxLength: from,
      });
    return fc.record({
      given: fc.constant(given),
      next: edges(statements, statements),
      calls: edges(statements, statements),
      dependsOn: edges(all, all),
      behind: fc.array(fc.subarray([0, 1, 2, 3, 4]), { minLength: statements, maxLength: statements }),
    });
  });

/** With nothing between statements: each depends on all that can be reached by way of what is none. */
function closed(dependsOn: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return dependsOn.slice(0, statements).map((_, statement) => {
    const seen = new Set<number>();
    const left = [...(dependsOn[statement] ?? [])];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      if (node >= statements) left.push(...(dependsOn[node] ?? []));
    }
    return [...seen].filter((node) => node < statements && node !== statement);
  });
}

describe('the quick way to the graph of interactions', () => {
  it('gives what the plain one gives, whatever passes what on to whom', () => {
    fc.assert(
      fc.property(graphs, ({ given: { changed, outputs, isEvery }, next, calls, dependsOn, behind }) => {
        const both = {
          ...{ next, calls },
          isChanged: (statement: number) => changed.includes(statement),
          isOutput: (statement: number) => outputs.includes(statement),
        };
        const changes = [...next.keys()].filter(both.isChanged);
        const quick = interactionGraph(
          {
            ...both,
            dependsOn: IntLists.of(dependsOn),
            behind: (some) =>
              behind.map((places, statement) => {
                const set = new BitSet(some.length);
                for (const place of places) if (place < some.length) set.add(place);
                if (some.includes(statement)) set.add(some.indexOf(statement));
                return set;
              }),
          },
          { isEvery },
        );
        const plain = plainInteractions(
          {
            ...both,
            dependsOn: closed(dependsOn),
            influencedBy: (change) =>
              behind.flatMap((places, statement) =>
                places.includes(changes.indexOf(change)) ? [statement] : [],
              ),
          },
          { isEvery },
        );
        expect({ ...quick, interactions: [...quick.interactions] }).toEqual({
          ...plain,
          interactions: [...plain.interactions],
        });
      }),
      { numRuns: 1000 },
    );
  });
});
