/**
 * Slices that do not enter a function through one call and leave it through another: first up to the callers, with
 * calls stepped over by summaries of what flows through them, then down into the called.
 *
 * Horwitz, Reps, Binkley: Interprocedural Slicing Using Dependence Graphs; summaries are worked out when a slice
 * needs them, as in Reps, Horwitz, Sagiv: Precise Interprocedural Dataflow Analysis via Graph Reachability.
 */

import type { Border, Direction, Local } from './border.js';
import type { FunctionGraph } from './function-graph.js';
import { IntSet } from './int-set.js';
import type { Site } from './numbering.js';

/** What flows through a function to one of its ways out, or from one of its ways in. */
interface Through {
  readonly fn: number;
  readonly reached: IntSet;
  /** How many of those reached were gone on from. */
  done: number;
  isWaiting: boolean;
  /** Of those reached, where the function can be left. */
  readonly exits: number[];
  /** Who wants to know, and by way of which call. */
  readonly askers: { readonly who: Through; readonly site: Site }[];
}

/** Steps that are remembered for summaries, in all; with more of them slices would cost too much memory. */
const mostSteps = 6_000_000;

/** For each function its nodes, 1 for those in the slice; undefined for functions that have none in it. */
export type Marks = readonly (Uint8Array | undefined)[];

export class Slicer {
  readonly #summaries: Map<number, Through>[] = [];
  readonly #work: Through[] = [];
  #steps = 0;

  constructor(
    private readonly border: Border,
    private readonly graphOf: (fn: number) => FunctionGraph,
    private readonly direction: Direction,
    private readonly limit = mostSteps,
  ) {}

  /** True once summaries would have taken too much: slices then mix up the calls of a function. */
  get isCoarse(): boolean {
    return this.#steps > this.limit;
  }

  slice(from: readonly Local[]): Marks {
    const walk = new Walk(this.border, this.graphOf, this.direction);
    const below: Local[] = [];
    const stepOver = (fn: number, node: number): void => {
      for (const next of this.border.inward(fn, node, this.direction)) {
        below.push(next);
        for (const after of this.#afterCall(fn, node, next)) walk.reach(fn, after);
      }
    };
    for (const { fn, node } of from) walk.reach(fn, node);
    // First upwards; what was reached there leads to everything it could lead to afterwards.
    walk.run((fn, node) => {
      if (this.isCoarse) return;
      stepOver(fn, node);
      for (const next of this.border.outward(fn, node, this.direction)) walk.reach(next.fn, next.node);
    });
    for (let next = below.pop(); next !== undefined && !this.isCoarse; next = below.pop()) {
      walk.reach(next.fn, next.node);
      walk.run(stepOver);
    }
    return this.isCoarse ? this.#sliceMixing(from) : walk.marks;
  }

  /** Over every connection, whatever call it belongs to. */
  #sliceMixing(from: readonly Local[]): Marks {
    const walk = new Walk(this.border, this.graphOf, this.direction);
    for (const { fn, node } of from) walk.reach(fn, node);
    walk.run((fn, node) => {
      for (const next of this.border.outward(fn, node, this.direction)) walk.reach(next.fn, next.node);
      for (const next of this.border.inward(fn, node, this.direction)) walk.reach(next.fn, next.node);
    });
    return walk.marks;
  }

  /** Nodes of a call that what goes into the called at one of them comes out at again. */
  #afterCall(fn: number, node: number, next: Local): readonly number[] {
    const site = this.border.siteOf(fn, node);
    // What runs before `main` is not called by it.
    if (site === undefined || this.isCoarse) return [];
    const through = this.#through(next);
    this.#workOut();
    return through.exits.flatMap((exit) => this.border.actual(site, next.fn, exit) ?? []);
  }

  #through({ fn, node }: Local): Through {
    let ofFunction = this.#summaries[fn];
    if (ofFunction === undefined) {
      ofFunction = new Map();
      this.#summaries[fn] = ofFunction;
    }
    let through = ofFunction.get(node);
    if (through === undefined) {
      through = { fn, reached: new IntSet(), done: 0, isWaiting: false, exits: [], askers: [] };
      ofFunction.set(node, through);
      this.#reach(through, node);
    }
    return through;
  }

  #reach(through: Through, node: number): void {
    if (!through.reached.add(node)) return;
    this.#steps++;
    if (through.isWaiting) return;
    through.isWaiting = true;
    this.#work.push(through);
  }

  #workOut(): void {
    for (let through = this.#work.pop(); through !== undefined; through = this.#work.pop()) {
      through.isWaiting = false;
      const neighbours = this.border.neighbours(this.graphOf(through.fn), this.direction);
      while (through.done < through.reached.size) {
        if (this.isCoarse) {
          // Nothing that was worked out by half may be used.
          this.#work.length = 0;
          this.#summaries.length = 0;
          return;
        }
        const node = through.reached.at(through.done++);
        for (const edge of neighbours.of(node)) if (through.reached.add(edge >> 1)) this.#steps++;
        if (this.border.isWayOut(through.fn, node, this.direction)) this.#leave(through, node);
        for (const next of this.border.inward(through.fn, node, this.direction))
          this.#stepOver(through, node, next);
      }
    }
  }

  #leave(through: Through, node: number): void {
    through.exits.push(node);
    for (const { who, site } of through.askers) {
      const actual = this.border.actual(site, through.fn, node);
      if (actual !== undefined) this.#reach(who, actual);
    }
  }

  #stepOver(through: Through, node: number, next: Local): void {
    const site = this.border.siteOf(through.fn, node);
    if (site === undefined) return;
    const called = this.#through(next);
    called.askers.push({ who: through, site });
    for (const exit of called.exits) {
      const actual = this.border.actual(site, next.fn, exit);
      if (actual !== undefined) this.#reach(through, actual);
    }
  }
}

/** Goes over the dependences inside functions, and wherever else it is told to. */
class Walk {
  readonly marks: (Uint8Array | undefined)[] = [];
  readonly #fns: number[] = [];
  readonly #nodes: number[] = [];

  constructor(
    private readonly border: Border,
    private readonly graphOf: (fn: number) => FunctionGraph,
    private readonly direction: Direction,
  ) {}

  reach(fn: number, node: number): void {
    let marks = this.marks[fn];
    if (marks === undefined) {
      marks = new Uint8Array(this.graphOf(fn).count);
      this.marks[fn] = marks;
    }
    if (marks[node] === 1) return;
    marks[node] = 1;
    this.#fns.push(fn);
    this.#nodes.push(node);
  }

  /** @param goFurther is told of every node once */
  run(goFurther: (fn: number, node: number) => void): void {
    for (let fn = this.#fns.pop(); fn !== undefined; fn = this.#fns.pop()) {
      const node = this.#nodes.pop() as number;
      for (const edge of this.border.neighbours(this.graphOf(fn), this.direction).of(node))
        this.reach(fn, edge >> 1);
      goFurther(fn, node);
    }
  }
}
