/**
 * Context-sensitive slices, which never enter a function through one call and leave through another. Three phases: up
 * to the callers, stepping over calls; over to code that runs before or after them; down into the callees.
 *
 * Horwitz, Reps, Binkley: Interprocedural Slicing Using Dependence Graphs.
 */

import { type FunctionId, type LocalNodeId, type ReadonlyTable, Table } from '../graph/index.js';
import type { Border, Direction, Local } from './border.js';
import { endOf } from './edges.js';
import type { FunctionGraph } from './function-graph.js';
import type { Moment, Succession } from './succession.js';
import type { CallEdges, ThroughFlow } from './through-flow.js';

/** For each function a byte per node, 1 if it is in the slice; undefined if none is. */
export type Marks = ReadonlyTable<FunctionId, Uint8Array | undefined>;

export interface SliceContext {
  readonly border: Border;
  readonly succession: Succession;
  readonly graphOf: (fn: FunctionId) => FunctionGraph;
  /** Undefined if calls are not distinguished. */
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
  // Nodes reached in an earlier phase need no second visit: they were followed everywhere.
  for (const next of beside) reach(next);
  walk.run((fn, node) => {
    for (const next of overTime.from(fn, node)) reach(next);
    for (const next of border.inward(fn, node, direction)) below.push(next);
  });
  for (const next of below) reach(next);
  walk.run((fn, node) => {
    for (const next of border.inward(fn, node, direction)) reach(next);
    // A callee may end the program; the slice then stays within the exit handlers.
    if (succession.isAtEnd(fn))
      for (const next of overTime.from(fn, node)) if (succession.isAtEnd(next.fn)) reach(next);
  });
  return walk.marks;
}

/** Edges to code that runs before or after. Many nodes share the same moment, which is followed once. */
class OverTime {
  readonly #seen = new Set<Moment>();

  constructor(
    private readonly direction: Direction,
    private readonly succession: Succession,
  ) {}

  from(fn: FunctionId, node: LocalNodeId): readonly Local[] {
    const nodes: Local[] = [];
    for (const moment of this.succession.moments(fn, node, this.direction)) {
      if (this.#seen.has(moment)) continue;
      this.#seen.add(moment);
      nodes.push(...this.succession.at(moment, this.direction));
    }
    return nodes;
  }
}

/** Follows dependences within functions and summary edges over calls; the caller adds further nodes. */
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

  /** @param goFurther called once for each node */
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
