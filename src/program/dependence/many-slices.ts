/**
 * Slices of many starts at once, with the same results as `slice` for each start; common parts are visited once.
 *
 * The three phases of a slice (up to callers; over to code that runs before or after; down into callees) are three
 * copies of the graph with edges from one to the next. Its strongly connected components are condensed, and bit sets
 * of starts are propagated through the rest.
 */

import {
  type Condensation,
  condense,
  type FunctionId,
  IntList,
  IntLists,
  idOf,
  type LocalNodeId,
  type NextNodes,
  propagateMarks,
} from '../graph/index.js';
import type { Direction, LocalNode } from './calls/call-boundary.js';
import { eachCallEdge } from './calls/call-edges.js';
import { type Adjacency, targetOf } from './edges.js';
import type { Numbering } from './numbering.js';
import type { SliceContext } from './slicer.js';
import type { StageVariable } from './stage-edges.js';

/** Called for each node in some of the slices: 32 slices at a time, one bit each. */
type TakeSlices = (fn: FunctionId, node: LocalNodeId, place: number, slices: number) => void;

/** Words of 32 starts that are propagated at once. */
const wordsAtOnce = 8;

/** Typical share of the condensation in the work. */
const condensingShare = 0.8;

const reportInterval = 1 << 14;

/**
 * @param take called for instructions
 * @param onShare receives the finished share of the work, from 0 to 1, for all slices together
 */
export function manySlices(
  starts: readonly (readonly LocalNode[])[],
  direction: Direction,
  context: SliceContext,
  numbering: Numbering,
  take: TakeSlices,
  onShare: (share: number) => void,
): void {
  onShare(0);
  const graph = new SliceGraph(direction, context, numbering);
  const all = new Set(
    starts.flatMap((some) => some.map((start) => graph.nodeOf('up', start.fn, start.node))),
  );
  let visited = 0;
  const whole = condense(graph.count, all, (node, into) => {
    // Nodes in cycles are visited twice, and many nodes not at all.
    if (++visited % reportInterval === 0) onShare(condensingShare * Math.min(1, visited / graph.count));
    graph.next(node, into);
  });
  const propagationShare = 1 - condensingShare;
  for (let from = 0; from < starts.length; from += 32 * wordsAtOnce) {
    const batch = starts.slice(from, from + 32 * wordsAtOnce);
    const words = (batch.length + 31) >>> 5;
    const marks = new Int32Array(whole.count * words);
    for (const [at, locals] of batch.entries())
      for (const start of locals) {
        const place = componentAt(whole, graph.nodeOf('up', start.fn, start.node)) * words + (at >>> 5);
        marks[place] = (marks[place] ?? 0) | (1 << (at & 31));
      }
    propagateMarks(whole, marks, words);
    const slicesAt = (fn: FunctionId, node: LocalNodeId, word: number): number => {
      let slices = 0;
      for (const part of parts) {
        const component = componentAt(whole, graph.nodeOf(part, fn, node));
        if (component !== -1) slices |= marks[component * words + word] ?? 0;
      }
      return slices;
    };
    for (const [fn, { entry: count }] of numbering.functions.entries()) {
      const done = from + (batch.length * fn) / numbering.functions.length;
      onShare(condensingShare + (propagationShare * done) / starts.length);
      for (let at = 0; at < count; at++)
        for (let word = 0; word < words; word++) {
          const slices = slicesAt(fn, idOf(at), word);
          if (slices !== 0) take(fn, idOf(at), (from >>> 5) + word, slices);
        }
    }
  }
}

function componentAt({ componentOf }: Condensation, node: number): number {
  return componentOf[node] ?? -1;
}

const parts = ['up', 'beside', 'below'] as const;
type Part = (typeof parts)[number];

/** Three copies of the graph: the nodes of each copy, then the stage variables of each. */
class SliceGraph {
  readonly #base: Int32Array;
  readonly #total: number;
  /** The function of each node, the same in all copies. */
  readonly #functionOf: Int32Array;
  readonly #outward: IntLists<number, number>;
  readonly #inward: IntLists<number, number>;
  readonly #isAtEnd: Uint8Array;
  /** Functions connected to code that runs before or after them. */
  readonly #hasStageEdges: Uint8Array;
  readonly #numberOf = new Map<StageVariable, number>();
  readonly #stageVariables: readonly StageVariable[];
  readonly count: number;

  constructor(
    private readonly direction: Direction,
    private readonly context: SliceContext,
    numbering: Numbering,
  ) {
    const functions = numbering.functions.length;
    this.#base = new Int32Array(functions + 1);
    this.#isAtEnd = new Uint8Array(functions);
    this.#hasStageEdges = new Uint8Array(functions);
    const { stageEdges, summaryEdges, graphOf } = context;
    for (const fn of numbering.functions.keys()) {
      const { count } = graphOf(fn);
      this.#base[fn + 1] = (this.#base[fn] ?? 0) + (summaryEdges?.of(fn).count ?? count);
      if (stageEdges.isAtEnd(fn)) this.#isAtEnd[fn] = 1;
      for (let node = 0; node < count; node++)
        for (const stageVariable of stageEdges.stageVariables(fn, idOf(node), direction)) {
          this.#hasStageEdges[fn] = 1;
          if (!this.#numberOf.has(stageVariable)) this.#numberOf.set(stageVariable, this.#numberOf.size);
        }
    }
    this.#total = this.#base[functions] ?? 0;
    this.#functionOf = new Int32Array(this.#total);
    for (const fn of numbering.functions.keys())
      this.#functionOf.fill(fn, this.#base[fn], this.#base[fn + 1]);
    [this.#outward, this.#inward] = this.#crossings(numbering);
    this.#stageVariables = [...this.#numberOf.keys()];
    this.count = parts.length * (this.#total + this.#stageVariables.length);
  }

  #crossings(
    numbering: Numbering,
  ): readonly [outward: IntLists<number, number>, inward: IntLists<number, number>] {
    const [formals, actuals] = [new IntList(1024), new IntList(1024)];
    const [callers, called] = [new IntList(1024), new IntList(1024)];
    eachCallEdge(numbering, (caller, actual, callee, formal, isIn) => {
      const outside = (this.#base[caller] ?? 0) + actual;
      const inside = (this.#base[callee] ?? 0) + formal;
      if (isIn === (this.direction === 'backward')) {
        formals.push(inside);
        actuals.push(outside);
      } else {
        callers.push(outside);
        called.push(inside);
      }
    });
    return [
      IntLists.by(this.#total, formals.toArray(), actuals.toArray()),
      IntLists.by(this.#total, callers.toArray(), called.toArray()),
    ];
  }

  nodeOf(part: Part, fn: FunctionId, node: LocalNodeId): number {
    return copyOf[part] * this.#total + (this.#base[fn] ?? 0) + node;
  }

  readonly next: NextNodes = (at, into) => {
    if (at >= parts.length * this.#total) {
      this.#addStageTargets(at - parts.length * this.#total, into);
      return;
    }
    const copy = at < this.#total ? 0 : at < 2 * this.#total ? 1 : 2;
    const first = copy * this.#total;
    const fn = idOf<FunctionId>(this.#functionOf[at - first] ?? 0);
    const base = first + (this.#base[fn] ?? 0);
    const node = idOf<LocalNodeId>(at - base);
    const { summaryEdges, graphOf } = this.context;
    if (summaryEdges !== undefined) addTargets(summaryEdges.of(fn)[this.direction], node, base, into);
    const graph = graphOf(fn);
    if (node >= graph.count) return;
    addTargets(graph[this.direction], node, base, into);
    this.#addCallEdges(copy, at - first, into);
    if (this.#hasStageEdges[fn] === 1) this.#addStageEdges(copy, fn, node, into);
  };

  /** The steps of `slice`. If calls are not distinguished, the first phase does all of them. */
  #addCallEdges(copy: number, at: number, into: IntList): void {
    if (copy === copyOf.up) addAll(this.#outward, at, 0, into);
    const mixesCalls = this.context.summaryEdges === undefined;
    addAll(this.#inward, at, (mixesCalls ? copyOf.up : copyOf.below) * this.#total, into);
  }

  #addStageEdges(copy: number, fn: FunctionId, node: LocalNodeId, into: IntList): void {
    if (copy === copyOf.below && this.#isAtEnd[fn] === 0) return;
    const first = parts.length * this.#total + copy * this.#stageVariables.length;
    for (const stageVariable of this.context.stageEdges.stageVariables(fn, node, this.direction))
      into.push(first + (this.#numberOf.get(stageVariable) ?? 0));
  }

  #addStageTargets(at: number, into: IntList): void {
    const part = parts[Math.floor(at / this.#stageVariables.length)] ?? 'up';
    const stageVariable = this.#stageVariables[at % this.#stageVariables.length];
    if (stageVariable === undefined) return;
    const mixesCalls = this.context.summaryEdges === undefined;
    for (const { fn, node } of this.context.stageEdges.connectedTo(stageVariable, this.direction)) {
      const isAtEnd = this.#isAtEnd[fn] === 1;
      if (part === 'below' && !isAtEnd) continue;
      into.push(this.nodeOf(part === 'up' && !isAtEnd && !mixesCalls ? 'beside' : part, fn, node));
    }
  }
}

const copyOf: Readonly<Record<Part, number>> = { up: 0, beside: 1, below: 2 };

function addTargets(adjacency: Adjacency, node: LocalNodeId, base: number, into: IntList): void {
  const end = adjacency.end(node);
  for (let at = adjacency.start(node); at < end; at++) into.push(base + targetOf(adjacency.item(at)));
}

function addAll(lists: IntLists<number, number>, node: number, base: number, into: IntList): void {
  const end = lists.end(node);
  for (let at = lists.start(node); at < end; at++) into.push(base + lists.item(at));
}
