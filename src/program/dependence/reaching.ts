/**
 * The writes that each read may see, one variable at a time. A write that may keep the old value, and a block where
 * paths meet, become joins: nodes that depend on all possible sources of the value. The number of dependences thus
 * stays proportional to the number of reads and writes.
 *
 * Cytron, Ferrante, Rosen, Wegman, Zadeck: Efficiently Computing Static Single Assignment Form and the Control
 * Dependence Graph, applied to memory variables.
 */

import {
  after,
  type BlockId,
  type Id,
  IntList,
  type Ints,
  IntTable,
  idOf,
  immediateDominators,
  ints,
  type LocalNodeId,
  predecessorsOf,
  type ReadonlyTable,
  type Table,
  unreachable,
  type VariableId,
} from '../graph/index.js';
import type { EdgeList } from './edges.js';

export const event = { use: 0, mayWrite: 1, overwrites: 2 } as const;

/** The initial value, in place of a node. */
export const noValue: LocalNodeId = idOf(-1);

type EventId = Id<'event'>;

const entry: BlockId = idOf(0);

/** Reads and writes in execution order, block by block. */
export class Events {
  readonly variable = new IntList<VariableId, EventId>(256);
  readonly block = new IntList<BlockId, EventId>(256);
  readonly kind = new IntList<number, EventId>(256);
  readonly node = new IntList<LocalNodeId, EventId>(256);

  add(variable: VariableId, block: BlockId, kind: number, node: LocalNodeId): void {
    this.variable.push(variable);
    this.block.push(block);
    this.kind.push(kind);
    this.node.push(node);
  }
}

export class Reaching {
  readonly #before: ReadonlyTable<BlockId, readonly BlockId[]>;
  readonly #dominators: IntTable<BlockId, BlockId>;
  readonly #frontiers: ReadonlyTable<BlockId, readonly BlockId[]>;
  /** Marks: an entry counts only if it equals `#mark`, the number of the current variable. */
  readonly #isJoined: IntTable<BlockId>;
  readonly #joins: IntTable<BlockId, LocalNodeId>;
  readonly #isWritten: IntTable<BlockId>;
  readonly #lastValues: IntTable<BlockId, LocalNodeId>;
  #mark = 0;
  #initial = noValue;
  readonly #pending: BlockId[] = [];

  /**
   * @param edges receives the dependences
   * @param newJoin creates a node
   * @param isOwnJoin is a possibly writing node itself the joined value?
   */
  constructor(
    next: ReadonlyTable<BlockId, readonly BlockId[]>,
    private readonly edges: EdgeList,
    private readonly newJoin: () => LocalNodeId,
    private readonly isOwnJoin: (node: LocalNodeId) => boolean,
  ) {
    this.#before = predecessorsOf(next.values);
    this.#dominators = immediateDominators(next.values, entry);
    this.#frontiers = frontiersOf(this.#before, this.#dominators);
    this.#isJoined = IntTable.of(next.length, 0);
    this.#joins = IntTable.of(next.length, noValue);
    this.#isWritten = IntTable.of(next.length, 0);
    this.#lastValues = IntTable.of(next.length, noValue);
  }

  isReached(block: BlockId): boolean {
    return this.#dominators.get(block) !== unreachable;
  }

  /** @param initialOf the node of a variable's value at the entry */
  connect(events: Events, initialOf: (variable: VariableId) => LocalNodeId): void {
    const { order, ends } = orderByVariable(events.variable);
    let from = 0;
    for (const [variable, to] of ends) {
      this.#connectVariable(events, order.subarray(from, to), initialOf(variable));
      from = to;
    }
  }

  #connectVariable(events: Events, order: Ints<EventId>, initial: LocalNodeId): void {
    if (!order.some((at) => events.kind.get(at) === event.use)) return;
    this.#mark++;
    this.#initial = initial;
    const values = this.#valuesOf(events, order);
    this.#markJoins(events, order);
    let block: BlockId | undefined;
    let value: LocalNodeId | undefined;
    for (const [index, at] of order.entries()) {
      const eventBlock = events.block.get(at);
      if (eventBlock !== block) {
        block = eventBlock;
        value = undefined;
      }
      const kind = events.kind.get(at);
      if (kind !== event.overwrites) {
        value ??= this.#valueAtStart(eventBlock);
        const reader = kind === event.use ? events.node.get(at) : values.get(index);
        if (value !== noValue) this.edges.add(reader, value);
      }
      if (kind !== event.use) value = values.get(index);
    }
    this.#fillJoins();
  }

  /** The value after each write. The last one of a block is recorded for the block. */
  #valuesOf(events: Events, order: Ints<EventId>): IntTable<number, LocalNodeId> {
    const values = IntTable.of<number, LocalNodeId>(order.length, noValue);
    for (const [index, at] of order.entries()) {
      const kind = events.kind.get(at);
      if (kind === event.use) continue;
      const node = events.node.get(at);
      let value = node;
      if (kind === event.mayWrite && !this.isOwnJoin(node)) {
        value = this.newJoin();
        this.edges.add(value, node);
      }
      values.set(index, value);
      const block = events.block.get(at);
      this.#isWritten.set(block, this.#mark);
      this.#lastValues.set(block, value);
    }
    return values;
  }

  /** Marks the blocks where values of different writes meet; their joins are created on demand. */
  #markJoins(events: Events, order: Ints<EventId>): void {
    const pending: BlockId[] = [];
    for (const at of order) {
      const block = events.block.get(at);
      if (events.kind.get(at) !== event.use && pending.at(-1) !== block) pending.push(block);
    }
    for (let block = pending.pop(); block !== undefined; block = pending.pop())
      for (const meeting of this.#frontiers.get(block))
        if (this.#isJoined.get(meeting) !== this.#mark) {
          this.#isJoined.set(meeting, this.#mark);
          this.#joins.set(meeting, noValue);
          pending.push(meeting);
        }
  }

  #valueAtStart(start: BlockId): LocalNodeId {
    for (let block = start; ; ) {
      if (this.#isJoined.get(block) === this.#mark) return this.#joinAt(block);
      if (block === entry) return this.#initial;
      block = this.#dominators.get(block);
      if (this.#isWritten.get(block) === this.#mark) return this.#lastValues.get(block);
    }
  }

  #joinAt(block: BlockId): LocalNodeId {
    let join = this.#joins.get(block);
    if (join === noValue) {
      join = this.newJoin();
      this.#joins.set(block, join);
      this.#pending.push(block);
    }
    return join;
  }

  #fillJoins(): void {
    for (let block = this.#pending.pop(); block !== undefined; block = this.#pending.pop()) {
      const join = this.#joins.get(block);
      for (const before of this.#before.get(block)) {
        if (!this.isReached(before)) continue;
        const isWritten = this.#isWritten.get(before) === this.#mark;
        const value = isWritten ? this.#lastValues.get(before) : this.#valueAtStart(before);
        if (value !== noValue && value !== join) this.edges.add(join, value);
      }
      // LLVM forbids jumps to the entry block, but the text may contain one.
      if (block === entry && this.#initial !== noValue) this.edges.add(join, this.#initial);
    }
  }
}

/** Dominance frontiers: for each block, the blocks where its values meet others. */
function frontiersOf(
  before: ReadonlyTable<BlockId, readonly BlockId[]>,
  dominators: IntTable<BlockId, BlockId>,
): ReadonlyTable<BlockId, readonly BlockId[]> {
  const frontiers: Table<BlockId, Set<BlockId>> = before.map(() => new Set());
  for (const [block, all] of before.entries()) {
    const dominator = dominators.get(block);
    if (dominator === unreachable || (all.length < 2 && block !== entry)) continue;
    for (const from of all) {
      if (dominators.get(from) === unreachable) continue;
      for (let at = from; at !== dominator || block === entry; at = dominators.get(at)) {
        frontiers.get(at).add(block);
        if (at === entry) break;
      }
    }
  }
  return frontiers.map((set) => [...set]);
}

/**
 * Events grouped by variable, in execution order; variables in the order of their first event.
 *
 * @returns also the end of each variable's events
 */
function orderByVariable(variables: IntList<VariableId, EventId>): {
  readonly order: Ints<EventId>;
  readonly ends: ReadonlyMap<VariableId, number>;
} {
  const ends = new Map<VariableId, number>();
  for (let at = idOf<EventId>(0); at < variables.length; at = after(at, 1)) {
    const variable = variables.get(at);
    ends.set(variable, (ends.get(variable) ?? 0) + 1);
  }
  let start = 0;
  for (const [variable, count] of ends) {
    ends.set(variable, start);
    start += count;
  }
  const order = new Int32Array(variables.length);
  for (let at = idOf<EventId>(0); at < variables.length; at = after(at, 1)) {
    const variable = variables.get(at);
    const end = ends.get(variable) ?? 0;
    order[end] = at;
    ends.set(variable, end + 1);
  }
  return { order: ints(order), ends };
}
