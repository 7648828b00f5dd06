/**
 * Numbers for everything dependences go between: instructions, and what stands for values at the borders of functions.
 *
 * A function has a node for its entry, its parameters, its result, and for each variable that comes in from its
 * callers or goes out to them; a call has the same on its side. Reps, Horwitz and Binkley call them formal and actual
 * parameters.
 */

import type { Call } from './outline.js';
import type { ProgramMemory } from './program-memory.js';
import { calledBy, type Summary } from './summaries.js';

/** A call of functions of the program, with its nodes numbered inside the caller. */
export interface Site {
  readonly call: Call;
  readonly caller: number;
  /** Who is called, and which of the call's arguments each parameter gets if it is not the one in its place. */
  readonly callees: readonly { readonly id: number; readonly passes: readonly number[] | undefined }[];
  readonly firstArgument: number;
  readonly result: number;
  readonly firstIn: number;
  /** The variables the called may read. */
  readonly ins: Int32Array;
  readonly firstOut: number;
  /** The variables the called may write. */
  readonly outs: Int32Array;
  /** After the last of its nodes. */
  readonly end: number;
}

/** The nodes of a function, numbered inside it; its instructions come first. */
export interface Nodes {
  readonly entry: number;
  readonly firstParameter: number;
  readonly parameters: number;
  readonly result: number;
  readonly firstIn: number;
  readonly ins: Int32Array;
  readonly firstOut: number;
  readonly outs: Int32Array;
  readonly sites: readonly Site[];
  /** All but those that only join the ways values come by, which are numbered when they are made. */
  readonly count: number;
}

export class Numbering {
  readonly instructions: number;
  readonly functions: readonly Nodes[];
  /** For each function the calls of it. */
  readonly callers: readonly (readonly Site[])[];
  readonly #siteOfCall = new Map<Call, Site>();

  constructor(
    private readonly memory: ProgramMemory,
    private readonly summaries: readonly Summary[],
  ) {
    const last = memory.outlines.at(-1);
    this.instructions = last === undefined ? 0 : last.first + last.instructions;
    const shared = new Map<string, { readonly ins: Int32Array; readonly outs: Int32Array }>();
    this.functions = memory.outlines.map(({ fn }) => this.#number(fn.id, shared));
    const callers: Site[][] = memory.outlines.map(() => []);
    for (const { sites } of this.functions)
      for (const site of sites) for (const { id } of site.callees) callers[id]?.push(site);
    this.callers = callers;
  }

  /** Undefined for a call that gets to no function of the program. */
  site(call: Call): Site | undefined {
    return this.#siteOfCall.get(call);
  }

  #number(id: number, shared: Map<string, { readonly ins: Int32Array; readonly outs: Int32Array }>): Nodes {
    const { instructions, calls } = this.memory.outlines[id] as ProgramMemory['outlines'][number];
    const parameters = this.memory.slots[id]?.parameters ?? 0;
    const { reads, writes } = this.summaries[id] as Summary;
    const firstParameter = instructions + 1;
    const result = firstParameter + parameters;
    const firstIn = result + 1;
    const firstOut = firstIn + reads.length;
    let at = firstOut + writes.length;
    const sites: Site[] = [];
    for (const call of calls) {
      const called = calledBy(call, this.memory);
      const atEnd = call.runsAtEnd.filter((callee) => !called.includes(callee));
      if (called.length + atEnd.length === 0) continue;
      const { ins } = this.#variablesOf([...called, ...atEnd], shared);
      // What runs at the end leaves nothing to what comes after the call, for that never does.
      const { outs } = this.#variablesOf(called, shared);
      const firstArgument = at;
      const resultAt = firstArgument + call.arguments.length;
      const firstInAt = resultAt + 1;
      const firstOutAt = firstInAt + ins.length;
      at = firstOutAt + outs.length;
      const site = {
        call,
        caller: id,
        callees: [...called, ...atEnd].map((callee) => ({
          id: callee,
          passes: call.callees.has(callee) ? call.callees.get(callee) : fromNowhere,
        })),
        firstArgument,
        result: resultAt,
        firstIn: firstInAt,
        ins,
        firstOut: firstOutAt,
        outs,
        end: at,
      };
      sites.push(site);
      this.#siteOfCall.set(call, site);
    }
    return {
      entry: instructions,
      firstParameter,
      parameters,
      result,
      firstIn,
      ins: reads,
      firstOut,
      outs: writes,
      sites,
      count: at,
    };
  }

  /** One list for all calls of the same functions. */
  #variablesOf(
    called: readonly number[],
    shared: Map<string, { readonly ins: Int32Array; readonly outs: Int32Array }>,
  ): { readonly ins: Int32Array; readonly outs: Int32Array } {
    const [only, ...others] = called;
    const summary = only === undefined ? undefined : this.summaries[only];
    if (summary !== undefined && others.length === 0) return { ins: summary.reads, outs: summary.writes };
    const key = called.toSorted((a, b) => a - b).join(' ');
    let lists = shared.get(key);
    if (lists === undefined) {
      const all = called.map((id) => this.summaries[id] as Summary);
      lists = { ins: union(all.map(({ reads }) => reads)), outs: union(all.map(({ writes }) => writes)) };
      shared.set(key, lists);
    }
    return lists;
  }
}

const fromNowhere: readonly number[] = [];

function union(lists: readonly Int32Array[]): Int32Array {
  const all = new Set<number>();
  for (const list of lists) for (const item of list) all.add(item);
  return Int32Array.from(all).sort();
}

/** Where an item stands in a list in order; -1 if it does not. */
export function placeIn(list: Int32Array, item: number): number {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = list[middle] as number;
    if (found === item) return middle;
    if (found < item) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The call's node for what a callee gets or gives; undefined if the call has none. */
export function actualOf(
  site: Site,
  callee: Nodes,
  passes: readonly number[] | undefined,
  formal: number,
): number | undefined {
  if (formal === callee.entry) return site.call.at;
  if (formal < callee.result) {
    const parameter = formal - callee.firstParameter;
    const argument = passes === undefined ? parameter : (passes[parameter] ?? -1);
    return argument === -1 || argument >= site.call.arguments.length
      ? site.call.at
      : site.firstArgument + argument;
  }
  if (formal === callee.result) return site.result;
  const isIn = formal < callee.firstOut;
  const variable = isIn ? callee.ins[formal - callee.firstIn] : callee.outs[formal - callee.firstOut];
  const place = placeIn(isIn ? site.ins : site.outs, variable ?? -1);
  if (place === -1) return undefined;
  return (isIn ? site.firstIn : site.firstOut) + place;
}

/** The nodes of a callee for one of a call's; none if that has nothing to do with it. */
export function formalsOf(
  site: Site,
  callee: Nodes,
  passes: readonly number[] | undefined,
  actual: number,
): readonly number[] {
  if (actual === site.call.at) return fedByCall(site, callee, passes);
  if (actual < site.result) {
    const argument = actual - site.firstArgument;
    if (passes === undefined) return argument < callee.parameters ? [callee.firstParameter + argument] : [];
    return passes.flatMap((from, at) =>
      from === argument && at < callee.parameters ? [callee.firstParameter + at] : [],
    );
  }
  if (actual === site.result) return [callee.result];
  const isIn = actual < site.firstOut;
  const variable = isIn ? site.ins[actual - site.firstIn] : site.outs[actual - site.firstOut];
  const place = placeIn(isIn ? callee.ins : callee.outs, variable ?? -1);
  if (place === -1) return [];
  return [(isIn ? callee.firstIn : callee.firstOut) + place];
}

/** The entry, and parameters that none of the call's arguments is for. */
function fedByCall(site: Site, callee: Nodes, passes: readonly number[] | undefined): readonly number[] {
  const fed = [callee.entry];
  for (let at = 0; at < callee.parameters; at++) {
    const argument = passes === undefined ? at : (passes[at] ?? -1);
    if (argument === -1 || argument >= site.call.arguments.length) fed.push(callee.firstParameter + at);
  }
  return fed;
}
