import { IntList } from './int-list.js';
import { IntLists } from './int-lists.js';

/** Appends the successors of a node. Duplicates are allowed. */
export type NextNodes = (node: number, into: IntList) => void;

/**
 * The graph of the strongly connected components that are reachable from some start nodes (Tarjan). A reachability
 * question then needs one pass over the components instead of a walk from each node.
 */
export interface Condensation {
  /** The component of each node; -1 for unreachable nodes. */
  readonly componentOf: Int32Array;
  /** When each node was first visited, from 0 on; -1 for unreachable nodes. */
  readonly discovery: Int32Array;
  /** The successors of each component, without duplicates. They all have smaller numbers. */
  readonly next: IntLists<number, number>;
  readonly count: number;
}

/** @param count larger than every node number */
export function condense(count: number, starts: Iterable<number>, next: NextNodes): Condensation {
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const componentOf = new Int32Array(count).fill(-1);
  const open = new IntList();
  /**
   * A stack of successor lists, one for each node on the current path. `begins` holds the start of each list, `at`
   * the position of the next successor to visit.
   */
  const ahead = new IntList();
  const path = new IntList();
  const begins = new IntList();
  const at = new IntList();
  const edgeStarts = new IntList();
  const edges = new IntList();
  /** For each component, the last component that recorded an edge to it. */
  const lastSource = new IntList();
  let clock = 0;
  let components = 0;

  const enter = (node: number): void => {
    index[node] = clock;
    low[node] = clock++;
    open.push(node);
    path.push(node);
    begins.push(ahead.length);
    at.push(ahead.length);
    next(node, ahead);
  };
  const lower = (node: number, to: number): void => {
    if (to < (low[node] ?? 0)) low[node] = to;
  };
  /** Records the edges from a component to the nodes in `ahead` from this position on. */
  const recordEdges = (component: number, from: number): void => {
    for (let at = from; at < ahead.length; at++) {
      const target = componentOf[ahead.get(at)] ?? -1;
      if (target === component || lastSource.get(target) === component) continue;
      lastSource.set(target, component);
      edges.push(target);
    }
  };
  /** @param begin where the root's successors begin in `ahead` */
  const close = (root: number, begin: number): void => {
    const component = components++;
    lastSource.push(-1);
    edgeStarts.push(edges.length);
    let first = open.length;
    do componentOf[open.get(--first)] = component;
    while (open.get(first) !== root);
    recordEdges(component, begin);
    // Most components have a single node, and its successors are already in `ahead`.
    for (let member = first + 1; member < open.length; member++) {
      ahead.length = begin;
      next(open.get(member), ahead);
      recordEdges(component, begin);
    }
    open.length = first;
  };

  for (const start of starts) {
    if (index[start] !== -1) continue;
    enter(start);
    while (path.length > 0) {
      const top = path.length - 1;
      const node = path.get(top);
      const place = at.get(top);
      if (place < ahead.length) {
        at.set(top, place + 1);
        const to = ahead.get(place);
        if (index[to] === -1) enter(to);
        else if (componentOf[to] === -1) lower(node, index[to] ?? 0);
        continue;
      }
      const begin = begins.get(top);
      path.length = begins.length = at.length = top;
      if (top > 0) lower(path.get(top - 1), low[node] ?? 0);
      if (low[node] === index[node]) close(node, begin);
      ahead.length = begin;
    }
  }
  edgeStarts.push(edges.length);
  return {
    componentOf,
    discovery: index,
    next: new IntLists(edgeStarts.toArray(), edges.toArray()),
    count: components,
  };
}

/**
 * Propagates marks to everything that is reachable from the marked components.
 *
 * @param marks `words` words of 32 marks for each component; changed in place
 */
export function propagateMarks({ next, count }: Condensation, marks: Int32Array, words: number): void {
  for (let component = count - 1; component >= 0; component--) {
    const from = component * words;
    if (isEmpty(marks, from, words)) continue;
    const end = next.end(component);
    for (let edge = next.start(component); edge < end; edge++) {
      const to = next.item(edge) * words;
      for (let at = 0; at < words; at++) marks[to + at] = (marks[to + at] ?? 0) | (marks[from + at] ?? 0);
    }
  }
}

function isEmpty(marks: Int32Array, from: number, words: number): boolean {
  for (let at = from; at < from + words; at++) if (marks[at] !== 0) return false;
  return true;
}
