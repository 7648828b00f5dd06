/** Edges between functions: from calls to callees and back. */

import { type FunctionId, type LocalNodeId, lastAtOrBefore, type ReadonlyTable } from '../../graph/index.js';
import { actualOf, type FunctionNodes, formalsOf, type NumberedCall, type Numbering } from '../numbering.js';

export interface LocalNode {
  readonly fn: FunctionId;
  readonly node: LocalNodeId;
}

/** Backward: to the nodes a node depends on. Forward: to the nodes that depend on it. */
export type Direction = 'backward' | 'forward';

const none: readonly LocalNode[] = [];

export class CallBoundary {
  readonly #siteAt: ReadonlyTable<FunctionId, ReadonlyMap<LocalNodeId, NumberedCall>>;

  constructor(private readonly numbering: Numbering) {
    this.#siteAt = numbering.functions.map(({ sites }) => new Map(sites.map((site) => [site.call.at, site])));
  }

  siteOf(fn: FunctionId, node: LocalNodeId): NumberedCall | undefined {
    const { entry, sites, firstOut, outs, count } = this.#nodes(fn);
    if (node < entry) return this.#siteAt.get(fn).get(node);
    if (node < firstOut + outs.length || node >= count) return undefined;
    return sites[lastAtOrBefore(sites.length, (at) => sites[at]?.firstArgument ?? node, node)];
  }

  /** Does a value pass through this node from the callers, or to them? */
  isExit(fn: FunctionId, node: LocalNodeId, direction: Direction): boolean {
    const { entry, result, firstOut, outs } = this.#nodes(fn);
    if (node < entry || node >= firstOut + outs.length) return false;
    const isOut = node === result || node >= firstOut;
    return isOut === (direction === 'forward');
  }

  inCallers(fn: FunctionId, node: LocalNodeId, direction: Direction): readonly LocalNode[] {
    if (!this.isExit(fn, node, direction)) return none;
    const actuals: LocalNode[] = [];
    for (const site of this.numbering.callers.get(fn)) {
      const actual = this.actual(site, fn, node);
      if (actual !== undefined) actuals.push({ fn: site.caller, node: actual });
    }
    return actuals;
  }

  actual(site: NumberedCall, fn: FunctionId, node: LocalNodeId): LocalNodeId | undefined {
    const callee = site.callees.find(({ id }) => id === fn);
    return callee === undefined ? undefined : actualOf(site, this.#nodes(fn), callee.passes, node);
  }

  inCallees(fn: FunctionId, node: LocalNodeId, direction: Direction): readonly LocalNode[] {
    const nodes = this.#nodes(fn);
    if (node >= nodes.count || (node < nodes.entry && direction === 'backward')) return none;
    const site = this.siteOf(fn, node);
    if (site === undefined) return none;
    const isResult = node === site.result || node >= site.firstOut;
    if (isResult !== (direction === 'backward')) return none;
    const formals: LocalNode[] = [];
    for (const { id, passes } of site.callees)
      for (const formal of formalsOf(site, this.#nodes(id), passes, node))
        formals.push({ fn: id, node: formal });
    return formals;
  }

  #nodes(fn: FunctionId): FunctionNodes {
    return this.numbering.functions.get(fn);
  }
}
