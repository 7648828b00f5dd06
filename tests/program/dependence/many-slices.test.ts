import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/machine/index.js';
import { DependenceGraph } from '../../../src/program/dependence/index.js';
import { idOf, type NodeId } from '../../../src/program/graph/index.js';
import { Program, readModule } from '../../../src/program/ir/index.js';
import { randomC } from '../random-c.js';
import { compileC } from './compile.js';

/** Code that runs before main, after it, and at exit. */
const inTime = `
static int early, late;
__attribute__((constructor)) static void begin (void) { early = g0 + 1; }
static void at_end (void) { g1 = late + early; }
__attribute__((destructor)) static void finish (void) { g0 = g1 + late; }
__attribute__((constructor)) static void note (void) { atexit (at_end); late = early; }
`;

const sliced = (graph: DependenceGraph, starts: readonly (readonly NodeId[])[]) => {
  const found = starts.map(() => new Set<NodeId>());
  graph.forwardSlices(starts, (node, place, slices) => {
    for (let bit = 0; bit < 32; bit++) if ((slices & (1 << bit)) !== 0) found[32 * place + bit]?.add(node);
  });
  return found.map((nodes) => [...nodes].toSorted((a, b) => a - b));
};

/** Small programs have no large recursive groups and exceed no limit; the options simulate both. */
const kinds = { exact: {}, 'of large groups': { mostRepeated: 0 }, coarse: { mostWork: 0 } };

const programs = Object.entries(kinds).flatMap(([kind, options], at) =>
  [11, 12].map((seed) => ({ kind, options, seed: seed + 2 * at })),
);

describe.each(programs)('forward slices of a random program ($kind, seed $seed)', ({
  options,
  seed,
  kind,
}) => {
  const random = Random.fromSeed(seed);
  const text = `${randomC(random, 3)}${inTime}`;
  const program = new Program([readModule(compileC(text))]);
  const shares: number[] = [];
  const onProgress = (step: string, done: number, all: number): void => {
    if (step === 'slices') shares.push(done / all);
  };
  const graph = new DependenceGraph(program, { ...options, onProgress });

  it('are the same together as one by one', () => {
    const some = Array.from({ length: 270 }, () =>
      Array.from({ length: 1 + random.below(3) }, () => idOf<NodeId>(random.below(graph.instructionCount))),
    );
    const alone = some.map((nodes) => [...graph.forwardSlice(nodes)].toSorted((a, b) => a - b));
    expect(sliced(graph, some)).toEqual(alone);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect([shares[0], Math.max(...shares) < 1]).toEqual([0, true]);
    expect(sliced(graph, [])).toEqual([]);
    expect(graph.isCoarse).toBe(kind === 'coarse');
  });

  it('follow the dependences of each node', () => {
    const all = new Map<NodeId, Set<NodeId>>();
    graph.eachDependence((node, on) => all.set(node, (all.get(node) ?? new Set()).add(on)));
    const { nodes } = graph.complete();
    for (let node = idOf<NodeId>(0); node < nodes; node = idOf(node + 1))
      expect(all.get(node) ?? new Set()).toEqual(new Set([...graph.dependsOn(node)].map((on) => on.node)));
  });
});
