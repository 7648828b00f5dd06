/**
 * The change sequence graph of a program: in which orders changed basic blocks can be executed (Böhme, Definition 14),
 * put together from the control flow of single functions and from who calls whom (Algorithm 7).
 */

import { BitSet } from '../program/bit-set.js';
import type { FlowFunction } from '../program/flow.js';
import { callTargets } from './call-targets.js';

/** A changed basic block, by its function's place among those given and its number in it. */
export interface ChangedBlock {
  readonly function: number;
  readonly block: number;
}

/** The ends of every sequence. */
export const entry = -1;
export const exit = -2;

export interface SequenceGraph {
  /** The changed blocks; edges name them by their places here. */
  readonly blocks: readonly ChangedBlock[];
  readonly edges: readonly (readonly [from: number, to: number])[];
}

export interface SequenceOptions {
  /**
   * Algorithm 7 as it was published follows calls into changed functions but not the way back to their callers, which
   * Definition 14 asks for. Left out, the definition is followed.
   */
  readonly isAsPublished?: boolean;
}

/**
 * @param functions everything that is known of the changed program; functions nobody calls are where it may begin
 * @param changed the changed blocks of each function
 *
 * @example
 * // for (;;) { a(); if (x) break; b(); } with both calls changed
 * const graph = sequenceGraph(functions, [new Set([1, 2])]);
 * complexityOf(graph); // 2
 */
export function sequenceGraph(
  functions: readonly FlowFunction[],
  changed: readonly ReadonlySet<number>[],
  options: SequenceOptions = {},
): SequenceGraph {
  return new Sequences(functions, changed, options.isAsPublished ?? false).graph();
}

/** E - N + 2P (Definition 15); 0 where nothing that can be executed has changed. */
export function complexityOf({ blocks, edges }: SequenceGraph): number {
  if (blocks.length === 0) return 0;
  return edges.length - (blocks.length + 2) + 2 * partCount(blocks.length, edges);
}

/** How many parts of the graph hang together, entry and exit counted as nodes of it. */
function partCount(blocks: number, edges: SequenceGraph['edges']): number {
  // Entry and exit stand after the blocks.
  const place = (node: number): number => (node >= 0 ? node : blocks - 1 - node);
  const leader = Array.from({ length: blocks + 2 }, (_, at) => at);
  const leaderOf = (node: number): number => {
    let at = node;
    while (leader[at] !== at) at = leader[at] as number;
    leader[node] = at;
    return at;
  };
  for (const [from, to] of edges) leader[leaderOf(place(from))] = leaderOf(place(to));
  return leader.filter((one, at) => one === at).length;
}

/** What can come next from some point on. */
interface Ahead {
  /** Changed blocks that may be the next of them, by their places; the last bit is the program's end. */
  readonly next: BitSet;
  /** The function may return before any. */
  returns: boolean;
}

class Sequences {
  readonly #blocks: ChangedBlock[] = [];
  readonly #place: ReadonlyMap<number, number>[] = [];
  /** For each block the functions it may call that hold or lead to changes. */
  readonly #calls: (readonly number[])[][];
  /** For each function what is ahead at the beginning of each of its blocks. */
  readonly #ahead: Ahead[][];
  /** For each function what may come after it has returned. */
  readonly #after: BitSet[];
  readonly #callers: (readonly [caller: number, block: number])[][];
  /** Functions that hold a change or may come to one by a call. */
  readonly #matter: readonly number[];
  readonly #roots: ReadonlySet<number>;

  constructor(
    private readonly functions: readonly FlowFunction[],
    private readonly changed: readonly ReadonlySet<number>[],
    private readonly isAsPublished: boolean,
  ) {
    for (const [at, fn] of functions.entries()) {
      const place = new Map<number, number>();
      for (const block of fn.blocks.keys())
        if (changed[at]?.has(block)) {
          place.set(block, this.#blocks.length);
          this.#blocks.push({ function: at, block });
        }
      this.#place.push(place);
    }
    const targets = callTargets(functions);
    const matters = leadingToChanges(targets, changed);
    this.#matter = [...functions.keys()].filter((at) => matters[at]);
    // Calls to the others do nothing here.
    this.#calls = targets.map((blocks) => blocks.map((callees) => callees.filter((one) => matters[one])));
    this.#callers = functions.map(() => []);
    for (const [caller, blocks] of this.#calls.entries())
      for (const [block, callees] of blocks.entries())
        for (const callee of callees) this.#callers[callee]?.push([caller, block]);
    this.#roots = this.#findRoots();
    const empty = (): BitSet => new BitSet(this.#blocks.length + 1);
    this.#ahead = functions.map(({ blocks }) => blocks.map(() => ({ next: empty(), returns: false })));
    this.#after = functions.map(empty);
  }

  graph(): SequenceGraph {
    this.#settle();
    const end = this.#blocks.length;
    const edges: (readonly [number, number])[] = [];
    const add = (from: number, targets: BitSet): void => {
      for (const to of targets) edges.push([from, to === end ? exit : to]);
    };
    const first = new BitSet(end + 1);
    for (const root of this.#roots) first.addAll((this.#ahead[root]?.[0] as Ahead).next);
    first.remove(end);
    add(entry, first);
    for (const [at, { function: fn, block }] of this.#blocks.entries()) {
      const { next, returns } = this.#behind(fn, block);
      if (returns) {
        const after = this.#afterReturn(fn);
        if (!this.isAsPublished) next.addAll(after);
        else if (after.has(end)) next.add(end);
      }
      add(at, next);
    }
    return { blocks: this.#blocks, edges };
  }

  /** Goes on until nothing is added any more. */
  #settle(): void {
    for (let isGrowing = true; isGrowing; ) {
      isGrowing = false;
      for (const at of this.#matter)
        for (let block = (this.functions[at]?.blocks.length ?? 0) - 1; block >= 0; block--) {
          const known = (this.#ahead[at] as Ahead[])[block] as Ahead;
          const place = this.#place[at]?.get(block);
          const found = place === undefined ? this.#behind(at, block) : undefined;
          const grew = found === undefined ? known.next.add(place as number) : known.next.addAll(found.next);
          if (grew || (found?.returns === true && !known.returns)) isGrowing = true;
          if (found?.returns) known.returns = true;
        }
      if (this.#settleReturns()) isGrowing = true;
    }
  }

  #settleReturns(): boolean {
    let hasGrown = false;
    for (const at of this.#matter) {
      const after = this.#after[at] as BitSet;
      for (const [caller, block] of this.#callers[at] ?? []) {
        const { next, returns } = this.#beyond(caller, block);
        // A block's calls come in an order that is not known here.
        for (const other of this.#calls[caller]?.[block] ?? [])
          if (other !== at) next.addAll((this.#ahead[other]?.[0] as Ahead).next);
        if (after.addAll(next)) hasGrown = true;
        if (returns && after.addAll(this.#afterReturn(caller))) hasGrown = true;
      }
    }
    return hasGrown;
  }

  /** What is ahead once a block's own statements are executed: what it calls, then the blocks after it. */
  #behind(fn: number, block: number): Ahead {
    const next = new BitSet(this.#blocks.length + 1);
    let isPassable = true;
    for (const callee of this.#calls[fn]?.[block] ?? []) {
      const inside = this.#ahead[callee]?.[0];
      if (inside === undefined) continue;
      next.addAll(inside.next);
      if (!inside.returns && !this.isAsPublished) isPassable = false;
    }
    if (!isPassable) return { next, returns: false };
    const beyond = this.#beyond(fn, block);
    beyond.next.addAll(next);
    return beyond;
  }

  /** What is ahead once everything a block calls has returned. */
  #beyond(fn: number, block: number): Ahead {
    const { next: targets, isLast } = this.functions[fn]?.blocks[block] ?? { next: [] };
    const next = new BitSet(this.#blocks.length + 1);
    if (isLast) next.add(this.#blocks.length);
    let returns = targets.length === 0 && !isLast;
    for (const target of targets) {
      const ahead = this.#ahead[fn]?.[target];
      if (ahead === undefined) continue;
      next.addAll(ahead.next);
      returns ||= ahead.returns;
    }
    return { next, returns };
  }

  /** What comes after a function has returned: what its callers do then, or the program's end. */
  #afterReturn(fn: number): BitSet {
    const after = this.#after[fn] as BitSet;
    if (this.#roots.has(fn)) after.add(this.#blocks.length);
    return after;
  }

  /** Where the program may begin: functions nobody calls, and one of those that only call one another. */
  #findRoots(): ReadonlySet<number> {
    const roots = new Set<number>();
    const isReached = new Uint8Array(this.functions.length);
    const reach = (from: number): void => {
      const left = [from];
      for (let at = left.pop(); at !== undefined; at = left.pop()) {
        if (isReached[at] === 1) continue;
        isReached[at] = 1;
        for (const callees of this.#calls[at] ?? []) left.push(...callees);
      }
    };
    const begin = (at: number): void => {
      roots.add(at);
      reach(at);
    };
    for (const at of this.#matter) if ((this.#callers[at]?.length ?? 0) === 0) begin(at);
    for (const [at, blocks] of this.changed.entries()) if (blocks.size > 0 && isReached[at] === 0) begin(at);
    return roots;
  }
}

/** Which functions hold a change, or call one that leads to one. */
function leadingToChanges(
  targets: readonly (readonly (readonly number[])[])[],
  changed: readonly ReadonlySet<number>[],
): readonly boolean[] {
  const callers: number[][] = targets.map(() => []);
  for (const [caller, blocks] of targets.entries())
    for (const callee of new Set(blocks.flat())) callers[callee]?.push(caller);
  const leads = targets.map(() => false);
  const left = [...targets.keys()].filter((at) => (changed[at]?.size ?? 0) > 0);
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (leads[at]) continue;
    leads[at] = true;
    left.push(...(callers[at] ?? []));
  }
  return leads;
}
