/**
 * A simple implementation of the change sequence graph with potential interaction locations, which walks from
 * statement to statement. The fast implementation is compared with it.
 */

import type {
  InteractionGraph,
  InteractionOptions,
  StatementKind,
} from '../../src/change/interactions/interaction-graph.js';
import type { DependenceGraph } from '../../src/program/dependence/index.js';
import { BitSet, components, type NodeId, type Successors } from '../../src/program/graph/index.js';

interface PlainGraph {
  /** Control-flow successors. */
  readonly next: Successors;
  /** Direct dependences, by data or control. */
  readonly dependsOn: Successors;
  /** The statements that depend on a statement, directly or not. By default `dependsOn` is followed. */
  readonly influencedBy?: ((statement: number) => Iterable<number>) | undefined;
  readonly isChanged: (statement: number) => boolean;
  /**
   * For each calling statement the first statements of its callees. They are executed before the statement prints.
   */
  readonly calls?: Successors | undefined;
  readonly isOutput: (statement: number) => boolean;
}

export function plainInteractions(
  graph: PlainGraph,
  { isAsPublished = false }: InteractionOptions = {},
): InteractionGraph {
  const changes = [...graph.next.keys()].filter(graph.isChanged);
  const reached = changesBehind(graph, changes);
  const interactions = interactionsOf(graph, reached, changes, isAsPublished);
  const edges = new Map<number, Set<number>>();
  const add = (from: number, to: number): void => {
    const known = edges.get(from);
    if (known === undefined) edges.set(from, new Set([to]));
    else known.add(to);
  };
  const kindOf = (node: number): StatementKind | undefined => {
    if (graph.isChanged(node)) return 'change';
    const isOutput = graph.isOutput(node);
    if (interactions.has(node) && !(isOutput && isAsPublished)) return 'interaction';
    return isOutput ? 'output' : undefined;
  };
  const all = [...graph.next.keys()];
  const met = new Set<number>(changes);
  for (const node of isAsPublished ? all.filter(graph.isOutput) : interactions.keys()) met.add(node);
  // Every interaction location is followed like a change.
  const left = [...met].filter((node) => kindOf(node) !== 'output');
  const followed = new Set<number>();
  for (let from = left.pop(); from !== undefined; from = left.pop()) {
    if (followed.has(from)) continue;
    followed.add(from);
    for (const node of firstMet(graph, from, kindOf)) {
      if (graph.isChanged(node) || graph.isOutput(node)) add(from, node);
      if (kindOf(node) === 'interaction') left.push(node);
      met.add(node);
    }
  }
  for (const node of met)
    if (kindOf(node) === 'interaction') for (const change of interactions.get(node) ?? []) add(change, node);
  return {
    kinds: new Map(
      all.flatMap((node) => {
        const kind = met.has(node) ? kindOf(node) : undefined;
        return kind === undefined ? [] : [[node, kind] as const];
      }),
    ),
    interactions,
    edges: [...edges]
      .flatMap(([from, all]) => [...all].map((to) => [from, to] as const))
      .toSorted(([a, x], [b, y]) => a - b || x - y),
  };
}

/** For each statement the indices of the changes it depends on, directly or not. A change depends on itself. */
export function changesBehind(
  graph: Pick<PlainGraph, 'next' | 'dependsOn' | 'influencedBy'>,
  changes: readonly number[],
): readonly BitSet[] {
  const sets = graph.next.map(() => new BitSet(changes.length));
  for (const [at, change] of changes.entries()) sets[change]?.add(at);
  if (graph.influencedBy !== undefined) {
    for (const [at, change] of changes.entries())
      for (const node of graph.influencedBy(change)) sets[node]?.add(at);
    return sets;
  }
  // Components are in dependence order: each comes after the ones it depends on.
  for (const component of components(graph.dependsOn)) {
    const all = new BitSet(changes.length);
    for (const node of component) {
      for (const known of [node, ...(graph.dependsOn[node] ?? [])]) {
        const behind = sets[known];
        if (behind !== undefined) all.addAll(behind);
      }
    }
    for (const node of component) sets[node]?.addAll(all);
  }
  return sets;
}

function interactionsOf(
  graph: PlainGraph,
  reached: readonly BitSet[],
  changes: readonly number[],
  isAsPublished: boolean,
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>();
  const sets = reached.map((set, node) => [...set].filter((at) => changes[at] !== node));
  const isInteraction = (node: number): boolean =>
    (isAsPublished || !graph.isChanged(node)) && (sets[node]?.length ?? 0) > 1;
  const componentOf = new Map<number, number>();
  for (const [at, nodes] of components(graph.dependsOn).entries())
    for (const node of nodes) componentOf.set(node, at);
  for (const node of graph.next.keys()) {
    if (!isInteraction(node)) continue;
    const own = sets[node] ?? [];
    // In a cycle each statement passes on the value of the next. There the statement where a change enters counts.
    const isHandedOn =
      !isAsPublished &&
      (graph.dependsOn[node] ?? []).some(
        (on) =>
          isInteraction(on) &&
          (sets[on]?.length ?? 0) === own.length &&
          (componentOf.get(on) !== componentOf.get(node) || !isDirect(graph, node)),
      );
    if (!isHandedOn)
      found.set(
        node,
        own.flatMap((at) => changes[at] ?? []),
      );
  }
  return found;
}

function isDirect({ dependsOn, isChanged }: PlainGraph, node: number): boolean {
  return (dependsOn[node] ?? []).some(isChanged);
}

/** The changes, outputs and interaction locations that control can reach first after a statement. */
function firstMet(
  { next, calls }: PlainGraph,
  from: number,
  kindOf: (node: number) => StatementKind | undefined,
): readonly number[] {
  const met = new Set<number>();
  const seen = new Set<number>();
  const left = [...(next[from] ?? [])];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    const kind = kindOf(node);
    if (kind !== undefined) met.add(node);
    if (kind === undefined) left.push(...(next[node] ?? []));
    if (kind === 'output') left.push(...(calls?.[node] ?? []));
  }
  return [...met];
}

/** With lists in place of maps, so that the order of entries is compared. */
export function listed({ kinds, interactions, edges }: InteractionGraph) {
  return { kinds: [...kinds], interactions: [...interactions], edges };
}

/** Dependences between statements, through nodes that belong to none. */
export function plainDependences(
  graph: DependenceGraph,
  instructions: readonly (readonly NodeId[])[],
): Successors {
  const statementOf = new Map(instructions.flatMap((nodes, at) => nodes.map((node) => [node, at] as const)));
  return instructions.map((own, statement) => {
    const found = new Set<number>();
    const seen = new Set<NodeId>();
    const left = [...own];
    for (let node = left.pop(); node !== undefined; node = left.pop())
      for (const { node: on } of graph.dependsOn(node)) {
        if (seen.has(on)) continue;
        seen.add(on);
        const at = statementOf.get(on);
        if (at === undefined) left.push(on);
        else if (at !== statement) found.add(at);
      }
    return [...found];
  });
}

/** The statements that each node contributes to. */
export function plainInfluence(
  graph: DependenceGraph,
  instructions: readonly (readonly NodeId[])[],
): (statement: number) => Iterable<number> {
  const statementOf = new Map(instructions.flatMap((nodes, at) => nodes.map((node) => [node, at] as const)));
  return (statement) =>
    [...graph.forwardSlice(instructions[statement] ?? [])].flatMap((node) => statementOf.get(node) ?? []);
}
