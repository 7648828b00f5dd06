/**
 * Context-sensitive slices, which never enter a function through one call and leave through another. Three phases: up
 * to the callers, stepping over calls; over to code that runs before or after them; down into the callees.
 *
 * Horwitz, Reps, Binkley: Interprocedural Slicing Using Dependence Graphs.
 */

import { type FunctionId, type LocalNodeId, type ReadonlyTable, Table } from '../graph/index.js';
import type { CallBoundary, Direction, LocalNode } from './calls/call-boundary.js';
import { targetOf } from './edges.js';
import type { FunctionGraph } from './function-graph.js';
import type { StageEdges, StageVariable } from './stage-edges.js';
import type { FunctionSummaryEdges, SummaryEdges } from './summary-edges.js';

/** For each function a byte per node, 1 if it is in the slice; undefined if none is. */
export type Marks = ReadonlyTable<FunctionId, Uint8Array | undefined>;

export interface SliceContext {
  readonly boundary: CallBoundary;
  readonly stageEdges: StageEdges;
  readonly graphOf: (fn: FunctionId) => FunctionGraph;
  /** Undefined if calls are not distinguished. */
  readonly summaryEdges: SummaryEdges | undefined;
}

export function slice(from: readonly LocalNode[], direction: Direction, context: SliceContext): Marks {
  const { boundary, stageEdges, summaryEdges } = context;
  const walk = new Walk(direction, context);
  const stageWalk = new StageWalk(direction, stageEdges);
  const mixesCalls = summaryEdges === undefined;
  const beside: LocalNode[] = [];
  const below: LocalNode[] = [];
  const reach = ({ fn, node }: LocalNode): void => walk.reach(fn, node);
  for (const start of from) reach(start);
  walk.run((fn, node) => {
    for (const next of boundary.inCallers(fn, node, direction)) reach(next);
    for (const next of stageWalk.from(fn, node))
      if (mixesCalls || stageEdges.isAtEnd(next.fn)) reach(next);
      else beside.push(next);
    for (const next of boundary.inCallees(fn, node, direction))
      if (mixesCalls) reach(next);
      else below.push(next);
  });
  // Nodes reached in an earlier phase need no second visit: they were followed everywhere.
  for (const next of beside) reach(next);
  walk.run((fn, node) => {
    for (const next of stageWalk.from(fn, node)) reach(next);
    for (const next of boundary.inCallees(fn, node, direction)) below.push(next);
  });
  for (const next of below) reach(next);
  walk.run((fn, node) => {
    for (const next of boundary.inCallees(fn, node, direction)) reach(next);
    // A callee may end the program; the slice then stays within the exit handlers.
    if (stageEdges.isAtEnd(fn))
      for (const next of stageWalk.from(fn, node)) if (stageEdges.isAtEnd(next.fn)) reach(next);
  });
  return walk.marks;
}

/** Edges to code that runs before or after. Many nodes share a stage variable, which is followed once. */
class StageWalk {
  readonly #seen = new Set<StageVariable>();

  constructor(
    private readonly direction: Direction,
    private readonly stageEdges: StageEdges,
  ) {}

  from(fn: FunctionId, node: LocalNodeId): readonly LocalNode[] {
    const nodes: LocalNode[] = [];
    for (const stageVariable of this.stageEdges.stageVariables(fn, node, this.direction)) {
      if (this.#seen.has(stageVariable)) continue;
      this.#seen.add(stageVariable);
      nodes.push(...this.stageEdges.connectedTo(stageVariable, this.direction));
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
      marks = new Uint8Array(this.context.summaryEdges?.of(fn).count ?? this.context.graphOf(fn).count);
      this.marks.set(fn, marks);
    }
    if (marks[node] === 1) return;
    marks[node] = 1;
    this.#fns.push(fn);
    this.#nodes.push(node);
  }

  /** @param follow called once for each node */
  run(follow: (fn: FunctionId, node: LocalNodeId) => void): void {
    for (;;) {
      const fn = this.#fns.pop();
      const node = this.#nodes.pop();
      if (fn === undefined || node === undefined) return;
      const graph = this.context.graphOf(fn);
      const calls: FunctionSummaryEdges | undefined = this.context.summaryEdges?.of(fn);
      if (calls !== undefined)
        for (const edge of calls[this.direction].of(node)) this.reach(fn, targetOf(edge));
      if (node >= graph.count) continue;
      for (const edge of graph[this.direction].of(node)) this.reach(fn, targetOf(edge));
      follow(fn, node);
    }
  }
}
