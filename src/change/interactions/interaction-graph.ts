/**
 * The change sequence graph with potential interaction locations: statements that depend on more than one change
 * (Böhme, Definition 11 and Algorithm 5).
 */

import type { BitSet, IntLists, Successors } from '../../program/graph/index.js';
import { addTo } from '../hunks/collections.js';
import { passThroughStatements, StatementDependence } from './statement-dependence.js';

/** The statements of a changed program, numbered. */
export interface StatementGraph {
  readonly next: Successors;
  /**
   * Direct dependences, by data or control. Numbers from the statement count on are intermediate values. A statement
   * that depends on such a value depends directly on every statement the value leads to, also through further values.
   */
  readonly dependsOn: IntLists<number, number>;
  /** For each statement the indices of the given ones that it depends on, directly or not. Each depends on itself. */
  readonly dependencesOn: (some: readonly number[]) => readonly BitSet[];
  readonly isChanged: (statement: number) => boolean;
  /** For each calling statement the first statements of its callees, which are executed before it prints. */
  readonly calls?: Successors | undefined;
  /** Does a statement print, or end the program with a value? */
  readonly isOutput: (statement: number) => boolean;
}

/**
 * The role of a statement in the graph; the first that applies. As published, an output is checked before an
 * interaction (Algorithm 5, line 11).
 */
export type StatementKind = 'change' | 'interaction' | 'output';

export interface InteractionGraph {
  readonly kinds: ReadonlyMap<number, StatementKind>;
  /** Potential interaction locations (Definition 11), with the changes each depends on. */
  readonly interactions: ReadonlyMap<number, readonly number[]>;
  readonly edges: readonly (readonly [from: number, to: number])[];
}

export interface InteractionOptions {
  /** Follow Definition 11 and Algorithm 5 to the letter; docs/complexity.md lists the differences. */
  readonly isAsPublished?: boolean | undefined;
}

/**
 * Algorithm 5. By default, differently from the published version, an output that depends on several changes is an
 * interaction location too, locations behind an output are found, and a statement is left out if it only passes on
 * the value of another interaction of the same changes (4.4.2).
 */
export function interactionGraph(
  graph: StatementGraph,
  { isAsPublished = false }: InteractionOptions = {},
): InteractionGraph {
  const changes = [...graph.next.keys()].filter(graph.isChanged);
  const interactions = findInteractions(graph, changes, isAsPublished);
  const kindOf = kindsOf(graph, interactions, isAsPublished);
  const edges = new Map<number, Set<number>>();
  const kinds = new Map<number, StatementKind>();
  const left: number[] = [];
  const enter = (node: number, kind: StatementKind): void => {
    if (kinds.has(node)) return;
    kinds.set(node, kind);
    // Every interaction location is followed like a change.
    if (kind !== 'output') left.push(node);
    if (kind === 'interaction') for (const change of interactions.get(node) ?? []) addTo(edges, change, node);
  };
  // Line 4 puts all changes and outputs into the graph, line 16 the interaction locations that are reached.
  const onlyMet: StatementKind = isAsPublished ? 'interaction' : 'output';
  for (const [node, kind] of kindOf.entries()) if (kind !== undefined && kind !== onlyMet) enter(node, kind);
  const walk = new ControlFlowWalk(graph, kindOf);
  for (let from = left.pop(); from !== undefined; from = left.pop())
    for (const node of walk.firstReached(from)) {
      const kind = kindOf[node];
      if (kind === undefined) continue;
      enter(node, kind);
      if (kind !== 'interaction' || graph.isOutput(node)) addTo(edges, from, node);
    }
  return {
    kinds: new Map([...kinds].toSorted(([a], [b]) => a - b)),
    interactions,
    edges: [...edges]
      .flatMap(([from, all]) => [...all].map((to) => [from, to] as const))
      .toSorted(([a, x], [b, y]) => a - b || x - y),
  };
}

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

function findInteractions(
  graph: StatementGraph,
  changes: readonly number[],
  isAsPublished: boolean,
): ReadonlyMap<number, readonly number[]> {
  const behind = graph.dependencesOn(changes);
  // The dependence of a change on others counts only as published. A change depends on itself, which does not count.
  const sizes = Int32Array.from(behind, (set, node) => {
    if (!graph.isChanged(node)) return set.size;
    return isAsPublished ? set.size - 1 : 0;
  });
  const left = isAsPublished
    ? new Uint8Array(sizes.length)
    : passThroughStatements(new StatementDependence(graph.dependsOn, graph.next.length), sizes, changes);
  const found = new Map<number, readonly number[]>();
  for (const [node, size] of sizes.entries())
    if (size > 1 && left[node] === 0)
      found.set(
        node,
        [...(behind[node] ?? [])].flatMap((at) => changes[at] ?? []).filter((change) => change !== node),
      );
  return found;
}

class ControlFlowWalk {
  readonly #seen: Int32Array;
  #walks = 0;

  constructor(
    private readonly graph: StatementGraph,
    private readonly kindOf: readonly (StatementKind | undefined)[],
  ) {
    this.#seen = new Int32Array(graph.next.length);
  }

  /** The changes, outputs and interaction locations that control can reach first after a statement. */
  firstReached(from: number): readonly number[] {
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
