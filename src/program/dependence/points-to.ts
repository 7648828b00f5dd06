/**
 * What pointers may point to, in the whole program at once: whatever flows from one place to another takes what it
 * points to along. Places are nodes: registers, parameters, results, and the cells of memory objects.
 *
 * Andersen: Program Analysis and Specialization for the C Programming Language, chapter 4, with byte offsets as in
 * Pearce, Kelly, Hankin: Efficient Field-Sensitive Pointer Analysis of C; for code outside the program one object
 * stands for everything that was ever given to it.
 */

import { components, IntList, IntSet } from '../graph/index.js';
import { Contents } from './contents.js';
import type { Locations } from './objects.js';
import { anywhere, movedBy, type Offsets, start, unbounded, widened } from './offsets.js';

/** How far an address is moved. */
export interface Move {
  readonly by: Offsets;
  /** Steps go both ways, as far as the object goes. */
  readonly isFree: boolean;
}

const rule = { load: 0, store: 1, move: 2, transferFrom: 3, transferTo: 4, call: 5 } as const;

/** Locations of one object in one set that are kept apart; more of them are taken for an even row of offsets. */
const mostApart = 16;

export class PointsTo {
  readonly contents: Contents;
  /** All that gets here can be reached from outside. */
  readonly escapes: number;
  /** Where what is outside is: nowhere in particular. */
  readonly unknownLocation: number;
  readonly #parent = new IntList(1024);
  readonly #sets: (IntSet | undefined)[] = [];
  /** How many of its locations a node has already passed on. */
  readonly #passed = new IntList(1024);
  readonly #next: (IntSet | undefined)[] = [];
  /** The rules of a node are a list in the tables below. */
  readonly #firstRule = new IntList(1024);
  readonly #ruleKind = new IntList();
  readonly #ruleDetail = new IntList();
  readonly #ruleOther = new IntList();
  readonly #nextRule = new IntList();
  readonly #moves: Move[] = [];
  readonly #calls: ((object: number) => void)[] = [];
  readonly #onEscape: ((object: number) => void)[] = [];
  readonly #escaped = new Set<number>();
  readonly #queue: number[] = [];
  readonly #isQueued: boolean[] = [];
  /** Stores of what points nowhere yet, by the node of the value. */
  readonly #idleStores = new Map<number, number[]>();
  #edges = 0;
  /** How many locations of each object are in the set at hand; all 0 in between. */
  #counts = new Int32Array(0);
  /** Nodes that others get something from have the higher ones; those that were made later have none. */
  #ranks = new Int32Array(0);

  constructor(
    readonly locations: Locations,
    /** The object that stands for what is outside. */
    private readonly unknown: number,
  ) {
    this.escapes = this.newNode();
    this.unknownLocation = locations.at(unknown, anywhere);
    this.contents = new Contents(locations, this);
  }

  newNode(): number {
    return this.newNodes(1);
  }

  /** @returns the first of them */
  newNodes(count: number): number {
    const first = this.#parent.length;
    for (let at = 0; at < count; at++) {
      this.#parent.push(first + at);
      this.#passed.push(0);
      this.#firstRule.push(-1);
      this.#sets.push(undefined);
      this.#next.push(undefined);
      this.#isQueued.push(false);
    }
    return first;
  }

  get nodeCount(): number {
    return this.#parent.length;
  }

  point(node: number, location: number): void {
    const at = this.#find(node);
    const set = this.#setOf(at);
    if (set.has(location) || this.locations.isCovered(location, set)) return;
    if (this.#isImplied(location, set)) return;
    set.append(location);
    if (set.size === 1) this.#wake(at);
    if (location === this.unknownLocation)
      this.#keep(at, (one) => !this.#escaped.has(this.locations.objectOf(one)));
    else if (set.size > mostApart && (set.size & (set.size - 1)) === 0) this.#thin(at);
    this.#enqueue(at);
  }

  copy(from: number, to: number): void {
    const [source, target] = [this.#find(from), this.#find(to)];
    if (source === target) return;
    let next = this.#next[source];
    if (next === undefined) {
      next = new IntSet();
      this.#next[source] = next;
    }
    if (!next.add(target)) return;
    this.#edges++;
    const passed = this.#passed.at(source);
    if (passed > 0) this.#passOn(this.#setOf(source).items().slice(0, passed), target);
  }

  /** @param to gets what `from` points to, moved */
  move(from: number, move: Move, to: number): void {
    if (move.by.step === 0 && move.by.first === 0) this.copy(from, to);
    else this.#addRule(from, rule.move, this.#moves.push(move) - 1, to);
  }

  load(pointer: number, bytes: number, to: number): void {
    this.#addRule(pointer, rule.load, limited(bytes), to);
  }

  store(pointer: number, bytes: number, value: number): void {
    const at = this.#find(value);
    if ((this.#sets[at]?.size ?? 0) > 0) this.#addRule(pointer, rule.store, limited(bytes), value);
    else {
      // Most stored values never point anywhere; those have no part in this.
      const idle = this.#idleStores.get(at) ?? [];
      idle.push(pointer, limited(bytes), value);
      this.#idleStores.set(at, idle);
    }
  }

  /** Memory behind one pointer is copied to that behind another. @param buffer an object only this is carried in */
  transfer(to: number, from: number, bytes: number, buffer: number): void {
    this.#addRule(from, rule.transferFrom, limited(bytes), buffer);
    this.#addRule(to, rule.transferTo, limited(bytes), buffer);
  }

  /** Is told of every function, and of the unknown, that the node may point to. */
  whenCalled(node: number, call: (object: number) => void): void {
    this.#addRule(node, rule.call, this.#calls.push(call) - 1, 0);
  }

  whenEscaped(escaped: (object: number) => void): void {
    this.#onEscape.push(escaped);
  }

  isEscaped(object: number): boolean {
    return this.#escaped.has(object);
  }

  get escaped(): ReadonlySet<number> {
    return this.#escaped;
  }

  /** What an object holds from the start. */
  hold(object: number, offsets: Offsets, bytes: number, node: number): void {
    const writer = this.contents.writer(object, offsets, bytes);
    if (writer !== undefined) this.copy(node, writer);
  }

  /** Until nothing is new: in waves, each from where things come from to where they go. */
  solve(): void {
    let collapsedAt = 0;
    while (this.#queue.length > 0) {
      if (this.#edges > collapsedAt * 1.5 + fewEdges) {
        this.#collapseCircles();
        collapsedAt = this.#edges;
      }
      const wave = Int32Array.from(this.#queue).sort((a, b) => this.#rankOf(b) - this.#rankOf(a));
      this.#queue.length = 0;
      for (const node of wave) {
        this.#isQueued[node] = false;
        if (this.#parent.at(node) === node) this.#process(node);
      }
    }
  }

  #rankOf(node: number): number {
    return this.#ranks[node] ?? -1;
  }

  /** The locations a node may point to; not to be changed. */
  targets(node: number): Int32Array {
    return this.#sets[this.#find(node)]?.items() ?? none;
  }

  /** Every object that can be got at from what a node points to, those it points to among them. */
  reachable(node: number): ReadonlySet<number> {
    const found = new Set<number>();
    const left: number[] = [node];
    for (let at = left.pop(); at !== undefined; at = left.pop())
      for (const location of this.targets(at)) {
        const object = this.locations.objectOf(location);
        if (found.has(object)) continue;
        found.add(object);
        for (const writer of this.contents.writers(object)) left.push(writer.node);
      }
    return found;
  }

  #find(node: number): number {
    let root = node;
    while (this.#parent.at(root) !== root) root = this.#parent.at(root);
    for (let at = node; at !== root; ) {
      const above = this.#parent.at(at);
      this.#parent.set(at, root);
      at = above;
    }
    return root;
  }

  #setOf(root: number): IntSet {
    let set = this.#sets[root];
    if (set === undefined) {
      set = new IntSet();
      this.#sets[root] = set;
    }
    return set;
  }

  #enqueue(root: number): void {
    if (this.#isQueued[root]) return;
    this.#isQueued[root] = true;
    this.#queue.push(root);
  }

  #addRule(node: number, kind: number, detail: number, other: number): void {
    const root = this.#find(node);
    const added = this.#ruleKind.length;
    this.#ruleKind.push(kind);
    this.#ruleDetail.push(detail);
    this.#ruleOther.push(other);
    this.#nextRule.push(this.#firstRule.at(root));
    this.#firstRule.set(root, added);
    const passed = this.#passed.at(root);
    if (passed > 0) this.#apply(added, this.#setOf(root).items().slice(0, passed));
  }

  #wake(root: number): void {
    const idle = this.#idleStores.get(root);
    if (idle === undefined) return;
    this.#idleStores.delete(root);
    for (let at = 0; at < idle.length; at += 3)
      this.#addRule(idle[at] as number, rule.store, idle[at + 1] as number, idle[at + 2] as number);
  }

  #process(node: number): void {
    const set = this.#setOf(node);
    const fresh = set.items().slice(this.#passed.at(node));
    this.#passed.set(node, set.size);
    if (fresh.length === 0) return;
    if (node === this.#find(this.escapes)) this.#letEscape(fresh);
    for (let at = this.#firstRule.at(node); at !== -1; at = this.#nextRule.at(at)) this.#apply(at, fresh);
    const next = this.#next[node];
    if (next === undefined) return;
    for (let at = 0; at < next.size; at++) this.#passOn(fresh, next.at(at));
  }

  #passOn(locations: Int32Array, to: number): void {
    for (const location of locations) this.point(to, location);
  }

  #apply(index: number, fresh: Int32Array): void {
    const detail = this.#ruleDetail.at(index);
    const other = this.#ruleOther.at(index);
    const { locations, contents } = this;
    const kind = this.#ruleKind.at(index);
    for (const location of fresh) {
      const object = locations.objectOf(location);
      const offsets = locations.offsetsOf(location);
      const bytes = detail === -1 ? Number.POSITIVE_INFINITY : detail;
      if (kind === rule.load) {
        const reader = contents.reader(object, offsets, bytes);
        if (reader !== undefined) this.copy(reader, other);
      } else if (kind === rule.store) {
        const writer = contents.writer(object, offsets, bytes);
        if (writer !== undefined) this.copy(other, writer);
      } else if (kind === rule.move) {
        const { by, isFree } = this.#moves[detail] as Move;
        const moved = movedBy(offsets, by);
        this.point(other, locations.at(object, isFree ? unbounded(moved) : moved));
      } else if (kind === rule.transferFrom) contents.transfer(object, offsets, bytes, other, start);
      else if (kind === rule.transferTo) contents.transfer(other, start, bytes, object, offsets);
      else {
        const { kind: what } = locations.object(object);
        if (what === 'function' || what === 'unknown') this.#calls[detail]?.(object);
      }
    }
  }

  /** Whatever is in them can be got at as well, and may be overwritten with anything outside has. */
  #letEscape(fresh: Int32Array): void {
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

  /** A pointer that walks through an object would be many; from some number on they are taken for all of a row. */
  #thin(root: number): void {
    const set = this.#setOf(root);
    const { locations } = this;
    if (this.#counts.length < locations.objects.length)
      this.#counts = new Int32Array(locations.objects.length * 2);
    const counts = this.#counts;
    let most = 0;
    for (const location of set.items()) {
      const object = locations.objectOf(location);
      const count = (counts[object] as number) + 1;
      counts[object] = count;
      if (count > most) most = count;
    }
    const rows = new Map<number, Offsets>();
    for (const location of most > mostApart ? set.items() : none) {
      const object = locations.objectOf(location);
      if ((counts[object] as number) <= mostApart) continue;
      const offsets = locations.offsetsOf(location);
      rows.set(object, widened(rows.get(object) ?? offsets, offsets));
    }
    for (const location of set.items()) counts[locations.objectOf(location)] = 0;
    if (rows.size === 0) return;
    const rowOf = new Map(Array.from(rows, ([object, row]) => [object, locations.at(object, row)]));
    for (const row of rowOf.values()) set.add(row);
    this.#keep(root, (location) => {
      if (this.#isImplied(location, set)) return false;
      const row = rowOf.get(locations.objectOf(location));
      return row === undefined ? !locations.isCovered(location, set) : row === location;
    });
  }

  /** What is outside has everything that escaped to it. */
  #isImplied(location: number, set: IntSet): boolean {
    return this.#escaped.has(this.locations.objectOf(location)) && set.has(this.unknownLocation);
  }

  /** Drops the other locations of a node; those that were passed on stay before those that were not. */
  #keep(root: number, isKept: (location: number) => boolean): void {
    const kept = new IntSet();
    const passed = this.#passed.at(root);
    let keptPassed = 0;
    for (const [at, location] of this.#setOf(root).items().entries())
      if (isKept(location)) {
        kept.append(location);
        if (at < passed) keptPassed++;
      }
    this.#sets[root] = kept;
    this.#passed.set(root, keptPassed);
  }

  /** Nodes that all pass on to one another point to the same and are made one. */
  #collapseCircles(): void {
    const next: (readonly number[])[] = [];
    for (let node = 0; node < this.#parent.length; node++) {
      const targets = this.#parent.at(node) === node ? this.#next[node] : undefined;
      next.push(targets === undefined ? nobody : Array.from(targets.items(), (to) => this.#find(to)));
    }
    const found = components(next);
    this.#ranks = new Int32Array(next.length);
    for (const [rank, circle] of found.entries()) {
      if (circle.length > 1) this.#merge(circle);
      for (const node of circle) this.#ranks[node] = rank;
    }
  }

  #merge(circle: readonly number[]): void {
    const root = circle[0] as number;
    for (const node of circle) {
      if (node === root) continue;
      this.#parent.set(node, root);
      this.#appendRules(root, node);
    }
    const next = new IntSet();
    const set = new IntSet();
    const idle: number[] = [];
    for (const node of circle) {
      for (const to of this.#next[node]?.items() ?? none) {
        const target = this.#find(to);
        if (target !== root) next.add(target);
      }
      for (const location of this.#sets[node]?.items() ?? none) set.add(location);
      idle.push(...(this.#idleStores.get(node) ?? []));
      this.#idleStores.delete(node);
      if (node !== root) {
        this.#next[node] = undefined;
        this.#sets[node] = undefined;
      }
    }
    this.#next[root] = next;
    this.#sets[root] = set;
    // Each rule has seen only what its own node had.
    this.#passed.set(root, 0);
    if (idle.length > 0) this.#idleStores.set(root, idle);
    if (set.size > 0) {
      this.#wake(root);
      this.#enqueue(root);
    }
  }

  #appendRules(root: number, node: number): void {
    const first = this.#firstRule.at(node);
    if (first === -1) return;
    let last = first;
    while (this.#nextRule.at(last) !== -1) last = this.#nextRule.at(last);
    this.#nextRule.set(last, this.#firstRule.at(root));
    this.#firstRule.set(root, first);
    this.#firstRule.set(node, -1);
  }
}

/** As it stands in the tables: -1 for bytes without end. */
function limited(bytes: number): number {
  return bytes < 1 << 30 ? bytes : -1;
}

const none = new Int32Array(0);
const nobody: readonly number[] = [];

/** Circles are not looked for before there are this many connections more. */
const fewEdges = 20_000;
