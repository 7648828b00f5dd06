/** The graph of all places that a sequence can pass between two changed blocks. */

import { markReachable } from '../hunks/collections.js';
import type { LinkedFunction } from './call-targets.js';
import type { EndsGraph } from './reached-ends.js';

/** A changed basic block: the index of its function, and its number in the function. */
export interface ChangedBlock {
  readonly function: number;
  readonly block: number;
}

/**
 * The places that a sequence can pass, as a graph. Its ends are the changed blocks, followed by the end of the
 * program.
 *
 * Places are the beginning of every block and the position after each of its calls. There are two copies of each. In
 * the first copy the sequence entered the function by a call. There the walk stops at the end of the function, and
 * the caller continues if the function can return without executing a change. In the second copy the sequence began
 * inside the function, and continues in all callers.
 */
export class SequencePlaces {
  readonly blocks: readonly ChangedBlock[];
  readonly #functions: readonly (readonly WalkedBlock[])[];
  readonly #callers: number[][];
  readonly #roots: ReadonlySet<number>;
  /** For each place its block. The places of a block are consecutive. */
  readonly #blockAt: WalkedBlock[] = [];
  /** For each function, if it can return before a change is executed. */
  readonly #mayReturn: Uint8Array;

  constructor(functions: readonly LinkedFunction[], changed: readonly ReadonlySet<number>[]) {
    const leads = leadingToChanges(functions, changed);
    const found: ChangedBlock[] = [];
    this.blocks = found;
    this.#callers = functions.map(() => []);
    this.#functions = functions.map((blocks, at) => {
      if (leads[at] === 0) return [];
      return blocks.map(({ next, isLast = false, calls }, block) => {
        const isChanged = changed[at]?.has(block) ?? false;
        if (isChanged) found.push({ function: at, block });
        return this.#newBlock({
          function: at,
          changed: isChanged ? found.length - 1 : undefined,
          calls: calls.map(({ functions: all, isSure }) => {
            const some = all.filter((callee) => leads[callee] === 1);
            return { functions: some, passes: !isSure || some.length < all.length };
          }),
          next,
          isLast,
        });
      });
    });
    for (const blocks of this.#functions)
      for (const { calls, first } of blocks)
        for (const [at, call] of calls.entries())
          for (const callee of call.functions) this.#callers[callee]?.push(first + 2 + at);
    this.#roots = this.#findRoots(changed);
    this.#mayReturn = this.#findReturningFunctions();
  }

  get begins(): readonly number[] {
    return [...this.#roots].flatMap((root) => this.#functions[root]?.[0]?.first ?? []);
  }

  /** For each changed block the place after its own statements. */
  get behindBlocks(): readonly number[] {
    return this.blocks.map(({ function: fn, block }) => this.#inside(this.#firstOf(fn, block) + 1));
  }

  get programEnd(): number {
    return this.blocks.length;
  }

  graph(): EndsGraph {
    const count = this.#blockAt.length;
    const size = 2 * count + this.#functions.length + 1;
    const endAt = new Int32Array(size).fill(-1);
    endAt[size - 1] = this.programEnd;
    const next: number[][] = Array.from({ length: size }, () => []);
    for (const [place, { changed, first }] of this.#blockAt.entries())
      for (const at of [place, this.#inside(place)]) {
        if (place !== first || changed === undefined) next[at] = this.#successorsOf(at);
        else endAt[at] = changed;
      }
    for (const fn of this.#functions.keys()) {
      const callers = (this.#callers[fn] ?? []).map((behind) => this.#inside(behind));
      next[this.#returnOf(fn)] = this.#roots.has(fn) ? [size - 1, ...callers] : callers;
    }
    return { next, endAt, endCount: this.blocks.length + 1 };
  }

  /** For each changed block, if the program can end before another change is executed. */
  mayBeLast({ next, endAt }: EndsGraph): readonly boolean[] {
    const before: number[][] = next.map(() => []);
    for (const [at, all] of next.entries()) for (const to of all) before[to]?.push(at);
    const ends = [...endAt.keys()].filter((at) => endAt[at] === this.programEnd);
    const leads = markReachable(new Uint8Array(next.length), ends, (at) => before[at] ?? []);
    return this.behindBlocks.map((at) => leads[at] === 1);
  }

  #successorsOf(at: number): number[] {
    const count = this.#blockAt.length;
    const [base, place] = at < count ? [0, at] : [count, at - count];
    const block = this.#blockAt[place];
    if (block === undefined) return [];
    const done = place - block.first;
    if (done === 0) return [at + 1];
    const call = block.calls[done - 1];
    if (call !== undefined) {
      const into = call.functions.flatMap((callee) => this.#functions[callee]?.[0]?.first ?? []);
      const mayPass = call.passes || call.functions.some((callee) => this.#mayReturn[callee] === 1);
      return mayPass ? [...into, at + 1] : into;
    }
    const next = block.next.map((to) => base + this.#firstOf(block.function, to));
    if (block.isLast) next.push(2 * count + this.#functions.length);
    else if (block.next.length === 0 && base > 0) next.push(this.#returnOf(block.function));
    return next;
  }

  /** The copy of a place for a sequence that began in its function, or in one that this function called. */
  #inside(place: number): number {
    return this.#blockAt.length + place;
  }

  /** The place of a sequence that leaves a function at its end. */
  #returnOf(fn: number): number {
    return 2 * this.#blockAt.length + fn;
  }

  #firstOf(fn: number, block: number): number {
    const first = this.#functions[fn]?.[block]?.first;
    if (first === undefined) throw new RangeError(`function ${fn} has no block ${block}`);
    return first;
  }

  #newBlock(block: Omit<WalkedBlock, 'first'>): WalkedBlock {
    const walked = { ...block, first: this.#blockAt.length };
    for (let place = 0; place < block.calls.length + 2; place++) this.#blockAt.push(walked);
    return walked;
  }

  /** Starts at the beginnings of all functions at once. A blocked call continues when a callee is known to return. */
  #findReturningFunctions(): Uint8Array {
    const returning = new Uint8Array(this.#functions.length);
    const isReached = new Uint8Array(this.#blockAt.length);
    const left = this.#functions.flatMap(([entry]) => entry?.first ?? []);
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      const block = this.#blockAt[at];
      if (block === undefined || isReached[at] === 1) continue;
      isReached[at] = 1;
      const done = at - block.first;
      const call = block.calls[done - 1];
      if (done === 0) {
        if (block.changed === undefined) left.push(at + 1);
      } else if (call !== undefined) {
        if (call.passes || call.functions.some((callee) => returning[callee] === 1)) left.push(at + 1);
      } else if (!block.isLast) {
        for (const to of block.next) left.push(this.#firstOf(block.function, to));
        if (block.next.length > 0 || returning[block.function] === 1) continue;
        returning[block.function] = 1;
        for (const behind of this.#callers[block.function] ?? [])
          if (isReached[behind - 1] === 1) left.push(behind);
      }
    }
    return returning;
  }

  /** Functions without callers, and one function of each cycle of calls that is otherwise not reached. */
  #findRoots(changed: readonly ReadonlySet<number>[]): ReadonlySet<number> {
    const roots = new Set<number>();
    const isReached = new Uint8Array(this.#functions.length);
    const calleesOf = (fn: number): readonly number[] =>
      (this.#functions[fn] ?? []).flatMap(({ calls }) => calls.flatMap(({ functions }) => functions));
    const begin = (root: number): void => {
      roots.add(root);
      markReachable(isReached, [root], calleesOf);
    };
    for (const [at, blocks] of this.#functions.entries())
      if (blocks.length > 0 && this.#callers[at]?.length === 0) begin(at);
    for (const [at, blocks] of changed.entries()) if (blocks.size > 0 && isReached[at] === 0) begin(at);
    return roots;
  }
}

interface WalkedBlock {
  readonly function: number;
  /** Its index among the changed blocks; undefined if it did not change. */
  readonly changed: number | undefined;
  readonly calls: readonly WalkedCall[];
  readonly next: readonly number[];
  readonly isLast: boolean;
  /** The first of its places: the beginning, then after its own statements, then after each of its calls. */
  readonly first: number;
}

interface WalkedCall {
  readonly functions: readonly number[];
  /** The call may reach a function that leads to no change. */
  readonly passes: boolean;
}

/** The functions that contain a change or lead to one. */
function leadingToChanges(
  functions: readonly LinkedFunction[],
  changed: readonly ReadonlySet<number>[],
): Uint8Array {
  const callers: number[][] = functions.map(() => []);
  for (const [caller, blocks] of functions.entries()) {
    const called = new Set<number>();
    for (const { calls } of blocks)
      for (const target of calls) for (const at of target.functions) called.add(at);
    for (const callee of called) callers[callee]?.push(caller);
  }
  const changedFunctions = [...functions.keys()].filter((at) => (changed[at]?.size ?? 0) > 0);
  return markReachable(new Uint8Array(functions.length), changedFunctions, (at) => callers[at] ?? []);
}
