/** How dependences get from one function to another, in either direction. */

import type { Adjacency } from './edges.js';
import type { FunctionGraph } from './function-graph.js';
import { actualOf, formalsOf, type Nodes, type Numbering, type Site } from './numbering.js';

/** A node of a function, numbered inside it. */
export interface Local {
  readonly fn: number;
  readonly node: number;
}

/** Against the flow of values, to what a node depends on, or along with it, to what depends on the node. */
export type Direction = 'backward' | 'forward';

const none: readonly Local[] = [];

export class Border {
  readonly #siteAt: Map<number, Site>[];

  /** @param startsBefore functions that run before `main`, which sees what they have written */
  constructor(
    private readonly numbering: Numbering,
    private readonly main: number | undefined,
    private readonly startsBefore: readonly number[],
  ) {
    this.#siteAt = numbering.functions.map(({ sites }) => new Map(sites.map((site) => [site.call.at, site])));
  }

  neighbours(graph: FunctionGraph, direction: Direction): Adjacency {
    return direction === 'backward' ? graph.onto : graph.back;
  }

  /** The call a node belongs to; undefined for one that does not belong to any. */
  siteOf(fn: number, node: number): Site | undefined {
    const { entry, sites, firstOut, outs, count } = this.#nodes(fn);
    if (node < entry) return this.#siteAt[fn]?.get(node);
    if (node < firstOut + outs.length || node >= count) return undefined;
    let [low, high] = [0, sites.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((sites[middle] as Site).firstArgument <= node) low = middle;
      else high = middle - 1;
    }
    return sites[low];
  }

  /** Does a value get through this node from the callers, or to them? */
  isWayOut(fn: number, node: number, direction: Direction): boolean {
    const { entry, result, firstOut, outs } = this.#nodes(fn);
    if (node < entry || node >= firstOut + outs.length) return false;
    const isOut = node === result || node >= firstOut;
    return isOut === (direction === 'forward');
  }

  /** What it is connected to in the callers. */
  outward(fn: number, node: number, direction: Direction): readonly Local[] {
    if (!this.isWayOut(fn, node, direction)) return none;
    const found: Local[] = [];
    for (const site of this.numbering.callers[fn] ?? []) {
      const actual = this.actual(site, fn, node);
      if (actual !== undefined) found.push({ fn: site.caller, node: actual });
    }
    if (direction === 'forward' && this.main !== undefined && this.startsBefore.includes(fn)) {
      const { outs, firstOut } = this.#nodes(fn);
      const { ins, firstIn } = this.#nodes(this.main);
      const place = node < firstOut ? -1 : ins.indexOf(outs[node - firstOut] ?? -1);
      if (place !== -1) found.push({ fn: this.main, node: firstIn + place });
    }
    return found;
  }

  /** The call's node for one of a function it calls. */
  actual(site: Site, fn: number, node: number): number | undefined {
    const callee = site.callees.find(({ id }) => id === fn);
    return callee === undefined ? undefined : actualOf(site, this.#nodes(fn), callee.passes, node);
  }

  /** What it is connected to in the functions it calls. */
  inward(fn: number, node: number, direction: Direction): readonly Local[] {
    const nodes = this.#nodes(fn);
    if (node >= nodes.count || (node < nodes.entry && direction === 'backward')) return none;
    const site = this.siteOf(fn, node);
    if (site === undefined)
      return direction === 'backward' && fn === this.main ? this.#beforeMain(node) : none;
    const isResult = node === site.result || node >= site.firstOut;
    if (isResult !== (direction === 'backward')) return none;
    const found: Local[] = [];
    for (const { id, passes } of site.callees)
      for (const formal of formalsOf(site, this.#nodes(id), passes, node))
        found.push({ fn: id, node: formal });
    return found;
  }

  /** Where what `main` finds in memory was written before it. */
  #beforeMain(node: number): readonly Local[] {
    const { firstIn, ins } = this.#nodes(this.main as number);
    const variable = ins[node - firstIn];
    if (variable === undefined) return none;
    return this.startsBefore.flatMap((fn) => {
      const { outs, firstOut } = this.#nodes(fn);
      const place = outs.indexOf(variable);
      return place === -1 ? [] : [{ fn, node: firstOut + place }];
    });
  }

  #nodes(fn: number): Nodes {
    return this.numbering.functions[fn] as Nodes;
  }
}
