/**
 * The summary edges of Horwitz, Reps, Binkley (Interprocedural Slicing Using Dependence Graphs): which inputs of a
 * function influence which outputs. With them a slice steps over a call without mixing it with other calls.
 *
 * Most outputs of a function depend on the same inputs. At each call a bundle, an intermediate node, stands for all
 * outputs with the same inputs, which keeps the number of edges small.
 */

import {
  after,
  BitSet,
  ContentMap,
  type FunctionId,
  IntTable,
  idOf,
  idsBetween,
  type KeyEquality,
  type LocalNodeId,
  type ReadonlyTable,
  Table,
} from '../graph/index.js';
import type { CallTree } from './calls/call-tree.js';
import { type Adjacency, EdgeList } from './edges.js';
import { exitSets } from './exit-sets.js';
import type { FunctionGraph } from './function-graph.js';
import { actualOf, type FunctionNodes, type NumberedCall, type Numbering } from './numbering.js';

/** Edges over the calls of a function. Bundles are numbered after its other nodes. */
export interface FunctionSummaryEdges {
  readonly count: number;
  readonly backward: Adjacency;
  readonly forward: Adjacency;
}

/** For the result and each output variable, the set of inputs that influence it. */
interface InputSets {
  readonly sets: ReadonlyTable<number, BitSet>;
  readonly setOf: IntTable<number>;
}

/** Limits in words of bit sets and in edges; more would take too much time or memory. */
const defaultMaxWork = 6e9;
const maxEdges = 40e6;

/** Groups of mutually recursive functions up to this size are solved exactly. */
const defaultMaxRepeated = 16;

interface SummaryEdgesOptions {
  /** In larger groups of mutually recursive functions the result is less exact. */
  readonly mostRepeated?: number | undefined;
  /** In words of bit sets; above it the computation stops. */
  readonly mostWork?: number | undefined;
  readonly onFunction?: ((done: number, all: number) => void) | undefined;
}

export class SummaryEdges {
  readonly #inputSets = new Table<FunctionId, InputSets | undefined>();
  readonly #edges = new Table<FunctionId, FunctionSummaryEdges>();
  readonly #mostRepeated: number;
  readonly #onFunction: SummaryEdgesOptions['onFunction'];
  #solved = 0;
  readonly #mostWork: number;
  #work = 0;
  #edgeCount = 0;
  /** The limits were exceeded and there are no edges. */
  readonly isIncomplete: boolean;

  constructor(
    tree: CallTree,
    private readonly numbering: Numbering,
    private readonly graphOf: (fn: FunctionId) => FunctionGraph,
    { mostRepeated = defaultMaxRepeated, mostWork = defaultMaxWork, onFunction }: SummaryEdgesOptions = {},
  ) {
    this.#mostRepeated = mostRepeated;
    this.#onFunction = onFunction;
    this.#mostWork = mostWork;
    let isIncomplete = false;
    for (const group of tree.groups) {
      isIncomplete ||= !this.#solve(group, tree);
      if (isIncomplete) break;
    }
    this.isIncomplete = isIncomplete;
    if (isIncomplete) this.#edges.clear();
  }

  of(fn: FunctionId): FunctionSummaryEdges {
    return this.#edges.get(fn);
  }

  /**
   * Small groups of mutually recursive functions are iterated to a fixed point. In a large group every input is first
   * assumed to influence every output; one pass over each function then narrows this down, and the result stays
   * sound.
   *
   * @returns false if a limit is exceeded
   */
  #solve(group: readonly FunctionId[], tree: CallTree): boolean {
    if (group.length > this.#mostRepeated) {
      for (const fn of group) this.#inputSets.set(fn, this.#allInputs(fn));
      for (const fn of group) {
        this.#onFunction?.(this.#solved++, this.numbering.functions.length);
        this.#setCallEdges(fn);
        this.#inputSets.set(fn, this.#inputSetsOf(fn));
        if (this.#work > this.#mostWork || this.#edgeCount > maxEdges) return false;
      }
      return true;
    }
    this.#onFunction?.(this.#solved, this.numbering.functions.length);
    this.#solved += group.length;
    const members = new Set(group);
    const pending = new Set(group);
    for (const fn of pending) {
      pending.delete(fn);
      this.#setCallEdges(fn);
      const before = this.#inputSets.get(fn);
      const current = this.#inputSetsOf(fn);
      this.#inputSets.set(fn, current);
      if (this.#work > this.#mostWork || this.#edgeCount > maxEdges) return false;
      if (before !== undefined && isSame(before, current)) continue;
      for (const { caller } of this.numbering.callers.get(fn)) if (members.has(caller)) pending.add(caller);
    }
    // The edges of a member may be older than the final results of the others.
    if (group.some((fn) => tree.isRecursive.get(fn))) for (const fn of group) this.#setCallEdges(fn);
    return this.#edgeCount <= maxEdges;
  }

  #allInputs(fn: FunctionId): InputSets {
    const { parameters, ins, outs } = this.#nodes(fn);
    const all = BitSet.upTo(parameters + ins.length);
    return { sets: new Table([all]), setOf: IntTable.of(outs.length + 1, 0) };
  }

  #nodes(fn: FunctionId): FunctionNodes {
    return this.numbering.functions.get(fn);
  }

  /** Replaces the edges of a function. Stops adding edges above the limit. */
  #setCallEdges(fn: FunctionId): void {
    const edges = new EdgeList();
    let count = this.graphOf(fn).count;
    // Undefined for a function that was not computed yet.
    const before: FunctionSummaryEdges | undefined = this.#edges.get(fn);
    this.#edgeCount -= before?.backward.itemCount ?? 0;
    for (const site of this.#nodes(fn).sites)
      for (const { id, passes } of site.callees) {
        const throughput = this.#inputSets.get(id);
        if (throughput === undefined || this.#edgeCount + edges.length > maxEdges) continue;
        count = this.#bundle(site, id, passes, throughput, edges, count);
      }
    this.#edgeCount += edges.length;
    this.#edges.set(fn, { count, ...edges.both(count) });
  }

  #bundle(
    site: NumberedCall,
    id: FunctionId,
    passes: readonly number[] | undefined,
    { sets, setOf }: InputSets,
    edges: EdgeList,
    next: number,
  ): number {
    const callee = this.#nodes(id);
    const exits = exitNodes(callee);
    const bundles = new Map<number, LocalNodeId>();
    let count = next;
    for (const [at, number] of setOf.entries()) {
      const formal = at === 0 ? callee.result : after(callee.firstOut, at - 1);
      const actual = actualOf(site, callee, passes, formal);
      if (actual === undefined) continue;
      let bundle = bundles.get(number);
      if (bundle === undefined) {
        const fresh = idOf<LocalNodeId>(count++);
        bundles.set(number, fresh);
        sets.get(number).forEach((exit) => {
          const formal = exits[exit];
          const into = formal === undefined ? undefined : actualOf(site, callee, passes, formal);
          if (into !== undefined) edges.add(fresh, into);
        });
        bundle = fresh;
      }
      edges.add(actual, bundle);
    }
    return count;
  }

  #inputSetsOf(fn: FunctionId): InputSets {
    const nodes = this.#nodes(fn);
    const graph = this.graphOf(fn);
    const callEdges = this.of(fn);
    const exits = exitNodes(nodes);
    this.#work += ((exits.length + 31) >>> 5) * (graph.backward.itemCount + callEdges.backward.itemCount);
    const from = [nodes.result, ...Array.from(nodes.outs, (_, at) => after(nodes.firstOut, at))];
    const edgeSets = {
      count: callEdges.count,
      adjacencies: [
        { count: graph.count, adjacency: graph.backward },
        { count: callEdges.count, adjacency: callEdges.backward },
      ],
    };
    const reached = exitSets(from, edgeSets, exits);
    const numbers = new ContentMap<BitSet, number>(bitSetEquality);
    const sets = new Table<number, BitSet>();
    // Most equal sets are the same object.
    const bySet = new Map<BitSet, number>();
    const setOf = Int32Array.from(reached, (set) => {
      let number = bySet.get(set) ?? numbers.get(set);
      if (number === undefined) {
        number = sets.add(set);
        numbers.add(set, number);
      }
      bySet.set(set, number);
      return number;
    });
    return { sets, setOf: new IntTable(setOf) };
  }
}

/** Parameters first, then variables. */
function exitNodes({ firstParameter, parameters, firstIn, ins }: FunctionNodes): readonly LocalNodeId[] {
  return [
    ...idsBetween<LocalNodeId>(firstParameter, firstParameter + parameters),
    ...idsBetween<LocalNodeId>(firstIn, firstIn + ins.length),
  ];
}

const bitSetEquality: KeyEquality<BitSet> = {
  hash: (set) => set.hash(),
  isSame: (set, other) => set.equals(other),
};

function isSame(a: InputSets, b: InputSets): boolean {
  for (const [at, number] of a.setOf.entries()) {
    const [before, now] = [a.sets.get(number), b.sets.get(b.setOf.get(at))];
    if (before !== now && !before.equals(now)) return false;
  }
  return true;
}
