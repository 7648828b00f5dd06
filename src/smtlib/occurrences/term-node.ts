/** A term with its sort, its context and its position in a script. */

import { sortKey } from '../printing/sort-key.js';
import { containsUnknown } from '../theories/signature.js';
import { children, type Sort, type Term } from '../tree.js';

/** One term of a command, linked to its parent and children. */
export interface TermNode {
  readonly term: Term;
  readonly sort: Sort;
  /** `sortKey` of its sort; `unknownKey` if part of the sort is unknown. */
  readonly key: string;
  /** The nodes of its children, in the order of `children`. */
  readonly below: readonly TermNode[];
  /** It contains a `:named` annotation, so it must not be copied, moved or dropped. */
  readonly isPinned: boolean;
  readonly index: number;
  readonly size: number;
  readonly parent: TermNode | undefined;
  readonly position: number;
  readonly root: number;
  /** A term around its parent is constrained; computed lazily, see `askedAt`. */
  isConstrainedAbove: boolean | undefined;
}

/** The key of all unknown sorts; no real key is empty. */
export const unknownKey = '';

interface SortOfKey {
  readonly key: string;
  readonly sort: Sort;
}

/** The terms of one command, innermost first. */
export interface CommandNodes {
  readonly nodes: readonly TermNode[];
  /** The known sorts that occur, in order of appearance. */
  readonly sorts: readonly SortOfKey[];
  readonly hasBinders: boolean;
  readonly hasNames: boolean;
}

/** A term at one position in a script. */
export interface Occurrence {
  readonly command: number;
  readonly node: TermNode;
}

/** Positions in `children`, from the command's term down to a node. */
export function pathTo(node: TermNode): number[] {
  const path: number[] = [];
  for (let at = node; at.parent !== undefined; at = at.parent) path.push(at.position);
  return path.reverse();
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const noNodes: readonly Mutable<TermNode>[] = [];

/** Builds nodes from the terms that the checker visits, innermost first. */
export class NodeCollector {
  /** Nodes without a parent so far; `top` of them are in use, and the array only grows. */
  private readonly waiting: Mutable<TermNode>[] = [];
  private top = 0;
  private nodes: Mutable<TermNode>[] = [];
  private sorts: SortOfKey[] = [];
  private hasBinders = false;
  private hasNames = false;

  add(term: Term, sort: Sort): void {
    const isKnown = !containsUnknown(sort);
    const key = isKnown ? sortKey(sort) : unknownKey;
    const count = this.childCount(term);
    let below = noNodes;
    let isPinned = term.kind === 'annotated' && nameAnnotation(term) !== undefined;
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
      isConstrainedAbove: undefined,
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

  /** The nodes collected since the last call. */
  finish(): CommandNodes {
    const found: CommandNodes = {
      nodes: this.nodes,
      sorts: this.sorts,
      hasBinders: this.hasBinders,
      hasNames: this.hasNames,
    };
    if (this.top > 1) {
      // The waiting nodes are the command's own terms; all nodes before one of them, back to the previous one, belong
      // to it.
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

/** The name that a `:named` annotation gives its term. */
export function nameAnnotation(term: Term): string | undefined {
  if (term.kind !== 'annotated') return undefined;
  for (const attribute of term.attributes) {
    if (attribute.keyword === ':named' && 'value' in attribute && attribute.value?.kind === 'symbol')
      return attribute.value.text;
  }
  return undefined;
}
