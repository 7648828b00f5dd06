/**
 * Slices of many starts at once: the same as `slice` of each, but what they have in common is gone over once.
 *
 * The three parts of a slice, up to the callers, over to what runs before or after, down into the called, are three
 * copies of the graph here, with edges from one to the next. Circles in it are drawn together, and what begins where is
 * handed on through the rest, many starts at a time.
 */

import {
  type Condensation,
  condensed,
  type FunctionId,
  type IntList,
  idOf,
  type LocalNodeId,
  lastAtOrBefore,
  type NextNodes,
  type ReadonlyTable,
  spread,
} from '../graph/index.js';
import type { Direction, Local } from './border.js';
import { type Adjacency, endOf } from './edges.js';
import type { SliceContext } from './slicer.js';
import type { Moment } from './succession.js';

/** Told of each node that is in some slices: 32 of them at a time, a bit each. */
export type TakeSlices = (fn: FunctionId, node: LocalNodeId, place: number, slices: number) => void;

/** Words of 32 starts that are handed on at once. */
const wordsAtOnce = 8;

/**
 * @param told for each function how many of its first nodes are told of
 * @param onStart told how many slices are done
 */
export function manySlices(
  starts: readonly (readonly Local[])[],
  direction: Direction,
  context: SliceContext,
  told: ReadonlyTable<FunctionId, number>,
  take: TakeSlices,
  onStart: (done: number) => void,
): void {
  onStart(0);
  const graph = new SliceGraph(direction, context, told.length);
  const all = new Set(starts.flatMap((some) => some.map((start) => graph.nodeOf('up', start))));
  const whole = condensed(graph.count, all, graph.next);
  for (let from = 0; from < starts.length; from += 32 * wordsAtOnce) {
    onStart(from);
    const some = starts.slice(from, from + 32 * wordsAtOnce);
    const words = (some.length + 31) >>> 5;
    const marks = new Int32Array(whole.count * words);
    for (const [at, locals] of some.entries())
      for (const start of locals) {
        const place = componentAt(whole, graph.nodeOf('up', start)) * words + (at >>> 5);
        marks[place] = (marks[place] ?? 0) | (1 << (at & 31));
      }
    spread(whole, marks, words);
    const slicesAt = (fn: FunctionId, node: LocalNodeId, word: number): number => {
      let slices = 0;
      for (const part of parts) {
        const component = componentAt(whole, graph.nodeOf(part, { fn, node }));
        if (component !== -1) slices |= marks[component * words + word] ?? 0;
      }
      return slices;
    };
    for (const [fn, count] of told.entries())
      for (let at = 0; at < count; at++)
        for (let word = 0; word < words; word++) {
          const slices = slicesAt(fn, idOf(at), word);
          if (slices !== 0) take(fn, idOf(at), (from >>> 5) + word, slices);
        }
  }
}

function componentAt({ componentOf }: Condensation, node: number): number {
  return componentOf[node] ?? -1;
}

const parts = ['up', 'beside', 'below'] as const;
type Part = (typeof parts)[number];

/** Of the numbers of nodes in all three copies. */
class SliceGraph {
  /** For each function where its nodes begin, and at the end how many there are. */
  readonly #base: Int32Array;
  readonly #total: number;
  readonly #isAtEnd: Uint8Array;
  readonly #moments: readonly Moment[];
  readonly #numberOf = new Map<Moment, number>();
  /** Functions that are connected to what runs before or after them. */
  readonly #isInTime: Uint8Array;
  readonly count: number;

  constructor(
    private readonly direction: Direction,
    private readonly context: SliceContext,
    private readonly functions: number,
  ) {
    const { succession, through, graphOf } = context;
    this.#base = new Int32Array(functions + 1);
    this.#isAtEnd = new Uint8Array(functions);
    this.#isInTime = new Uint8Array(functions);
    for (let at = 0; at < functions; at++) {
      const fn = idOf<FunctionId>(at);
      const graph = graphOf(fn);
      this.#base[at + 1] = (this.#base[at] ?? 0) + (through?.of(fn).count ?? graph.count);
      if (succession.isAtEnd(fn)) this.#isAtEnd[at] = 1;
      for (let node = 0; node < graph.count; node++)
        for (const moment of succession.moments(fn, idOf(node), direction)) {
          this.#isInTime[at] = 1;
          if (!this.#numberOf.has(moment)) this.#numberOf.set(moment, this.#numberOf.size);
        }
    }
    this.#total = this.#base[functions] ?? 0;
    this.#moments = [...this.#numberOf.keys()];
    this.count = parts.length * (this.#total + this.#moments.length);
  }

  nodeOf(part: Part, { fn, node }: Local): number {
    return parts.indexOf(part) * this.#total + (this.#base[fn] ?? 0) + node;
  }

  readonly next: NextNodes = (at, into) => {
    const inCopies = parts.length * this.#total;
    if (at >= inCopies) {
      this.#nextOfMoment(at - inCopies, into);
      return;
    }
    const copy = Math.floor(at / this.#total);
    const first = copy * this.#total;
    const fn = this.#functionAt(at - first);
    const base = first + (this.#base[fn] ?? 0);
    this.#nextInside(fn, idOf(at - base), base, into);
    this.#nextOutside(parts[copy] ?? 'up', fn, idOf(at - base), into);
  };

  #functionAt(place: number): FunctionId {
    return lastAtOrBefore(this.functions, (fn: FunctionId) => this.#base[fn] ?? 0, place);
  }

  #nextInside(fn: FunctionId, node: LocalNodeId, base: number, into: IntList): void {
    const way = this.direction === 'backward' ? 'onto' : 'back';
    const { through, graphOf } = this.context;
    if (through !== undefined) addAll(through.of(fn)[way], node, base, into);
    const graph = graphOf(fn);
    if (node < graph.count) addAll(graph[way], node, base, into);
  }

  /** As the three parts of `slice` go further; where calls are mixed up the first does all of it. */
  #nextOutside(part: Part, fn: FunctionId, node: LocalNodeId, into: IntList): void {
    const { border, through, graphOf } = this.context;
    if (node >= graphOf(fn).count) return;
    const isMixed = through === undefined;
    if (part === 'up')
      for (const next of border.outward(fn, node, this.direction)) into.push(this.nodeOf('up', next));
    for (const next of border.inward(fn, node, this.direction))
      into.push(this.nodeOf(isMixed ? 'up' : 'below', next));
    if (this.#isInTime[fn] === 0 || (part === 'below' && this.#isAtEnd[fn] === 0)) return;
    for (const moment of this.context.succession.moments(fn, node, this.direction))
      into.push(
        parts.length * this.#total +
          parts.indexOf(part) * this.#moments.length +
          (this.#numberOf.get(moment) ?? 0),
      );
  }

  #nextOfMoment(at: number, into: IntList): void {
    const part = parts[Math.floor(at / this.#moments.length)] ?? 'up';
    const moment = this.#moments[at % this.#moments.length];
    if (moment === undefined) return;
    const isMixed = this.context.through === undefined;
    for (const next of this.context.succession.at(moment, this.direction)) {
      const isAtEnd = this.#isAtEnd[next.fn] === 1;
      if (part === 'below' && !isAtEnd) continue;
      const to = part === 'up' && !isAtEnd && !isMixed ? 'beside' : part;
      into.push(this.nodeOf(to, next));
    }
  }
}

function addAll(adjacency: Adjacency, node: LocalNodeId, base: number, into: IntList): void {
  const end = adjacency.end(node);
  for (let at = adjacency.start(node); at < end; at++) into.push(base + endOf(adjacency.item(at)));
}
