/**
 * The change sequence graph with the places where changes can interact: statements that depend on more than one of them
 * (Böhme, Definition 11 and Algorithm 5).
 */

import type { BitSet, IntLists, Successors } from '../../program/graph/index.js';
import { handedOn, StatementDependence } from './statement-dependence.js';

/** The statements of a changed program, by number. */
export interface StatementGraph {
  /** Where control may go next. */
  readonly next: Successors;
  /**
   * What each depends on directly, by data or control. Numbers beyond those of statements are what values pass on their
   * way: what depends on such a one depends directly on every statement it leads to, by way of others of its kind too.
   */
  readonly dependsOn: IntLists<number, number>;
  /** For each statement those of some that it depends on, directly or not, by their places; each is among its own. */
  readonly behind: (some: readonly number[]) => readonly BitSet[];
  readonly isChanged: (statement: number) => boolean;
  /** For statements that call, where control goes in: before such a statement prints, what it calls is executed. */
  readonly calls?: Successors | undefined;
  /** It prints, or ends the program with a value. */
  readonly isOutput: (statement: number) => boolean;
}

export interface InteractionGraph {
  /** Changed statements, outputs that can come after one, and interaction locations, ascending. */
  readonly statements: readonly number[];
  /** Statements at which changes may interact, with the changes. */
  readonly interactions: ReadonlyMap<number, readonly number[]>;
  readonly edges: readonly (readonly [from: number, to: number])[];
}

export interface InteractionOptions {
  /** Every statement that depends on more than one change, as Algorithm 5 has it before it is refined (4.4.2). */
  readonly isEvery?: boolean | undefined;
}

/**
 * Only interaction locations that matter are shown, unless every one is asked for: one that only hands on what another
 * one of the same changes made of them does not.
 */
export function interactionGraph(
  graph: StatementGraph,
  { isEvery = false }: InteractionOptions = {},
): InteractionGraph {
  const changes = [...graph.next.keys()].filter(graph.isChanged);
  const behind = graph.behind(changes);
  const interactions = interactionsOf(graph, behind, changes, isEvery);
  const edges = new Map<number, Set<number>>();
  const add = (from: number, to: number): void => {
    const known = edges.get(from);
    if (known === undefined) edges.set(from, new Set([to]));
    else known.add(to);
  };
  const met = new Set<number>(changes);
  const walk = new Walk(graph, interactions);
  // Every interaction location that is met is followed as a change of its own.
  const left = [...changes];
  for (let from = left.pop(); from !== undefined; from = left.pop())
    for (const node of walk.firstMet(from)) {
      const own = interactions.get(node);
      if (own === undefined) add(from, node);
      else if (!met.has(node)) {
        for (const change of own) add(change, node);
        left.push(node);
      }
      met.add(node);
    }
  const shown = new Map([...interactions].filter(([node]) => met.has(node)));
  return {
    statements: [...met].toSorted((a, b) => a - b),
    interactions: shown,
    edges: [...edges]
      .flatMap(([from, all]) => [...all].map((to) => [from, to] as const))
      .toSorted(([a, x], [b, y]) => a - b || x - y),
  };
}

function interactionsOf(
  graph: StatementGraph,
  behind: readonly BitSet[],
  changes: readonly number[],
  isEvery: boolean,
): ReadonlyMap<number, readonly number[]> {
  const sizes = Int32Array.from(behind, (set, node) => (graph.isChanged(node) ? 0 : set.size));
  const left = isEvery
    ? new Uint8Array(sizes.length)
    : handedOn(new StatementDependence(graph.dependsOn, graph.next.length), sizes, changes);
  const found = new Map<number, readonly number[]>();
  for (const [node, size] of sizes.entries())
    if (size > 1 && left[node] === 0)
      found.set(
        node,
        [...(behind[node] ?? [])].flatMap((at) => changes[at] ?? []),
      );
  return found;
}

/** From statement to statement as control goes. */
class Walk {
  /** For each statement the last walk that came to it. */
  readonly #seen: Int32Array;
  #walks = 0;

  constructor(
    private readonly graph: StatementGraph,
    private readonly interactions: ReadonlyMap<number, unknown>,
  ) {
    this.#seen = new Int32Array(graph.next.length);
  }

  /** The changes, outputs and interaction locations control may come to first after a statement. */
  firstMet(from: number): readonly number[] {
    const { next, calls, isChanged, isOutput } = this.graph;
    const walk = ++this.#walks;
    const met: number[] = [];
    const left = [...(next[from] ?? [])];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      if (this.#seen[node] === walk) continue;
      this.#seen[node] = walk;
      const isStop = isChanged(node) || this.interactions.has(node);
      const isLast = isOutput(node);
      if (isStop || isLast) met.push(node);
      if (!isStop) for (const to of (isLast ? calls : next)?.[node] ?? []) left.push(to);
    }
    return met;
  }
}
