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
  type Content,
  ContentMap,
  type FunctionId,
  IntTable,
  idOf,
  type LocalNodeId,
  type ReadonlyTable,
  Table,
} from '../graph/index.js';
import type { CallTree } from './call-tree.js';
import { type Adjacency, EdgeList } from './edges.js';
import { exitSets } from './exit-sets.js';
import type { FunctionGraph } from './function-graph.js';
import { actualOf, type Nodes, type Numbering, type Site } from './numbering.js';

/** Edges over the calls of a function. Bundles are numbered after its other nodes. */
export interface CallEdges {
  readonly count: number;
  readonly onto: Adjacency;
  readonly back: Adjacency;
}

/** For the result and each output variable, the set of inputs that influence it. */
interface Throughput {
  /** Without duplicates. */
  readonly sets: ReadonlyTable<number, BitSet>;
  readonly setOf: IntTable<number>;
}

/** Limits in words of bit sets and in edges; more would take too much time or memory. */
const usuallyMostWork = 6e9;
const mostEdges = 40e6;

/** Groups of mutually recursive functions up to this size are solved exactly. */
const usuallyRepeated = 16;

interface ThroughFlowOptions {
  /** In larger groups of mutually recursive functions the result is less exact. */
  readonly mostRepeated?: number | undefined;
  /** In words of bit sets; above it the computation stops. */
  readonly mostWork?: number | undefined;
  readonly onFunction?: ((done: number, all: number) => void) | undefined;
}

export class ThroughFlow {
  readonly #throughputs = new Table<FunctionId, Throughput | undefined>();
  readonly #edges = new Table<FunctionId, CallEdges>();
  readonly #mostRepeated: number;
  readonly #onFunction: ThroughFlowOptions['onFunction'];
  #settled = 0;
  readonly #mostWork: number;
  #work = 0;
  #edgeCount = 0;
  /** The limits were exceeded and there are no edges. */
  readonly isLeft: boolean;

  constructor(
    tree: CallTree,
    private readonly numbering: Numbering,
    private readonly graphOf: (fn: FunctionId) => FunctionGraph,
    { mostRepeated = usuallyRepeated, mostWork = usuallyMostWork, onFunction }: ThroughFlowOptions = {},
  ) {
    this.#mostRepeated = mostRepeated;
    this.#onFunction = onFunction;
    this.#mostWork = mostWork;
    let isLeft = false;
    for (const group of tree.groups) {
      isLeft ||= !this.#settle(group, tree);
      if (isLeft) break;
    }
    this.isLeft = isLeft;
    if (isLeft) this.#edges.clear();
  }

  of(fn: FunctionId): CallEdges {
    return this.#edges.get(fn);
  }

  /**
   * Small groups of mutually recursive functions are iterated to a fixed point. In a large group every input is first
   * assumed to influence every output; one pass over each function then narrows this down, and the result stays
   * sound.
   *
   * @returns false if a limit is exceeded
   */
  #settle(group: readonly FunctionId[], tree: CallTree): boolean {
    if (group.length > this.#mostRepeated) {
      for (const fn of group) this.#throughputs.set(fn, this.#everything(fn));
      for (const fn of group) {
        this.#onFunction?.(this.#settled++, this.numbering.functions.length);
        this.#setCallEdges(fn);
        this.#throughputs.set(fn, this.#throughput(fn));
        if (this.#work > this.#mostWork || this.#edgeCount > mostEdges) return false;
      }
      return true;
    }
    this.#onFunction?.(this.#settled, this.numbering.functions.length);
    this.#settled += group.length;
    const members = new Set(group);
    const pending = new Set(group);
    for (const fn of pending) {
      pending.delete(fn);
      this.#setCallEdges(fn);
      const before = this.#throughputs.get(fn);
      const current = this.#throughput(fn);
      this.#throughputs.set(fn, current);
      if (this.#work > this.#mostWork || this.#edgeCount > mostEdges) return false;
      if (before !== undefined && isSame(before, current)) continue;
      for (const { caller } of this.numbering.callers.get(fn)) if (members.has(caller)) pending.add(caller);
    }
    // The edges of a member may be older than the final results of the others.
    if (group.some((fn) => tree.isRecursive.get(fn))) for (const fn of group) this.#setCallEdges(fn);
    return this.#edgeCount <= mostEdges;
  }

  #everything(fn: FunctionId): Throughput {
    const { parameters, ins, outs } = this.#nodes(fn);
    const all = BitSet.upTo(parameters + ins.length);
    return { sets: new Table([all]), setOf: IntTable.of(outs.length + 1, 0) };
  }

  #nodes(fn: FunctionId): Nodes {
    return this.numbering.functions.get(fn);
  }

  /** Replaces the edges of a function. Stops adding edges above the limit. */
  #setCallEdges(fn: FunctionId): void {
    const edges = new EdgeList();
    let count = this.graphOf(fn).count;
    // Undefined for a function that was not computed yet.
    const before: CallEdges | undefined = this.#edges.get(fn);
    this.#edgeCount -= before?.onto.itemCount ?? 0;
    for (const site of this.#nodes(fn).sites)
      for (const { id, passes } of site.callees) {
        const throughput = this.#throughputs.get(id);
        if (throughput === undefined || this.#edgeCount + edges.length > mostEdges) continue;
        count = this.#bundle(site, id, passes, throughput, edges, count);
      }
    this.#edgeCount += edges.length;
    this.#edges.set(fn, { count, ...edges.both(count) });
  }

  /** @returns the number after its last bundle */
  #bundle(
    site: Site,
    id: FunctionId,
    passes: readonly number[] | undefined,
    { sets, setOf }: Throughput,
    edges: EdgeList,
    next: number,
  ): number {
    const callee = this.#nodes(id);
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
          const into = actualOf(site, callee, passes, exitNode(callee, exit));
          if (into !== undefined) edges.add(fresh, into);
        });
        bundle = fresh;
      }
      edges.add(actual, bundle);
    }
    return count;
  }

  #throughput(fn: FunctionId): Throughput {
    const nodes = this.#nodes(fn);
    const graph = this.graphOf(fn);
    const callEdges = this.of(fn);
    const exits = nodes.parameters + nodes.ins.length;
    this.#work += ((exits + 31) >>> 5) * (graph.onto.itemCount + callEdges.onto.itemCount);
    const from = [nodes.result, ...Array.from(nodes.outs, (_, at) => after(nodes.firstOut, at))];
    const ways = {
      count: callEdges.count,
      adjacencies: [
        { count: graph.count, adjacency: graph.onto },
        { count: callEdges.count, adjacency: callEdges.onto },
      ],
    };
    const reached = exitSets(from, ways, (node) => exitNumber(nodes, node), exits);
    const numbers = new ContentMap<BitSet, number>(bitSets);
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
function exitNumber(
  { firstParameter, result, parameters, firstIn, firstOut }: Nodes,
  node: LocalNodeId,
): number {
  if (node >= firstParameter && node < result) return node - firstParameter;
  return node >= firstIn && node < firstOut ? parameters + node - firstIn : -1;
}

function exitNode({ firstParameter, parameters, firstIn }: Nodes, exit: number): LocalNodeId {
  return exit < parameters ? after(firstParameter, exit) : after(firstIn, exit - parameters);
}

const bitSets: Content<BitSet> = {
  hash: (set) => set.hash(),
  isSame: (set, other) => set.equals(other),
};

function isSame(a: Throughput, b: Throughput): boolean {
  for (const [at, number] of a.setOf.entries()) {
    const [before, now] = [a.sets.get(number), b.sets.get(b.setOf.get(at))];
    if (before !== now && !before.equals(now)) return false;
  }
  return true;
}
