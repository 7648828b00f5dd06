import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkedFunctions } from '../../src/change/sequences/call-targets.js';
import {
  complexityOf,
  entry,
  exit,
  type SequenceOptions,
  sequenceGraph,
} from '../../src/change/sequences/sequence-graph.js';
import type { FlowBlock, FlowCall, FlowFunction } from '../../src/program/graph/index.js';

/** A function: for each block its successors and calls. */
function fn(
  name: string,
  ...blocks: readonly (readonly [next: readonly number[], ...calls: FlowCall[]])[]
): FlowFunction {
  const flow = blocks.map(([next, ...calls]): FlowBlock => ({ lines: [], next, calls }));
  return { name, file: 'a.c', firstLine: 1, lastLine: 1, blocks: flow };
}

/** Edges as text: > for the entry, < for the exit, blocks by their names. */
function edgesOf(
  functions: readonly FlowFunction[],
  changed: readonly (readonly number[])[],
  options: SequenceOptions = {},
): readonly string[] {
  const { blocks, edges } = sequenceGraph(
    functions,
    changed.map((some) => new Set(some)),
    options,
  );
  const name = (node: number): string => {
    if (node === entry) return '>';
    if (node === exit) return '<';
    const block = blocks[node];
    return `${functions[block?.function ?? -1]?.name}${block?.block}`;
  };
  return edges.map(([from, to]) => `${name(from)} ${name(to)}`).toSorted();
}

function complexity(functions: readonly FlowFunction[], changed: readonly (readonly number[])[]): number {
  return complexityOf(
    sequenceGraph(
      functions,
      changed.map((some) => new Set(some)),
    ),
  );
}

describe('sequenceGraph', () => {
  it('one changed statement has one sequence (Fig. 5.1)', () => {
    // 0: sign; 1: valuestring++; 2: loop; 3: value; 4: return
    const f = fn('f', [[1, 2]], [[2]], [[3, 4]], [[2]], [[]]);
    expect(edgesOf([f], [[4]])).toEqual(['> f4', 'f4 <']);
    expect(complexity([f], [[4]])).toBe(1);
  });

  it('an added decision has a sequence for each path (Fig. 5.2)', () => {
    // 0: if; 1: 447 else if; 2: 448 if; 3: 449; 4: 451 if; 5: 452; 6: the end
    const f = fn('f', [[1, 6]], [[2, 6]], [[3, 4]], [[6]], [[5, 6]], [[6]], [[]]);
    expect(complexity([f], [[1, 2, 3, 4, 5]])).toBe(4);
  });

  it('changes in a loop have a sequence for each order (Fig. 5.3, right)', () => {
    // while (0) { if (1) { 100; if (..) break; } 200 }; block 2 is line 100, block 3 line 200
    const f = fn('f', [[1, 4]], [[2, 3]], [[3, 4]], [[0]], [[]]);
    expect(edgesOf([f], [[2, 3]])).toEqual(['> f2', '> f3', 'f2 <', 'f2 f3', 'f3 <', 'f3 f2', 'f3 f3']);
    expect(complexity([f], [[2, 3]])).toBe(5);
  });

  it('sequences enter called functions and return from them', () => {
    // main: 0 changed, 1 calls f, 2 changed; f: 0 changed or 1 not
    const main = fn('main', [[1]], [[2], 'f'], [[]]);
    const f = fn('f', [[1, 2]], [[2]], [[]]);
    expect(edgesOf([main, f], [[0, 2], [1]])).toEqual([
      '> main0',
      'f1 main2',
      'main0 f1',
      'main0 main2',
      'main2 <',
    ]);
    expect(edgesOf([main, f], [[0, 2], [1]], { isAsPublished: true })).toEqual([
      '> main0',
      'main0 f1',
      'main0 main2',
      'main2 <',
    ]);
  });

  it('sequences do not pass a call that always executes a change', () => {
    const main = fn('main', [[1]], [[2], 'f'], [[]]);
    const f = fn('f', [[]]);
    expect(edgesOf([main, f], [[0, 2], [0]])).toEqual(['> main0', 'f0 main2', 'main0 f0', 'main2 <']);
  });

  it('sequences follow all calls of a block in order', () => {
    const f = fn('f', [[]]);
    const g = fn('g', [[]]);
    const inOrder = fn('main', [[], 'f', 'g']);
    expect(edgesOf([inOrder, f, g], [[], [0], [0]])).toEqual(['> f0', 'f0 g0', 'g0 <']);
    expect(complexity([inOrder, f, g], [[], [0], [0]])).toBe(1);
    expect(edgesOf([fn('main', [[], 'f', 'f']), f], [[], [0]])).toEqual(['> f0', 'f0 <', 'f0 f0']);
  });

  it('sequences pass a call that may reach an unknown function', () => {
    const main = fn('main', [[1], 'size'], [[]]);
    const method = fn('Foo::size', [[]]);
    expect(edgesOf([main, method], [[1], [0]])).toEqual([
      '> Foo::size0',
      '> main1',
      'Foo::size0 main1',
      'main1 <',
    ]);
  });

  it('calls are resolved by symbols, and symbols by their names in the source', () => {
    const main = fn('main', [[1], '_ZN3Foo3addEi'], [[], '_ZN3Bar3addEd']);
    const compiled = { ...fn('Foo::add', [[]]), symbol: '_ZN3Foo3addEi' };
    const other = { ...fn('Foo::add', [[]]), symbol: '_ZN3Foo3addEd' };
    const read = fn('Bar::add', [[]]);
    const sourceNames = new Map([['_ZN3Bar3addEd', 'Bar::add']]);
    const edges = edgesOf([main, compiled, other, read], [[], [0], [], [0]], { sourceNames });
    expect(edges).toEqual(['> Foo::add0', 'Bar::add0 <', 'Foo::add0 Bar::add0']);
  });

  it('a pointer call may reach functions with a taken address and a fitting parameter count, or none of them', () => {
    const main = fn('main', [[1], { values: 1 }], [[]]);
    const takes = (count: number) => ({ takes: { least: count, most: count } });
    const one = { ...fn('one', [[]]), ...takes(1) };
    const many = { ...fn('many', [[]]), takes: { least: 0, most: Number.POSITIVE_INFINITY } };
    const two = { ...fn('two', [[]]), ...takes(2) };
    const called = { ...fn('called', [[]]), ...takes(1) };
    const functions = [main, one, many, two, called];
    const { blocks, edges } = sequenceGraph(
      functions,
      [[1], [0], [0], [0], [0]].map((some) => new Set(some)),
      { taken: new Set(['one', 'many', 'two']) },
    );
    const name = (node: number): string => functions[blocks[node]?.function ?? -1]?.name ?? '';
    expect(edges.filter(([from, to]) => from !== entry && to !== exit).map((edge) => edge.map(name))).toEqual(
      [
        ['one', 'main'],
        ['many', 'main'],
      ],
    );
    expect(edges.filter(([from]) => from === entry).map(([, to]) => name(to))).toEqual([
      'main',
      'one',
      'many',
      'two',
      'called',
    ]);
  });

  it('a thousand pointer calls to a thousand functions need no million edges', () => {
    const count = 2_000;
    const callers = Array.from({ length: count }, (_, at) => fn(`c${at}`, [[], { values: 0 }]));
    const pointed = Array.from({ length: count }, (_, at) => fn(`p${at}`, [[]]));
    const linked = linkedFunctions([...callers, ...pointed]);
    const ways = linked.flat().reduce((sum, { next, calls }) => {
      const called = calls.reduce((all, target) => all + target.functions.length, 0);
      return sum + next.length + called;
    }, 0);
    expect(ways).toBeLessThan(6 * count);
  });

  it('the graph of a program that is entirely new takes time proportional to its edges', () => {
    const count = 20_000;
    const functions = Array.from({ length: count }, (_, at) =>
      fn(`f${at}`, [[1, 2], `f${at + 1}`], [[2]], [[]]),
    );
    const { blocks, edges } = sequenceGraph(
      functions,
      functions.map(() => new Set([0, 1, 2])),
    );
    expect(blocks).toHaveLength(3 * count);
    expect(edges.length).toBeLessThan(10 * count);
  });

  it('changes are found through unchanged functions', () => {
    const main = fn('main', [[], 'g']);
    const g = fn('g', [[1], 'f'], [[]]);
    const f = fn('f', [[]]);
    expect(edgesOf([main, g, f], [[], [], [0]])).toEqual(['> f0', 'f0 <']);
  });

  it('the graph of recursive functions terminates', () => {
    const f = fn('f', [[1, 2]], [[2], 'f'], [[]]);
    expect(edgesOf([f], [[1]])).toEqual(['> f1', 'f1 <', 'f1 f1']);
  });

  it('a change without executable code has no complexity', () => {
    expect(complexity([fn('f', [[]])], [[]])).toBe(0);
    expect(complexity([], [])).toBe(0);
  });

  it('a block that ends the program has an edge to the exit', () => {
    const main = fn('main', [[1], 'die'], [[]]);
    const die: FlowFunction = {
      ...fn('die', [[]]),
      blocks: [{ lines: [], next: [], calls: [], isLast: true }],
    };
    expect(edgesOf([main, die], [[1], [0]])).toEqual(['> die0', 'die0 <', 'main1 <']);
  });

  it('edges connect changed blocks with an unchanged path between them (random functions)', () => {
    const graph = fc.integer({ min: 1, max: 7 }).chain((count) =>
      fc.tuple(
        fc.array(fc.uniqueArray(fc.nat(count - 1), { maxLength: 3 }), {
          minLength: count,
          maxLength: count,
        }),
        fc.uniqueArray(fc.nat(count - 1)),
      ),
    );
    fc.assert(
      fc.property(graph, ([next, changed]) => {
        const f = fn('f', ...next.map((targets) => [targets] as const));
        const isChanged = new Set(changed);
        const follows = (from: readonly number[]): readonly string[] => {
          const seen = new Set<number>();
          const met = new Set<string>();
          const left = [...from];
          for (let at = left.pop(); at !== undefined; at = left.pop()) {
            if (seen.has(at)) continue;
            seen.add(at);
            if (isChanged.has(at)) met.add(`f${at}`);
            else if (next[at]?.length === 0) met.add('<');
            else left.push(...(next[at] ?? []));
          }
          return [...met];
        };
        const expected = [
          ...follows([0]).flatMap((to) => (to === '<' ? [] : [`> ${to}`])),
          ...changed.flatMap((at) =>
            (next[at]?.length === 0 ? ['<'] : follows(next[at] ?? [])).map((to) => `f${at} ${to}`),
          ),
        ].toSorted();
        expect(edgesOf([f], [changed])).toEqual(expected);
      }),
    );
  });
});
