/**
 * Which writes a read may see, one variable at a time. Writes that may or may not replace a value, and places where
 * ways meet, become joins: nodes that depend on everything the value there may have come from. So the number of
 * dependences stays in proportion to the number of reads and writes.
 *
 * Cytron, Ferrante, Rosen, Wegman, Zadeck: Efficiently Computing Static Single Assignment Form and the Control
 * Dependence Graph, with variables for what is in memory.
 */

import { IntList, immediateDominators, predecessorsOf, type Successors } from '../graph/index.js';
import type { EdgeList } from './edges.js';

export const event = { use: 0, mayWrite: 1, overwrites: 2 } as const;

/** No value: what is there before anything is written. */
export const noValue = -1;

/** Reads and writes in the order they are made, block after block. */
export class Events {
  readonly variable = new IntList(256);
  readonly block = new IntList(256);
  readonly kind = new IntList(256);
  /** What reads or writes. */
  readonly node = new IntList(256);

  add(variable: number, block: number, kind: number, node: number): void {
    this.variable.push(variable);
    this.block.push(block);
    this.kind.push(kind);
    this.node.push(node);
  }
}

export class Reaching {
  readonly #before: Successors;
  readonly #dominators: Int32Array;
  readonly #frontiers: readonly (readonly number[])[];
  /** Marks of the variable at hand: what was noted for another one counts for nothing. */
  readonly #isJoined: Int32Array;
  readonly #joins: Int32Array;
  readonly #isWritten: Int32Array;
  readonly #lastValues: Int32Array;
  #mark = 0;
  #initial = noValue;
  readonly #pending: number[] = [];

  /**
   * @param edges gets what depends on what
   * @param newJoin makes a node
   * @param isOwnJoin of a node that may write: it stands for the joined value itself
   */
  constructor(
    next: Successors,
    private readonly edges: EdgeList,
    private readonly newJoin: () => number,
    private readonly isOwnJoin: (node: number) => boolean,
  ) {
    this.#before = predecessorsOf(next);
    this.#dominators = immediateDominators(next, 0);
    this.#frontiers = frontiersOf(this.#before, this.#dominators);
    this.#isJoined = new Int32Array(next.length);
    this.#joins = new Int32Array(next.length);
    this.#isWritten = new Int32Array(next.length);
    this.#lastValues = new Int32Array(next.length);
  }

  isReached(block: number): boolean {
    return this.#dominators[block] !== -1;
  }

  /** @param initialOf the node of the value a variable has at the entry */
  connect(events: Events, initialOf: (variable: number) => number): void {
    const order = orderByVariable(events.variable);
    for (let from = 0; from < order.length; ) {
      const variable = events.variable.at(order[from] as number);
      let to = from + 1;
      while (to < order.length && events.variable.at(order[to] as number) === variable) to++;
      this.#connectVariable(events, order.subarray(from, to), initialOf(variable));
      from = to;
    }
  }

  #connectVariable(events: Events, order: Int32Array, initial: number): void {
    if (!order.some((at) => events.kind.at(at) === event.use)) return;
    this.#mark++;
    this.#initial = initial;
    const values = this.#valuesOf(events, order);
    this.#placeJoins(events, order);
    let block = -1;
    let value: number | undefined;
    for (const [place, at] of order.entries()) {
      if (events.block.at(at) !== block) {
        block = events.block.at(at);
        value = undefined;
      }
      const kind = events.kind.at(at);
      if (kind !== event.overwrites) {
        value ??= this.#valueAtStart(block);
        const reader = kind === event.use ? events.node.at(at) : (values[place] as number);
        if (value !== noValue) this.edges.add(reader, value);
      }
      if (kind !== event.use) value = values[place] as number;
    }
    this.#fillJoins();
  }

  /** The value each write leaves; what the last one in a block leaves is noted for the block. */
  #valuesOf(events: Events, order: Int32Array): Int32Array {
    const values = new Int32Array(order.length);
    for (const [place, at] of order.entries()) {
      const kind = events.kind.at(at);
      if (kind === event.use) continue;
      const node = events.node.at(at);
      let value = node;
      if (kind === event.mayWrite && !this.isOwnJoin(node)) {
        value = this.newJoin();
        this.edges.add(value, node);
      }
      values[place] = value;
      const block = events.block.at(at);
      this.#isWritten[block] = this.#mark;
      this.#lastValues[block] = value;
    }
    return values;
  }

  /** Where values of different writes meet; the joins themselves are made when somebody needs them. */
  #placeJoins(events: Events, order: Int32Array): void {
    const left: number[] = [];
    for (const at of order) {
      const block = events.block.at(at);
      if (events.kind.at(at) !== event.use && left.at(-1) !== block) left.push(block);
    }
    for (let block = left.pop(); block !== undefined; block = left.pop())
      for (const meeting of this.#frontiers[block] as readonly number[])
        if (this.#isJoined[meeting] !== this.#mark) {
          this.#isJoined[meeting] = this.#mark;
          this.#joins[meeting] = noValue;
          left.push(meeting);
        }
  }

  #valueAtStart(start: number): number {
    for (let block = start; ; ) {
      if (this.#isJoined[block] === this.#mark) return this.#joinAt(block);
      if (block === 0) return this.#initial;
      block = this.#dominators[block] as number;
      if (this.#isWritten[block] === this.#mark) return this.#lastValues[block] as number;
    }
  }

  #joinAt(block: number): number {
    if (this.#joins[block] === noValue) {
      this.#joins[block] = this.newJoin();
      this.#pending.push(block);
    }
    return this.#joins[block] as number;
  }

  #fillJoins(): void {
    for (let block = this.#pending.pop(); block !== undefined; block = this.#pending.pop()) {
      const join = this.#joins[block] as number;
      for (const before of this.#before[block] as readonly number[]) {
        if (!this.isReached(before)) continue;
        const isWritten = this.#isWritten[before] === this.#mark;
        const value = isWritten ? (this.#lastValues[before] as number) : this.#valueAtStart(before);
        if (value !== noValue && value !== join) this.edges.add(join, value);
      }
      // Control gets back to no entry in LLVM's IR, but a reader cannot be sure.
      if (block === 0 && this.#initial !== noValue) this.edges.add(join, this.#initial);
    }
  }
}

/** For each block those where what it leaves meets what others leave. */
function frontiersOf(before: Successors, dominators: Int32Array): readonly (readonly number[])[] {
  const frontiers: Set<number>[] = before.map(() => new Set());
  for (const [block, all] of before.entries()) {
    if (dominators[block] === -1 || (all.length < 2 && block !== 0)) continue;
    for (const from of all) {
      if (dominators[from] === -1) continue;
      for (let at = from; at !== dominators[block] || block === 0; at = dominators[at] as number) {
        frontiers[at]?.add(block);
        if (at === 0) break;
      }
    }
  }
  return frontiers.map((set) => [...set]);
}

/** The events of each variable together, each in the order they happen. */
function orderByVariable(variable: IntList): Int32Array {
  const counts = new Map<number, number>();
  for (let at = 0; at < variable.length; at++)
    counts.set(variable.at(at), (counts.get(variable.at(at)) ?? 0) + 1);
  let start = 0;
  for (const [one, count] of counts) {
    counts.set(one, start);
    start += count;
  }
  const order = new Int32Array(variable.length);
  for (let at = 0; at < variable.length; at++) {
    const one = variable.at(at);
    const place = counts.get(one) as number;
    order[place] = at;
    counts.set(one, place + 1);
  }
  return order;
}
