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

/**
 * What a statement is in the graph, the first that holds; as published an output is asked for before an interaction
 * (Algorithm 5, line 11).
 */
export type StatementKind = 'change' | 'interaction' | 'output';

export interface InteractionGraph {
  /** The statements that are its nodes, ascending. */
  readonly kinds: ReadonlyMap<number, StatementKind>;
  /** Potential interaction locations (Definition 11), with the changes each depends on. */
  readonly interactions: ReadonlyMap<number, readonly number[]>;
  readonly edges: readonly (readonly [from: number, to: number])[];
}

export interface InteractionOptions {
  /** Definition 11 and Algorithm 5 to the letter; docs/complexity.md has a table of what is different without it. */
  readonly isAsPublished?: boolean | undefined;
}

/**
 * Algorithm 5. Unless it is to be as published, an output on which several changes meet is an interaction location too,
 * none is missed behind an output, and one that only hands on what another one of the same changes made of them is left
 * out (4.4.2).
 */
export function interactionGraph(
  graph: StatementGraph,
  { isAsPublished = false }: InteractionOptions = {},
): InteractionGraph {
  const changes = [...graph.next.keys()].filter(graph.isChanged);
  const interactions = interactionsOf(graph, changes, isAsPublished);
  const kindOf = kindsOf(graph, interactions, isAsPublished);
  const edges = new Map<number, Set<number>>();
  const add = (from: number, to: number): void => {
    const known = edges.get(from);
    if (known === undefined) edges.set(from, new Set([to]));
    else known.add(to);
  };
  const kinds = new Map<number, StatementKind>();
  const left: number[] = [];
  const enter = (node: number, kind: StatementKind): void => {
    if (kinds.has(node)) return;
    kinds.set(node, kind);
    // Every interaction location is followed as a change of its own.
    if (kind !== 'output') left.push(node);
    if (kind === 'interaction') for (const change of interactions.get(node) ?? []) add(change, node);
  };
  // Line 4 has all changes and outputs in the graph, and line 16 the interaction locations that are come to.
  const onlyMet: StatementKind = isAsPublished ? 'interaction' : 'output';
  for (const [node, kind] of kindOf.entries()) if (kind !== undefined && kind !== onlyMet) enter(node, kind);
  const walk = new Walk(graph, kindOf);
  for (let from = left.pop(); from !== undefined; from = left.pop())
    for (const node of walk.firstMet(from)) {
      const kind = kindOf[node];
      if (kind === undefined) continue;
      enter(node, kind);
      if (kind !== 'interaction' || graph.isOutput(node)) add(from, node);
    }
  return {
    kinds: new Map([...kinds].toSorted(([a], [b]) => a - b)),
    interactions,
    edges: [...edges]
      .flatMap(([from, all]) => [...all].map((to) => [from, to] as const))
      .toSorted(([a, x], [b, y]) => a - b || x - y),
  };
}

/** What each statement is if it comes into the graph. */
function kindsOf(
  { next, isChanged, isOutput }: StatementGraph,
  interactions: ReadonlyMap<number, unknown>,
  isAsPublished: boolean,
): readonly (StatementKind | undefined)[] {
  return next.map((_, node) => {
    if (isChanged(node)) return 'change';
    if (isAsPublished && isOutput(node)) return 'output';
    if (interactions.has(node)) return 'interaction';
    return isOutput(node) ? 'output' : undefined;
  });
}

function interactionsOf(
  graph: StatementGraph,
  changes: readonly number[],
  isAsPublished: boolean,
): ReadonlyMap<number, readonly number[]> {
  const behind = graph.behind(changes);
  // Whether a change depends on others is asked as published only; it is among its own, and does not count.
  const sizes = Int32Array.from(behind, (set, node) => {
    if (!graph.isChanged(node)) return set.size;
    return isAsPublished ? set.size - 1 : 0;
  });
  const left = isAsPublished
    ? new Uint8Array(sizes.length)
    : handedOn(new StatementDependence(graph.dependsOn, graph.next.length), sizes, changes);
  const found = new Map<number, readonly number[]>();
  for (const [node, size] of sizes.entries())
    if (size > 1 && left[node] === 0)
      found.set(
        node,
        [...(behind[node] ?? [])].flatMap((at) => changes[at] ?? []).filter((change) => change !== node),
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
    private readonly kindOf: readonly (StatementKind | undefined)[],
  ) {
    this.#seen = new Int32Array(graph.next.length);
  }

  /** The changes, outputs and interaction locations control may come to first after a statement. */
  firstMet(from: number): readonly number[] {
    const { next, calls } = this.graph;
    const walk = ++this.#walks;
    const met: number[] = [];
    const left = [...(next[from] ?? [])];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      if (this.#seen[node] === walk) continue;
      this.#seen[node] = walk;
      const kind = this.kindOf[node];
      if (kind !== undefined) met.push(node);
      if (kind === undefined || kind === 'output')
        for (const to of (kind === 'output' ? calls : next)?.[node] ?? []) left.push(to);
    }
    return met;
  }
}
