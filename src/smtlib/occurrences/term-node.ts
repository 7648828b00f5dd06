/** A term with its sort and its surroundings, and where in a script it occurs: what mutations look at. */

import { sortKey } from '../printing/sort-key.js';
import { holdsUnknown } from '../theories/signature.js';
import { children, type Sort, type Term } from '../tree.js';

/** One term of a command, with its sort and what stands around it. */
export interface TermNode {
  readonly term: Term;
  readonly sort: Sort;
  /** `sortKey` of its sort; `unknownKey` where something of it is not known. */
  readonly key: string;
  /** The nodes of its children, in the order of `children`. */
  readonly below: readonly TermNode[];
  /** A `:named` annotation stands in it: it can neither be copied, moved nor dropped. */
  readonly isPinned: boolean;
  /** Its place among the nodes of its command. */
  readonly index: number;
  /** How many nodes it has together with all below it. */
  readonly size: number;
  /** The term it is a child of, and as which; undefined at the top. */
  readonly parent: TermNode | undefined;
  readonly position: number;
  /** Which of the command's terms it lies in. */
  readonly root: number;
  /** Something around its parent must stay what it is; undefined until somebody asks, see `askedAt`. */
  isAskedAbove: boolean | undefined;
}

/** The key of all sorts that are not known: no sort is written like this. */
export const unknownKey = '';

interface SortOfKey {
  readonly key: string;
  readonly sort: Sort;
}

/** The terms of one command, innermost first. */
export interface CommandNodes {
  readonly nodes: readonly TermNode[];
  /** The sorts that occur, in the order they do; none that are not known. */
  readonly sorts: readonly SortOfKey[];
  readonly hasBinders: boolean;
  /** Some term in it is `:named`. */
  readonly hasNames: boolean;
}

/** A term at one position in a script: which command, and which node of it. */
export interface Occurrence {
  readonly command: number;
  readonly node: TermNode;
}

/** The way from a command's term down to a node, as positions in `children`. */
export function pathTo(node: TermNode): number[] {
  const path: number[] = [];
  for (let at = node; at.parent !== undefined; at = at.parent) path.push(at.position);
  return path.reverse();
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const noNodes: readonly Mutable<TermNode>[] = [];

/** Links terms to the terms below them as the checker passes them, innermost first. */
export class Collector {
  /** Nodes whose parent has not been passed yet; `top` of them are in use, the array itself only grows. */
  private readonly waiting: Mutable<TermNode>[] = [];
  private top = 0;
  private nodes: Mutable<TermNode>[] = [];
  private sorts: SortOfKey[] = [];
  private hasBinders = false;
  private hasNames = false;

  add(term: Term, sort: Sort): void {
    const isKnown = !holdsUnknown(sort);
    const key = isKnown ? sortKey(sort) : unknownKey;
    const count = this.childCount(term);
    let below = noNodes;
    let isPinned = term.kind === 'annotated' && nameGivenBy(term) !== undefined;
    const { waiting } = this;
    if (count > 0) {
      below = waiting.slice(this.top - count, this.top);
      this.top -= count;
    }
    const node: Mutable<TermNode> = {
      term,
      sort,
      key,
      below,
      isPinned,
      index: this.nodes.length,
      size: 1,
      isAskedAbove: undefined,
      parent: undefined,
      position: 0,
      root: 0,
    };
    let position = 0;
    for (const child of below) {
      child.parent = node;
      child.position = position++;
      isPinned ||= child.isPinned;
      node.size += child.size;
    }
    if (isPinned) {
      this.hasNames = true;
      node.isPinned = true;
    }
    this.nodes.push(node);
    waiting[this.top++] = node;
    if (isKnown && !this.sorts.some((known) => known.key === key)) this.sorts.push({ key, sort });
  }

  private childCount(term: Term): number {
    switch (term.kind) {
      case 'apply':
        return term.args.length;
      case 'annotated':
      case 'call':
        return children(term).length;
      case 'let':
      case 'forall':
      case 'exists':
      case 'lambda':
      case 'choice':
      case 'comprehension':
      case 'match':
        this.hasBinders = true;
        return children(term).length;
      default:
        return 0;
    }
  }

  /** What was collected since the last time. */
  finish(): CommandNodes {
    const found: CommandNodes = {
      nodes: this.nodes,
      sorts: this.sorts,
      hasBinders: this.hasBinders,
      hasNames: this.hasNames,
    };
    if (this.top > 1) {
      // What still waits are the command's own terms; everything before one of them in the list lies in it.
      let root = 0;
      for (const node of this.nodes) {
        node.root = root;
        if (node === this.waiting[root]) root++;
      }
    }
    this.top = 0;
    this.nodes = [];
    this.sorts = [];
    this.hasBinders = false;
    this.hasNames = false;
    return found;
  }
}

/** The name a `:named` annotation gives its term. */
export function nameGivenBy(term: Term): string | undefined {
  if (term.kind !== 'annotated') return undefined;
  for (const attribute of term.attributes) {
    if (attribute.keyword === ':named' && 'value' in attribute && attribute.value?.kind === 'symbol')
      return attribute.value.text;
  }
  return undefined;
}
