/**
 * Which of what comes into a function has a part in which of what goes out of it: the summary edges of Horwitz, Reps,
 * Binkley: Interprocedural Slicing Using Dependence Graphs. With them a slice steps over a call without mixing it up
 * with others.
 *
 * Most of what goes out of a function depends on the same of what comes in; at each call one node in between, a
 * bundle, stands for all that has the same, so that there are few edges.
 */

import type { CallTree } from './call-tree.js';
import { type Adjacency, EdgeList } from './edges.js';
import { exitSets } from './exit-sets.js';
import type { FunctionGraph } from './function-graph.js';
import { actualOf, type Nodes, type Numbering, type Site } from './numbering.js';

/** The edges over the calls of a function; bundles are numbered after its other nodes. */
export interface CallEdges {
  readonly count: number;
  readonly onto: Adjacency;
  readonly back: Adjacency;
}

/** For the result and each variable that goes out: which set of what comes in has a part in it. */
interface Throughput {
  readonly sets: readonly Uint32Array[];
  readonly setOf: Int32Array;
}

/** Words of sets that are looked at in all, and edges; with more it would take too long, or too much room. */
const mostWork = 6e9;
const mostEdges = 40e6;

/** Functions that call one another of which it is worth to know exactly what flows through them. */
const usuallyRepeated = 16;

export class ThroughFlow {
  readonly #throughputs: (Throughput | undefined)[] = [];
  readonly #edges: (CallEdges | undefined)[] = [];
  #work = 0;
  #edgeCount = 0;
  /** It would have taken too much and was left. */
  readonly isLeft: boolean;

  constructor(
    tree: CallTree,
    private readonly numbering: Numbering,
    private readonly graphOf: (fn: number) => FunctionGraph,
    private readonly mostRepeated = usuallyRepeated,
  ) {
    let isLeft = false;
    for (const group of tree.groups) {
      isLeft ||= !this.#settle(group, tree);
      if (isLeft) break;
    }
    this.isLeft = isLeft;
    if (isLeft) this.#edges.length = 0;
  }

  of(fn: number): CallEdges {
    return this.#edges[fn] as CallEdges;
  }

  /**
   * Few functions that call one another are gone over until nothing changes. Of many, everything that comes in is taken
   * to have a part in everything that goes out, which one look at each then narrows down: all of it stays true.
   *
   * @returns false if that takes too much
   */
  #settle(group: readonly number[], tree: CallTree): boolean {
    if (group.length > this.mostRepeated) {
      for (const fn of group) this.#throughputs[fn] = this.#everything(fn);
      for (const fn of group) {
        this.#edges[fn] = this.#callEdges(fn);
        this.#throughputs[fn] = this.#throughput(fn);
        if (this.#work > mostWork || this.#edgeCount > mostEdges) return false;
      }
      return true;
    }
    const members = new Set(group);
    const left = new Set(group);
    for (const fn of left) {
      left.delete(fn);
      this.#edges[fn] = this.#callEdges(fn);
      const before = this.#throughputs[fn];
      const after = this.#throughput(fn);
      this.#throughputs[fn] = after;
      if (this.#work > mostWork || this.#edgeCount > mostEdges) return false;
      if (before !== undefined && isSame(before, after)) continue;
      for (const { caller } of this.numbering.callers[fn] ?? []) if (members.has(caller)) left.add(caller);
    }
    // The last edges of a member may be older than what others have come to.
    if (group.length > 1 || tree.isRecursive[group[0] as number])
      for (const fn of group) this.#edges[fn] = this.#callEdges(fn);
    return this.#edgeCount <= mostEdges;
  }

  #everything(fn: number): Throughput {
    const { parameters, ins, outs } = this.#nodes(fn);
    const exits = parameters + ins.length;
    const all = new Uint32Array((exits + 31) >>> 5).fill(0xffffffff);
    if (exits % 32 !== 0) all[all.length - 1] = 2 ** (exits % 32) - 1;
    return { sets: [all], setOf: new Int32Array(outs.length + 1) };
  }

  #nodes(fn: number): Nodes {
    return this.numbering.functions[fn] as Nodes;
  }

  /** In place of those the function had; with too many they are not all made. */
  #callEdges(fn: number): CallEdges {
    const edges = new EdgeList();
    let count = this.graphOf(fn).count;
    this.#edgeCount -= this.#edges[fn]?.onto.edgeCount ?? 0;
    for (const site of this.#nodes(fn).sites)
      for (const { id, passes } of site.callees) {
        const throughput = this.#throughputs[id];
        if (throughput === undefined || this.#edgeCount + edges.length > mostEdges) continue;
        count = this.#bundle(site, id, passes, throughput, edges, count);
      }
    this.#edgeCount += edges.length;
    return { count, ...edges.both(count) };
  }

  /** @returns the number after its last bundle */
  #bundle(
    site: Site,
    id: number,
    passes: readonly number[] | undefined,
    { sets, setOf }: Throughput,
    edges: EdgeList,
    next: number,
  ): number {
    const callee = this.#nodes(id);
    const bundles = new Map<number, number>();
    let count = next;
    for (const [at, number] of setOf.entries()) {
      const formal = at === 0 ? callee.result : callee.firstOut + at - 1;
      const actual = actualOf(site, callee, passes, formal);
      if (actual === undefined) continue;
      let bundle = bundles.get(number);
      if (bundle === undefined) {
        bundle = count++;
        bundles.set(number, bundle);
        for (const exit of members(sets[number] as Uint32Array)) {
          const into = actualOf(site, callee, passes, exitNode(callee, exit));
          if (into !== undefined) edges.add(bundle, into);
        }
      }
      edges.add(actual, bundle);
    }
    return count;
  }

  #throughput(fn: number): Throughput {
    const nodes = this.#nodes(fn);
    const graph = this.graphOf(fn);
    const own = this.of(fn);
    const exits = nodes.parameters + nodes.ins.length;
    this.#work += ((exits + 31) >>> 5) * (graph.onto.edgeCount + own.onto.edgeCount);
    const from = [nodes.result, ...Array.from(nodes.outs, (_, at) => nodes.firstOut + at)];
    const ways = {
      count: own.count,
      adjacencies: [
        { count: graph.count, adjacency: graph.onto },
        { count: own.count, adjacency: own.onto },
      ],
    };
    const found = exitSets(from, ways, (node) => exitNumber(nodes, node), exits);
    const numbers = new Map<string, number>();
    const sets: Uint32Array[] = [];
    const bySet = new Map<Uint32Array, number>();
    const setOf = Int32Array.from(found, (set) => {
      let number = bySet.get(set);
      if (number === undefined) {
        const key = set.join();
        number = numbers.get(key) ?? sets.push(set) - 1;
        numbers.set(key, number);
        bySet.set(set, number);
      }
      return number;
    });
    return { sets, setOf };
  }
}

/** Parameters first, then variables. */
function exitNumber({ firstParameter, result, parameters, firstIn, firstOut }: Nodes, node: number): number {
  if (node >= firstParameter && node < result) return node - firstParameter;
  return node >= firstIn && node < firstOut ? parameters + node - firstIn : -1;
}

function exitNode({ firstParameter, parameters, firstIn }: Nodes, exit: number): number {
  return exit < parameters ? firstParameter + exit : firstIn + exit - parameters;
}

function* members(set: Uint32Array): Generator<number> {
  for (const [at, word] of set.entries())
    for (let left = word; left !== 0; left &= left - 1) yield at * 32 + 31 - Math.clz32(left & -left);
}

function isSame(a: Throughput, b: Throughput): boolean {
  return a.setOf.every((number, at) => {
    const [one, other] = [a.sets[number] as Uint32Array, b.sets[b.setOf[at] as number] as Uint32Array];
    return one === other || one.every((word, place) => word === other[place]);
  });
}
