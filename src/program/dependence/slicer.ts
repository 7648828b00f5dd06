/**
 * Slices that do not enter a function through one call and leave it through another: first up to the callers, with
 * calls stepped over, then over to what runs before or after them, then down into the called.
 *
 * Horwitz, Reps, Binkley: Interprocedural Slicing Using Dependence Graphs.
 */

import { type FunctionId, type LocalNodeId, type ReadonlyTable, Table } from '../graph/index.js';
import type { Border, Direction, Local } from './border.js';
import { endOf } from './edges.js';
import type { FunctionGraph } from './function-graph.js';
import type { Moment, Succession } from './succession.js';
import type { CallEdges, ThroughFlow } from './through-flow.js';

/** For each function its nodes, 1 for those in the slice; undefined for functions that have none in it. */
export type Marks = ReadonlyTable<FunctionId, Uint8Array | undefined>;

/** What a slice goes over. */
export interface SliceContext {
  readonly border: Border;
  readonly succession: Succession;
  readonly graphOf: (fn: FunctionId) => FunctionGraph;
  /** Undefined where calls are mixed up. */
  readonly through: ThroughFlow | undefined;
}

export function slice(from: readonly Local[], direction: Direction, context: SliceContext): Marks {
  const { border, succession, through } = context;
  const walk = new Walk(direction, context);
  const overTime = new OverTime(direction, succession);
  const isMixed = through === undefined;
  const beside: Local[] = [];
  const below: Local[] = [];
  const reach = ({ fn, node }: Local): void => walk.reach(fn, node);
  for (const start of from) reach(start);
  walk.run((fn, node) => {
    for (const next of border.outward(fn, node, direction)) reach(next);
    for (const next of overTime.from(fn, node))
      if (isMixed || succession.isAtEnd(next.fn)) reach(next);
      else beside.push(next);
    for (const next of border.inward(fn, node, direction))
      if (isMixed) reach(next);
      else below.push(next);
  });
  // What was reached on the way up has led to everything it can lead to, and need not be gone over again.
  for (const next of beside) reach(next);
  walk.run((fn, node) => {
    for (const next of overTime.from(fn, node)) reach(next);
    for (const next of border.inward(fn, node, direction)) below.push(next);
  });
  for (const next of below) reach(next);
  walk.run((fn, node) => {
    for (const next of border.inward(fn, node, direction)) reach(next);
    // The program may be ended from below; what runs then is not left again.
    if (succession.isAtEnd(fn))
      for (const next of overTime.from(fn, node)) if (succession.isAtEnd(next.fn)) reach(next);
  });
  return walk.marks;
}

/** To what runs before or after; many nodes are connected there in the same way, which is gone once. */
class OverTime {
  readonly #seen = new Set<Moment>();

  constructor(
    private readonly direction: Direction,
    private readonly succession: Succession,
  ) {}

  from(fn: FunctionId, node: LocalNodeId): readonly Local[] {
    const found: Local[] = [];
    for (const moment of this.succession.moments(fn, node, this.direction)) {
      if (this.#seen.has(moment)) continue;
      this.#seen.add(moment);
      found.push(...this.succession.at(moment, this.direction));
    }
    return found;
  }
}

/** Goes over the dependences inside functions and over their calls, and wherever else it is told to. */
class Walk {
  readonly marks = new Table<FunctionId, Uint8Array | undefined>();
  readonly #fns: FunctionId[] = [];
  readonly #nodes: LocalNodeId[] = [];

  constructor(
    private readonly direction: Direction,
    private readonly context: SliceContext,
  ) {}

  reach(fn: FunctionId, node: LocalNodeId): void {
    let marks = this.marks.get(fn);
    if (marks === undefined) {
      marks = new Uint8Array(this.context.through?.of(fn).count ?? this.context.graphOf(fn).count);
      this.marks.set(fn, marks);
    }
    if (marks[node] === 1) return;
    marks[node] = 1;
    this.#fns.push(fn);
    this.#nodes.push(node);
  }

  /** @param goFurther is told of every node once */
  run(goFurther: (fn: FunctionId, node: LocalNodeId) => void): void {
    const way = this.direction === 'backward' ? 'onto' : 'back';
    for (;;) {
      const fn = this.#fns.pop();
      const node = this.#nodes.pop();
      if (fn === undefined || node === undefined) return;
      const graph = this.context.graphOf(fn);
      const calls: CallEdges | undefined = this.context.through?.of(fn);
      if (calls !== undefined) for (const edge of calls[way].of(node)) this.reach(fn, endOf(edge));
      if (node >= graph.count) continue;
      for (const edge of graph[way].of(node)) this.reach(fn, endOf(edge));
      goFurther(fn, node);
    }
  }
}
