import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/machine/index.js';
import { DependenceGraph } from '../../../src/program/dependence/dependence-graph.js';
import { idOf, type NodeId } from '../../../src/program/graph/index.js';
import { Program, readBody, readModule, targetsOf } from '../../../src/program/ir/index.js';
import { randomC } from '../random-c.js';
import { trace } from '../trace.js';
import { compileC, llvmTool } from './compile.js';

/** CULPRIT_FUNCTIONS=500 takes some minutes. */
const isLong = Number(process.env.CULPRIT_FUNCTIONS ?? 100) >= 500;

/** Large programs have many functions with shared memory, small ones many definite overwrites. */
const programs = [
  ...(isLong ? [{ seed: 1000, functions: 48 }] : []),
  ...Array.from({ length: isLong ? 17 : 3 }, (_, at) => ({ seed: 1500 + at, functions: 16 })),
  ...Array.from({ length: isLong ? 45 : 13 }, (_, at) => ({ seed: 2000 + at, functions: 4 })),
].map((program, at) => ({ ...program, passes: at % 2 === 0 ? undefined : 'mem2reg' }));

describe.each(programs)('a run of program $seed with $functions functions ($passes)', ({
  seed,
  functions,
  passes,
}) => {
  const ir = compileC(randomC(Random.fromSeed(seed), functions), passes);
  const { steps, dependences: traced } = trace(ir, llvmTool('clang'));
  const dependences = traced.map(({ reader, writer }) => ({
    reader: idOf<NodeId>(reader),
    writer: idOf<NodeId>(writer),
  }));
  const module = readModule(ir);
  const program = new Program([module]);
  // Small programs have no large recursive groups, so every other one treats all groups as large.
  const graph = new DependenceGraph(program, seed % 2 === 0 ? { mostRepeated: 0 } : {});

  test('follows the control flow that was read', () => {
    const ways = program.functions.map(({ declared }) => {
      const { blocks, faults } = readBody(module, declared);
      expect(faults).toEqual([]);
      const numbers = new Map(blocks.map(({ label }, at) => [label, at]));
      return new Set([
        '-1 0',
        ...blocks.flatMap(({ terminator }, at) =>
          targetsOf(terminator).map((to) => `${at} ${numbers.get(to)}`),
        ),
      ]);
    });
    expect(steps.length).toBeGreaterThan(functions);
    expect(steps.filter(({ fn, from, to }) => ways[fn]?.has(`${from} ${to}`) !== true)).toEqual([]);
  });

  test('has only data dependences that the graph has', () => {
    const writersOf = new Map<NodeId, ReadonlySet<NodeId>>();
    const missing = dependences.filter(({ reader, writer }) => {
      const known = writersOf.get(reader) ?? dataFrom(graph, reader);
      writersOf.set(reader, known);
      return !known.has(writer);
    });
    expect(dependences.length).toBeGreaterThan(2 * functions);
    expect(missing.map((dependence) => described(graph, dependence))).toEqual([]);
  });

  test('has only data dependences that the slices have', () => {
    const some = Random.fromSeed(seed).sample(dependences, 10);
    const missing = some.filter(
      ({ reader, writer }) =>
        !graph.backwardSlice([reader]).has(writer) || !graph.forwardSlice([writer]).has(reader),
    );
    expect(missing.map((dependence) => described(graph, dependence))).toEqual([]);
  });
});

/** The instructions whose data reaches an instruction, directly or through auxiliary nodes. */
function dataFrom(graph: DependenceGraph, node: NodeId): ReadonlySet<NodeId> {
  const found = new Set<NodeId>();
  const passed = new Set<NodeId>();
  const left = [node];
  for (let at = left.pop(); at !== undefined; at = left.pop())
    for (const { node: to, kind } of graph.dependsOn(at)) {
      if (kind === 'control') continue;
      if (graph.isInstruction(to)) found.add(to);
      else if (!passed.has(to)) {
        passed.add(to);
        left.push(to);
      }
    }
  return found;
}

function described(graph: DependenceGraph, { reader, writer }: { reader: NodeId; writer: NodeId }): string {
  const [to, from] = [reader, writer].map((node) => {
    const position = graph.positionOf(node);
    if (position === undefined) return 'no instruction';
    const { functionId, block, at } = position;
    return `${graph.program.functions[functionId]?.declared.name} block ${block} instruction ${at}`;
  });
  return `${to} reads what ${from} writes`;
}
