import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type InteractionGraph,
  interactionGraph,
  type StatementGraph,
  type StatementKind,
} from '../../src/change/interactions/interaction-graph.js';
import { BitSet, IntLists } from '../../src/program/graph/index.js';
import { changesBehind, listed, plainInteractions } from './plain-interactions.js';

/** A program by line numbers from 1. */
function byLine(given: {
  readonly next: Readonly<Record<number, readonly number[]>>;
  readonly dependsOn: Readonly<Record<number, readonly number[]>>;
  readonly changed: readonly number[];
  readonly outputs: readonly number[];
  readonly calls?: Readonly<Record<number, readonly number[]>>;
}): StatementGraph {
  const last = Math.max(...Object.entries(given.next).flatMap(([line, to]) => [Number(line), ...to]));
  const listed = (of: Readonly<Record<number, readonly number[]>>) =>
    Array.from({ length: last + 1 }, (_, line) => of[line] ?? []);
  const [next, dependsOn] = [listed(given.next), listed(given.dependsOn)];
  return {
    ...{ next, calls: listed(given.calls ?? {}) },
    dependsOn: IntLists.of(dependsOn),
    dependencesOn: (some) => changesBehind({ next, dependsOn }, some),
    isChanged: (line) => given.changed.includes(line),
    isOutput: (line) => given.outputs.includes(line),
  };
}

/** Nodes by kind, and edges. */
function shown({ kinds, edges }: InteractionGraph) {
  const of = (kind: StatementKind) => [...kinds].filter(([, own]) => own === kind).map(([line]) => line);
  return {
    ...{ changes: of('change'), interactions: of('interaction'), outputs: of('output') },
    edges: edges.map(([from, to]) => `${from}-${to}`),
  };
}

/** Fig. 4.5, right, by line numbers: the parsing of ranges in cut. */
const cut = byLine({
  next: {
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
  },
  dependsOn: {
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
  },
  changed: [1, 5, 7],
  outputs: [10],
});

describe('interactionGraph', () => {
  const graph = interactionGraph(cut);
  const edges = graph.edges.map(([from, to]) => `${from}-${to}`);

  it('the interaction location of Fig. 4.6 is line 8', () => {
    expect([...graph.interactions]).toEqual([[8, [1, 5, 7]]]);
    expect([...graph.kinds.keys()]).toEqual([1, 5, 7, 8, 10]);
  });

  it('edges connect changes in every order that the loop allows', () => {
    expect(edges).toEqual(expect.arrayContaining(['1-5', '1-7', '5-5', '5-7', '7-8', '8-5', '8-7', '8-10']));
    // Line 8 always follows line 7.
    expect(edges).not.toContain('7-5');
    expect(edges).not.toContain('7-7');
  });

  it.each([
    [[1, 5, 7]],
    [[1, 7, 7]],
    [[1, 7, 5]],
  ])('the sequence %j is possible, with interaction locations in between', (sequence) => {
    const leads = (from: number, to: number): boolean =>
      edges.includes(`${from}-${to}`) ||
      [...graph.interactions.keys()].some(
        (at) => edges.includes(`${from}-${at}`) && edges.includes(`${at}-${to}`),
      );
    for (const [at, to] of sequence.slice(1).entries()) expect(leads(sequence[at] as number, to)).toBe(true);
  });

  it('a statement that depends on only one change is no interaction location', () => {
    const single = interactionGraph({ ...cut, isChanged: (line) => line === 5 });
    expect(single.interactions.size).toBe(0);
    expect([...single.kinds.keys()]).toEqual([5, 10]);
  });
});

/*
 * 1 print (n); unchanged 2 a = n + 1; changed 3 if (n > 0) 4 b = a * 2; changed 5 c = a + b; 6 d = c - a; 7 e = 5;
 * changed 8 print (d); 9 f = d + e; 10 g = f * 3; changed 11 print (g); 12 print (e);
 */
const straight = byLine({
  next: {
    1: [2],
    2: [3],
    3: [4, 5],
    4: [5],
    5: [6],
    6: [7],
    7: [8],
    8: [9],
    9: [10],
    10: [11],
    11: [12],
  },
  dependsOn: { 4: [3, 2], 5: [2, 4], 6: [5, 2], 8: [6], 9: [6, 7], 10: [9], 11: [10], 12: [7] },
  changed: [2, 4, 7, 10],
  outputs: [1, 8, 11, 12],
});

// The expected values were computed by hand, line by line of the algorithm.
describe('interactionGraph as published (Algorithm 5)', () => {
  const isAsPublished = true;

  it('walks stop at outputs, and outputs without a path from a change are nodes', () => {
    expect(shown(interactionGraph(straight, { isAsPublished }))).toEqual({
      // Line 4: all changes and all outputs, including 1 and 12, which no edge reaches.
      changes: [2, 4, 7, 10],
      outputs: [1, 8, 11, 12],
      // Lines 14 to 16: 9 depends on three changes, but the walk from 7 ends at output 8.
      interactions: [5, 6],
      edges: [
        // From 2: past 3 to change 4, and to 5 with an edge from each change it depends on. The walk continues from 5
        // to 6.
        ...['2-4', '2-5', '2-6', '4-5', '4-6'],
        // From interaction location 6 to the change after it. There are no edges between interaction locations (line
        // 17).
        '6-7',
        // Line 11 precedes line 15: 8 depends on 2 and 4, 11 on all four changes, but both are only outputs.
        ...['7-8', '10-11'],
      ],
    });
  });

  it('interactions are those of Definition 11, including changes, outputs and unreached statements', () => {
    expect([...interactionGraph(straight, { isAsPublished }).interactions]).toEqual([
      [5, [2, 4]],
      [6, [2, 4]],
      [8, [2, 4]],
      [9, [2, 4, 7]],
      [10, [2, 4, 7]],
      [11, [2, 4, 7, 10]],
    ]);
  });

  it('walks through a loop terminate with all orders it allows (Fig. 4.5)', () => {
    const graph = interactionGraph(cut, { isAsPublished });
    expect(shown(graph)).toEqual({
      changes: [1, 5, 7],
      outputs: [10],
      interactions: [8],
      edges: [
        ...['1-5', '1-7', '1-8', '1-10'],
        ...['5-5', '5-7', '5-8', '5-10'],
        '7-8',
        ...['8-5', '8-7', '8-10'],
      ],
    });
    // Line 10 depends on all three changes through line 8. Line 7 is a change that depends on the other two.
    expect([...graph.interactions]).toEqual([
      [7, [1, 5]],
      [8, [1, 5, 7]],
      [10, [1, 5, 7]],
    ]);
  });

  it('an output has an edge from the change that controls it, not from the others it depends on', () => {
    // 3 a = 1; 4 b = 2; 5 if (n) 6 print (a + b); 8 c = a; with 3, 4, 5 and 8 changed
    const decided = byLine({
      next: { 3: [4], 4: [5], 5: [6, 8], 6: [8] },
      dependsOn: { 6: [5, 3, 4], 8: [3] },
      changed: [3, 4, 5, 8],
      outputs: [6],
    });
    expect(shown(interactionGraph(decided, { isAsPublished }))).toEqual({
      ...{ changes: [3, 4, 5, 8], outputs: [6], interactions: [] },
      edges: ['3-4', '4-5', '5-6', '5-8'],
    });
    expect(shown(interactionGraph(decided))).toEqual({
      ...{ changes: [3, 4, 5, 8], outputs: [], interactions: [6] },
      edges: ['3-4', '3-6', '4-5', '4-6', '5-6', '5-8', '6-8'],
    });
  });

  it('the callees of a line are reached before its output', () => {
    // 1 a = 1; 2 print (f ()); 3 print (2); 5 f: return 3; with 1 and 5 changed
    const calling = byLine({
      next: { 1: [2], 2: [3, 5], 5: [2] },
      calls: { 2: [5] },
      dependsOn: { 2: [5] },
      changed: [1, 5],
      outputs: [2, 3],
    });
    expect(shown(interactionGraph(calling, { isAsPublished }))).toEqual({
      ...{ changes: [1, 5], outputs: [2, 3], interactions: [] },
      edges: ['1-2', '1-5', '5-2', '5-5'],
    });
  });
});

describe('interactionGraph by default', () => {
  const graph = interactionGraph(straight);

  it('every statement with several changes is a location, walks continue behind outputs, and statements that only pass values on are left out', () => {
    expect(shown(graph)).toEqual({
      changes: [2, 4, 7, 10],
      // 6 and 8 only pass on the value of 5, which depends on the same two changes.
      interactions: [5, 9, 11],
      outputs: [8, 12],
      edges: [
        ...['2-4', '2-5', '2-9', '2-11', '4-5', '4-9', '4-11', '5-7', '7-8', '7-9', '7-11', '9-10', '10-11'],
        // Output 11 depends on several changes, and the walk continues after it.
        '11-12',
      ],
    });
    expect([...graph.interactions]).toEqual([
      [5, [2, 4]],
      [9, [2, 4, 7]],
      [11, [2, 4, 7, 10]],
    ]);
  });
});

const statements = 9;

/** Statements and intermediate nodes with random dependences and changes. */
const graphs = fc
  .record({
    relays: fc.nat({ max: 8 }),
    changed: fc.uniqueArray(fc.nat({ max: statements - 1 }), { maxLength: 5 }),
    outputs: fc.uniqueArray(fc.nat({ max: statements - 1 }), { maxLength: 3 }),
    isAsPublished: fc.boolean(),
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

/** Dependences between statements only, with paths through intermediate nodes contracted. */
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

describe('the fast algorithm', () => {
  it('interactionGraph equals the plain algorithm on random graphs', () => {
    fc.assert(
      fc.property(
        graphs,
        ({ given: { changed, outputs, isAsPublished }, next, calls, dependsOn, behind }) => {
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
              dependencesOn: (some) =>
                behind.map((places, statement) => {
                  const set = new BitSet(some.length);
                  for (const place of places) if (place < some.length) set.add(place);
                  if (some.includes(statement)) set.add(some.indexOf(statement));
                  return set;
                }),
            },
            { isAsPublished },
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
            { isAsPublished },
          );
          expect(listed(quick)).toEqual(listed(plain));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
