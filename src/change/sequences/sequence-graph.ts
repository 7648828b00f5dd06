/**
 * The change sequence graph of a program: in which orders changed basic blocks can be executed (Böhme, Definition 14),
 * put together from the control flow of single functions and from who calls whom (Algorithm 7).
 */

import type { FlowFunction } from '../../program/graph/index.js';
import { type CallTarget, callTargets } from './call-targets.js';

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
    for (let next = leader[at]; next !== undefined && next !== at; next = leader[at]) at = next;
    leader[node] = at;
    return at;
  };
  for (const [from, to] of edges) leader[leaderOf(place(from))] = leaderOf(place(to));
  return leader.filter((node, at) => node === at).length;
}

/**
 * Everything a sequence can pass on its way from one changed block to the next, as one graph that is walked.
 *
 * Its places are the beginning of every block and what follows each of the block's calls. They are there twice. Where a
 * sequence has come in by a call, the end of the function is the end of the walk: whether the caller goes on is known
 * from whether the function can return without executing a change. Where a sequence began inside, it goes on with all
 * callers.
 */
class Sequences {
  readonly #blocks: ChangedBlock[] = [];
  readonly #functions: readonly WalkedFunction[];
  /** For each function the places behind its calls. */
  readonly #callers: number[][];
  readonly #roots: ReadonlySet<number>;
  /** For each place its block; the places of a block follow one another. */
  readonly #blockAt: WalkedBlock[] = [];
  /** By number, whether a function can return before any change is executed. */
  readonly #mayReturn: Uint8Array;
  /** The round a place was last walked in. */
  readonly #walked: Int32Array;
  /** For each place the one where ways part that it leads to by the only way there is; -1 where that is not known yet. */
  readonly #parting: Int32Array;
  /** What comes next from places where ways part, found once: many changes may lead to one of them. */
  readonly #found = new Map<number, readonly number[]>();
  #round = 0;

  constructor(
    functions: readonly FlowFunction[],
    changed: readonly ReadonlySet<number>[],
    private readonly isAsPublished: boolean,
  ) {
    const targets = callTargets(functions);
    const matters = leadingToChanges(targets, changed);
    this.#callers = functions.map(() => []);
    this.#functions = functions.map(({ blocks }, at): WalkedFunction => {
      if (!matters[at]) return { blocks: [] };
      return {
        blocks: blocks.map(({ next, isLast = false }, block) => {
          const isChanged = changed[at]?.has(block) ?? false;
          if (isChanged) this.#blocks.push({ function: at, block });
          return this.#newBlock({
            function: at,
            changed: isChanged ? this.#blocks.length - 1 : undefined,
            // Calls of functions that lead to no change do nothing here.
            calls: (targets[at]?.[block] ?? []).map(({ functions: all, isSure }) => {
              const some = all.filter((callee) => matters[callee]);
              return { functions: some, passes: !isSure || some.length < all.length };
            }),
            next,
            isLast,
          });
        }),
      };
    });
    for (const { blocks } of this.#functions)
      for (const { calls, first } of blocks)
        for (const [at, call] of calls.entries())
          for (const callee of call.functions) this.#callers[callee]?.push(first + 2 + at);
    this.#roots = this.#findRoots(changed);
    this.#mayReturn = this.#findReturning();
    this.#walked = new Int32Array(2 * this.#blockAt.length + functions.length);
    this.#parting = new Int32Array(2 * this.#blockAt.length).fill(-1);
  }

  graph(): SequenceGraph {
    const end = this.#blocks.length;
    const edges: (readonly [number, number])[] = [];
    const add = (from: number, found: readonly number[]): void => {
      for (const to of found.toSorted((a, b) => a - b)) edges.push([from, to === end ? exit : to]);
    };
    const begins = [...this.#roots].flatMap((root) => this.#functions[root]?.blocks[0]?.first ?? []);
    add(
      entry,
      this.#walk(begins, true).filter((block) => block !== end),
    );
    for (const [at, { function: fn, block }] of this.#blocks.entries()) {
      const behind = this.#inside(this.#firstOf(fn, block) + 1);
      add(at, this.isAsPublished ? this.#walkAsPublished(fn, behind) : this.#next(behind));
    }
    return { blocks: this.#blocks, edges };
  }

  #next(behind: number): readonly number[] {
    const at = this.#partingOf(behind);
    const found = this.#found.get(at) ?? this.#walk([at], true);
    this.#found.set(at, found);
    return found;
  }

  /** Follows a place to where there is more than one way, or an end; in a chain of joins that is far. */
  #partingOf(from: number): number {
    const passed: number[] = [];
    let at = from;
    for (;;) {
      const known = this.#parting[at];
      if (known === undefined || known >= 0) {
        at = known ?? at;
        break;
      }
      // Until it is known it leads to itself, which ends a walk in a circle.
      this.#parting[at] = at;
      passed.push(at);
      const next = this.#onlyAfter(at);
      if (next === undefined) break;
      at = next;
    }
    for (const place of passed) this.#parting[place] = at;
    return at;
  }

  /** The one place that comes after another; undefined where there are more or none, or something is found. */
  #onlyAfter(at: number): number | undefined {
    const found = new Set<number>();
    const left: number[] = [];
    this.#step(at, found, left);
    return found.size === 0 && left.length === 1 ? left[0] : undefined;
  }

  /** What can be reached without leaving the function by its end; of what comes then, only the program's end. */
  #walkAsPublished(fn: number, behind: number): readonly number[] {
    const end = this.#blocks.length;
    const found = this.#walk([behind], false);
    const returns = this.#walked[this.#returnOf(fn)] === this.#round;
    if (!returns || found.includes(end)) return found;
    return this.#walk([this.#returnOf(fn)], true).includes(end) ? [...found, end] : found;
  }

  /** The changed blocks that come next from these places on, and the end of the program. */
  #walk(from: readonly number[], followsReturns: boolean): readonly number[] {
    const round = ++this.#round;
    const found = new Set<number>();
    const left = [...from];
    for (let place = left.pop(); place !== undefined; place = left.pop()) {
      const at = this.#partingOf(place);
      if (this.#walked[at] === round) continue;
      this.#walked[at] = round;
      const count = this.#blockAt.length;
      if (at < 2 * count) this.#step(at, found, left);
      else if (followsReturns) {
        const fn = at - 2 * count;
        if (this.#roots.has(fn)) found.add(this.#blocks.length);
        for (const behind of this.#callers[fn] ?? []) left.push(this.#inside(behind));
      }
    }
    return [...found];
  }

  #step(at: number, found: Set<number>, left: number[]): void {
    const count = this.#blockAt.length;
    const [base, place] = at < count ? [0, at] : [count, at - count];
    const block = this.#blockAt[place];
    if (block === undefined) return;
    const done = place - block.first;
    if (done === 0) {
      if (block.changed === undefined) left.push(at + 1);
      else found.add(block.changed);
      return;
    }
    const call = block.calls[done - 1];
    if (call !== undefined) {
      for (const callee of call.functions) left.push(this.#functions[callee]?.blocks[0]?.first ?? at);
      if (this.#passes(call)) left.push(at + 1);
      return;
    }
    if (block.isLast) found.add(this.#blocks.length);
    else if (block.next.length === 0 && base > 0) left.push(this.#returnOf(block.function));
    for (const next of block.next) left.push(base + this.#firstOf(block.function, next));
  }

  /** Can control come back from a call with nothing changed executed in it? */
  #passes({ functions, passes }: WalkedCall): boolean {
    return passes || this.isAsPublished || functions.some((callee) => this.#mayReturn[callee] === 1);
  }

  /** A place for a sequence that began in its function, or in one that was called from it. */
  #inside(place: number): number {
    return this.#blockAt.length + place;
  }

  /** Where a sequence is that leaves a function by its end. */
  #returnOf(fn: number): number {
    return 2 * this.#blockAt.length + fn;
  }

  #firstOf(fn: number, block: number): number {
    const first = this.#functions[fn]?.blocks[block]?.first;
    if (first === undefined) throw new RangeError(`function ${fn} has no block ${block}`);
    return first;
  }

  #newBlock(block: Omit<WalkedBlock, 'first'>): WalkedBlock {
    const made = { ...block, first: this.#blockAt.length };
    for (let place = 0; place < block.calls.length + 2; place++) this.#blockAt.push(made);
    return made;
  }

  #findReturning(): Uint8Array {
    const returning = new Uint8Array(this.#functions.length);
    const passes = (call: WalkedCall): boolean =>
      call.passes || this.isAsPublished || call.functions.some((callee) => returning[callee] === 1);
    const left = [...this.#functions.keys()];
    for (let fn = left.pop(); fn !== undefined; fn = left.pop()) {
      const walked = this.#functions[fn];
      if (walked === undefined || returning[fn] === 1 || !canReturn(walked, passes)) continue;
      returning[fn] = 1;
      for (const behind of this.#callers[fn] ?? []) {
        const caller = this.#blockAt[behind];
        if (caller !== undefined) left.push(caller.function);
      }
    }
    return returning;
  }

  /** Where the program may begin: functions nobody calls, and one of those that only call one another. */
  #findRoots(changed: readonly ReadonlySet<number>[]): ReadonlySet<number> {
    const roots = new Set<number>();
    const isReached = new Uint8Array(this.#functions.length);
    const begin = (root: number): void => {
      roots.add(root);
      const left = [root];
      for (let at = left.pop(); at !== undefined; at = left.pop()) {
        if (isReached[at] === 1) continue;
        isReached[at] = 1;
        for (const { calls } of this.#functions[at]?.blocks ?? [])
          for (const { functions } of calls) left.push(...functions);
      }
    };
    for (const [at, { blocks }] of this.#functions.entries())
      if (blocks.length > 0 && this.#callers[at]?.length === 0) begin(at);
    for (const [at, blocks] of changed.entries()) if (blocks.size > 0 && isReached[at] === 0) begin(at);
    return roots;
  }
}

/** A function, with blocks only if changes are in it or can be come to from it. */
interface WalkedFunction {
  readonly blocks: readonly WalkedBlock[];
}

interface WalkedBlock {
  readonly function: number;
  /** Its place among the changed blocks; undefined for one that did not change. */
  readonly changed: number | undefined;
  readonly calls: readonly WalkedCall[];
  readonly next: readonly number[];
  readonly isLast: boolean;
  /** The first of its places: its beginning, then behind its own statements, then behind each of its calls. */
  readonly first: number;
}

interface WalkedCall {
  /** Those of the functions it may go to that matter. */
  readonly functions: readonly number[];
  /** It may go to another function that does not. */
  readonly passes: boolean;
}

/** Is there a way from the beginning of a function to its end on which nothing changed is executed? */
function canReturn({ blocks }: WalkedFunction, passes: (call: WalkedCall) => boolean): boolean {
  const seen = new Set<number>();
  const left = [0];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    const block = blocks[at];
    if (block === undefined || block.changed !== undefined || seen.has(at)) continue;
    seen.add(at);
    if (!block.calls.every(passes) || block.isLast) continue;
    if (block.next.length === 0) return true;
    left.push(...block.next);
  }
  return false;
}

/** Which functions hold a change, or call one that leads to one. */
function leadingToChanges(
  targets: readonly (readonly (readonly CallTarget[])[])[],
  changed: readonly ReadonlySet<number>[],
): readonly boolean[] {
  const callers: number[][] = targets.map(() => []);
  for (const [caller, blocks] of targets.entries())
    for (const callee of new Set(blocks.flat().flatMap(({ functions }) => functions)))
      callers[callee]?.push(caller);
  const leads = targets.map(() => false);
  const left = [...targets.keys()].filter((at) => (changed[at]?.size ?? 0) > 0);
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (leads[at]) continue;
    leads[at] = true;
    left.push(...(callers[at] ?? []));
  }
  return leads;
}
