import { describe, expect, it } from 'vitest';
import { interactionGraph, type StatementGraph } from '../../src/change/interactions/interaction-graph.js';

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
  return { next, dependsOn, isChanged: (line) => changed.has(line), isOutput: (line) => line === 10 };
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
