/**
 * Points-to analysis of the whole program: a node's targets flow along its edges. Nodes are registers, parameters,
 * results, and the cells of memory objects.
 *
 * Andersen: Program Analysis and Specialization for the C Programming Language, chapter 4, with byte offsets as in
 * Pearce, Kelly, Hankin: Efficient Field-Sensitive Pointer Analysis of C. A single object stands for everything that
 * was ever passed to external code.
 */

import {
  after,
  components,
  type Id,
  IntList,
  IntSet,
  type Ints,
  IntTable,
  idOf,
  idsBelow,
  ints,
  type LocationId,
  type ObjectId,
  type PointerId,
  Table,
} from '../../graph/index.js';
import { Contents } from './contents.js';
import type { Locations } from './objects.js';
import { anywhere, movedBy, type Offsets, start, unbounded, widened } from './offsets.js';

export interface Move {
  readonly by: Offsets;
  /** Steps go in both directions, as far as the object extends. */
  readonly isFree: boolean;
}

/** A constraint of a node, applied to each of its targets. */
type RuleId = Id<'rule'>;

const noRule: RuleId = idOf(-1);

const rule = { load: 0, store: 1, move: 2, transferFrom: 3, transferTo: 4, call: 5 } as const;

/** A store of a value without targets so far. */
interface IdleStore {
  readonly pointer: PointerId;
  readonly bytes: number;
  readonly value: PointerId;
}

/** Distinct locations of one object in one set; more are merged into a progression of offsets. */
const maxDistinct = 16;

export class PointsTo {
  readonly contents: Contents;
  /** Its targets are accessible to external code. */
  readonly escapes: PointerId;
  readonly unknownLocation: LocationId;
  readonly #parent = new IntList<PointerId, PointerId>(1024);
  readonly #sets = new Table<PointerId, IntSet<LocationId> | undefined>();
  /** How many of its locations a node has passed on. */
  readonly #passed = new IntList<number, PointerId>(1024);
  readonly #next = new Table<PointerId, IntSet<PointerId> | undefined>();
  /** The rules of a node form a linked list in the tables below. */
  readonly #firstRule = new IntList<RuleId, PointerId>(1024);
  readonly #ruleKind = new IntList<number, RuleId>();
  /** A byte count, or the index of a move or of a call. */
  readonly #ruleDetail = new IntList<number, RuleId>();
  /** The other pointer of the rule, or the buffer object of a transfer. */
  readonly #ruleOther = new IntList<number, RuleId>();
  readonly #nextRule = new IntList<RuleId, RuleId>();
  readonly #moves = new Table<number, Move>();
  readonly #calls = new Table<number, (object: ObjectId) => void>();
  readonly #onEscape: ((object: ObjectId) => void)[] = [];
  readonly #escaped = new Set<ObjectId>();
  readonly #queue: PointerId[] = [];
  readonly #isQueued = new Table<PointerId, boolean>();
  /** Stores of values without targets, by the node of the value. */
  readonly #idleStores = new Map<PointerId, IdleStore[]>();
  #edges = 0;
  /** Scratch for `#thin`: the number of locations of each object in the set. All 0 between calls. */
  #counts = IntTable.of<ObjectId, number>(0, 0);
  /** Topological order: a node has a higher rank than its successors. New nodes have none. */
  #ranks = IntTable.of<PointerId, number>(0, 0);

  constructor(
    readonly locations: Locations,
    private readonly unknown: ObjectId,
  ) {
    this.escapes = this.newNode();
    this.unknownLocation = locations.at(unknown, anywhere);
    this.contents = new Contents(locations, this);
  }

  newNode(): PointerId {
    return this.newNodes(1);
  }

  newNodes(count: number): PointerId {
    const first = idOf<PointerId>(this.#parent.length);
    for (let at = 0; at < count; at++) {
      this.#parent.push(after(first, at));
      this.#passed.push(0);
      this.#firstRule.push(noRule);
      this.#sets.add(undefined);
      this.#next.add(undefined);
      this.#isQueued.add(false);
    }
    return first;
  }

  point(node: PointerId, location: LocationId): void {
    const at = this.#find(node);
    const set = this.#setOf(at);
    if (set.has(location) || this.locations.isCovered(location, set)) return;
    if (this.#isImplied(location, set)) return;
    set.append(location);
    if (set.size === 1) this.#activateStores(at);
    if (location === this.unknownLocation)
      this.#keep(at, (known) => !this.#escaped.has(this.locations.objectOf(known)));
    else if (set.size > maxDistinct && (set.size & (set.size - 1)) === 0) this.#mergeLocations(at);
    this.#enqueue(at);
  }

  copy(from: PointerId, to: PointerId): void {
    const [source, target] = [this.#find(from), this.#find(to)];
    if (source === target) return;
    let next = this.#next.get(source);
    if (next === undefined) {
      next = new IntSet();
      this.#next.set(source, next);
    }
    if (!next.add(target)) return;
    this.#edges++;
    const passed = this.#passed.get(source);
    if (passed > 0) this.#passOn(this.#setOf(source).items().slice(0, passed), target);
  }

  /** @param to gets the targets of `from`, moved */
  move(from: PointerId, move: Move, to: PointerId): void {
    if (move.by.step === 0 && move.by.first === 0) this.copy(from, to);
    else this.#addRule(from, rule.move, this.#moves.add(move), to);
  }

  load(pointer: PointerId, bytes: number, to: PointerId): void {
    this.#addRule(pointer, rule.load, limited(bytes), to);
  }

  store(pointer: PointerId, bytes: number, value: PointerId): void {
    const at = this.#find(value);
    if ((this.#sets.get(at)?.size ?? 0) > 0) this.#addRule(pointer, rule.store, limited(bytes), value);
    else {
      // Most stored values never get a target, and need no rule.
      const idle = this.#idleStores.get(at) ?? [];
      idle.push({ pointer, bytes, value });
      this.#idleStores.set(at, idle);
    }
  }

  /**
   * Copies memory behind one pointer to the memory behind another. @param buffer an object used by this transfer only
   */
  transfer(to: PointerId, from: PointerId, bytes: number, buffer: ObjectId): void {
    this.#addRule(from, rule.transferFrom, limited(bytes), buffer);
    this.#addRule(to, rule.transferTo, limited(bytes), buffer);
  }

  /** Calls back for each function, and for the unknown object, that the node may point to. */
  whenCalled(node: PointerId, call: (object: ObjectId) => void): void {
    this.#addRule(node, rule.call, this.#calls.add(call), 0);
  }

  whenEscaped(escaped: (object: ObjectId) => void): void {
    this.#onEscape.push(escaped);
  }

  isEscaped(object: ObjectId): boolean {
    return this.#escaped.has(object);
  }

  get escaped(): ReadonlySet<ObjectId> {
    return this.#escaped;
  }

  holdInitially(object: ObjectId, offsets: Offsets, bytes: number, node: PointerId): void {
    const writer = this.contents.writer(object, offsets, bytes);
    if (writer !== undefined) this.copy(node, writer);
  }

  /** Propagates until nothing changes, in waves of topological order. */
  solve(): void {
    let collapsedAt = 0;
    while (this.#queue.length > 0) {
      if (this.#edges > collapsedAt * 1.5 + minNewEdges) {
        this.#collapseCycles();
        collapsedAt = this.#edges;
      }
      const wave = this.#queue.toSorted((a, b) => this.#rankOf(b) - this.#rankOf(a));
      this.#queue.length = 0;
      for (const node of wave) {
        this.#isQueued.set(node, false);
        if (this.#parent.get(node) === node) this.#process(node);
      }
    }
  }

  #rankOf(node: PointerId): number {
    return node < this.#ranks.length ? this.#ranks.get(node) : -1;
  }

  targets(node: PointerId): Ints<LocationId> {
    return this.#sets.get(this.#find(node))?.items() ?? noLocations;
  }

  /** Every object reachable from some nodes, including their targets. */
  reachable(nodes: Iterable<PointerId>): ReadonlySet<ObjectId> {
    const objects = new Set<ObjectId>();
    const pending = [...nodes];
    for (let at = pending.pop(); at !== undefined; at = pending.pop())
      for (const location of this.targets(at)) {
        const object = this.locations.objectOf(location);
        if (objects.has(object)) continue;
        objects.add(object);
        for (const writer of this.contents.writers(object)) pending.push(writer.node);
      }
    return objects;
  }

  #find(node: PointerId): PointerId {
    let root = node;
    while (this.#parent.get(root) !== root) root = this.#parent.get(root);
    for (let at = node; at !== root; ) {
      const above = this.#parent.get(at);
      this.#parent.set(at, root);
      at = above;
    }
    return root;
  }

  #setOf(root: PointerId): IntSet<LocationId> {
    let set = this.#sets.get(root);
    if (set === undefined) {
      set = new IntSet();
      this.#sets.set(root, set);
    }
    return set;
  }

  #enqueue(root: PointerId): void {
    if (this.#isQueued.get(root)) return;
    this.#isQueued.set(root, true);
    this.#queue.push(root);
  }

  #addRule(node: PointerId, kind: number, detail: number, other: number): void {
    const root = this.#find(node);
    const added = idOf<RuleId>(this.#ruleKind.length);
    this.#ruleKind.push(kind);
    this.#ruleDetail.push(detail);
    this.#ruleOther.push(other);
    this.#nextRule.push(this.#firstRule.get(root));
    this.#firstRule.set(root, added);
    const passed = this.#passed.get(root);
    if (passed > 0) this.#apply(added, this.#setOf(root).items().slice(0, passed));
  }

  #activateStores(root: PointerId): void {
    const idle = this.#idleStores.get(root);
    if (idle === undefined) return;
    this.#idleStores.delete(root);
    for (const { pointer, bytes, value } of idle) this.#addRule(pointer, rule.store, limited(bytes), value);
  }

  #process(node: PointerId): void {
    const set = this.#setOf(node);
    const fresh = set.items().slice(this.#passed.get(node));
    this.#passed.set(node, set.size);
    if (fresh.length === 0) return;
    if (node === this.#find(this.escapes)) this.#escape(fresh);
    for (let at = this.#firstRule.get(node); at !== noRule; at = this.#nextRule.get(at))
      this.#apply(at, fresh);
    const next = this.#next.get(node);
    if (next === undefined) return;
    for (let at = 0; at < next.size; at++) this.#passOn(fresh, next.at(at));
  }

  #passOn(locations: Ints<LocationId>, to: PointerId): void {
    for (const location of locations) this.point(to, location);
  }

  #apply(id: RuleId, fresh: Ints<LocationId>): void {
    const detail = this.#ruleDetail.get(id);
    const other = this.#ruleOther.get(id);
    const node = idOf<PointerId>(other);
    const buffer = idOf<ObjectId>(other);
    const { locations, contents } = this;
    const kind = this.#ruleKind.get(id);
    for (const location of fresh) {
      const object = locations.objectOf(location);
      const offsets = locations.offsetsOf(location);
      const bytes = detail === -1 ? Number.POSITIVE_INFINITY : detail;
      if (kind === rule.load) {
        const reader = contents.reader(object, offsets, bytes);
        if (reader !== undefined) this.copy(reader, node);
      } else if (kind === rule.store) {
        const writer = contents.writer(object, offsets, bytes);
        if (writer !== undefined) this.copy(node, writer);
      } else if (kind === rule.move) {
        const { by, isFree } = this.#moves.get(detail);
        const moved = movedBy(offsets, by);
        this.point(node, locations.at(object, isFree ? unbounded(moved) : moved));
      } else if (kind === rule.transferFrom) contents.transfer(object, offsets, bytes, buffer, start);
      else if (kind === rule.transferTo) contents.transfer(buffer, start, bytes, object, offsets);
      else {
        const { kind: targetKind } = locations.object(object);
        if (targetKind === 'function' || targetKind === 'unknown') this.#calls.get(detail)(object);
      }
    }
  }

  /** The contents of an escaped object escape as well, and external code may overwrite them with anything. */
  #escape(fresh: Ints<LocationId>): void {
    for (const location of fresh) {
      const object = this.locations.objectOf(location);
      if (object === this.unknown || this.#escaped.has(object)) continue;
      this.#escaped.add(object);
      for (const { node } of this.contents.writers(object)) this.copy(node, this.escapes);
      if (!this.locations.object(object).isConstant) {
        const writer = this.contents.writer(object, anywhere, Number.POSITIVE_INFINITY);
        if (writer !== undefined) this.point(writer, this.unknownLocation);
      }
      for (const escaped of this.#onEscape) escaped(object);
    }
  }

  /** Merges many locations of one object, as of a pointer that steps through it, into a progression. */
  #mergeLocations(root: PointerId): void {
    const set = this.#setOf(root);
    const { locations } = this;
    if (this.#counts.length < locations.objects.length)
      this.#counts = IntTable.of(locations.objects.length * 2, 0);
    const counts = this.#counts;
    let most = 0;
    for (const location of set.items()) {
      const object = locations.objectOf(location);
      const count = counts.get(object) + 1;
      counts.set(object, count);
      if (count > most) most = count;
    }
    const rows = new Map<ObjectId, Offsets>();
    for (const location of most > maxDistinct ? set.items() : noLocations) {
      const object = locations.objectOf(location);
      if (counts.get(object) <= maxDistinct) continue;
      const offsets = locations.offsetsOf(location);
      rows.set(object, widened(rows.get(object) ?? offsets, offsets));
    }
    for (const location of set.items()) counts.set(locations.objectOf(location), 0);
    if (rows.size === 0) return;
    const rowOf = new Map(Array.from(rows, ([object, row]) => [object, locations.at(object, row)]));
    for (const row of rowOf.values()) set.add(row);
    this.#keep(root, (location) => {
      if (this.#isImplied(location, set)) return false;
      const row = rowOf.get(locations.objectOf(location));
      return row === undefined ? !locations.isCovered(location, set) : row === location;
    });
  }

  /** The unknown location includes all escaped objects. */
  #isImplied(location: LocationId, set: IntSet<LocationId>): boolean {
    return this.#escaped.has(this.locations.objectOf(location)) && set.has(this.unknownLocation);
  }

  /** Keeps some locations of a node; those already passed on stay first. */
  #keep(root: PointerId, isKept: (location: LocationId) => boolean): void {
    const kept = new IntSet<LocationId>();
    const passed = this.#passed.get(root);
    let keptPassed = 0;
    for (const [at, location] of this.#setOf(root).items().entries())
      if (isKept(location)) {
        kept.append(location);
        if (at < passed) keptPassed++;
      }
    this.#sets.set(root, kept);
    this.#passed.set(root, keptPassed);
  }

  /** Merges the nodes of each cycle, which have the same targets. */
  #collapseCycles(): void {
    const next: (readonly PointerId[])[] = [];
    for (const node of idsBelow<PointerId>(this.#parent.length)) {
      const targets = this.#parent.get(node) === node ? this.#next.get(node) : undefined;
      next.push(targets === undefined ? noNodes : Array.from(targets.items(), (to) => this.#find(to)));
    }
    const cycles = components(next);
    this.#ranks = IntTable.of(next.length, 0);
    for (const [rank, cycle] of cycles.entries()) {
      if (cycle.length > 1) this.#merge(cycle);
      for (const node of cycle) this.#ranks.set(node, rank);
    }
  }

  #merge(cycle: readonly PointerId[]): void {
    const [root] = cycle;
    if (root === undefined) return;
    for (const node of cycle) {
      if (node === root) continue;
      this.#parent.set(node, root);
      this.#appendRules(root, node);
    }
    const next = new IntSet<PointerId>();
    const set = new IntSet<LocationId>();
    const idle: IdleStore[] = [];
    for (const node of cycle) {
      for (const to of this.#next.get(node)?.items() ?? noNodes) {
        const target = this.#find(to);
        if (target !== root) next.add(target);
      }
      for (const location of this.#sets.get(node)?.items() ?? noLocations) set.add(location);
      idle.push(...(this.#idleStores.get(node) ?? []));
      this.#idleStores.delete(node);
      if (node !== root) {
        this.#next.set(node, undefined);
        this.#sets.set(node, undefined);
      }
    }
    this.#next.set(root, next);
    this.#sets.set(root, set);
    // Each rule has seen only the targets of its own node.
    this.#passed.set(root, 0);
    if (idle.length > 0) this.#idleStores.set(root, idle);
    if (set.size > 0) {
      this.#activateStores(root);
      this.#enqueue(root);
    }
  }

  #appendRules(root: PointerId, node: PointerId): void {
    const first = this.#firstRule.get(node);
    if (first === noRule) return;
    let last = first;
    while (this.#nextRule.get(last) !== noRule) last = this.#nextRule.get(last);
    this.#nextRule.set(last, this.#firstRule.get(root));
    this.#firstRule.set(root, first);
    this.#firstRule.set(node, noRule);
  }
}

/** The form in the tables: -1 for an unlimited byte count. */
function limited(bytes: number): number {
  return bytes < 1 << 30 ? bytes : -1;
}

const noLocations: Ints<LocationId> = ints(new Int32Array(0));
const noNodes: readonly PointerId[] = [];

/** Edges that must be added before the next search for cycles. */
const minNewEdges = 20_000;
