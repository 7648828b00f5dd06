/**
 * Numbers of all nodes: instructions, and the values that enter and leave functions.
 *
 * A function has a node for its entry, each parameter, its result, and each variable that comes from its callers or
 * goes back to them; a call has the corresponding nodes. Reps, Horwitz and Binkley call them formal and actual
 * parameters.
 */

import {
  after,
  ContentMap,
  type FunctionId,
  idOf,
  type KeyEquality,
  type LocalNodeId,
  type ReadonlyTable,
  SortedIds,
  type Table,
  type VariableId,
} from '../graph/index.js';
import type { ProgramMemory } from './memory/program-memory.js';
import type { Call } from './outline.js';
import { calledBy, type Summary } from './summaries.js';

/** The variables that enter a function or its calls, and those that leave it. */
interface CallVariables {
  readonly ins: SortedIds<VariableId>;
  readonly outs: SortedIds<VariableId>;
}

/** The nodes that a function and its calls have in common. */
interface BoundaryNodes extends CallVariables {
  readonly result: LocalNodeId;
  readonly firstIn: LocalNodeId;
  readonly firstOut: LocalNodeId;
}

/** A call of functions in the program, with its nodes numbered within the caller. */
export interface NumberedCall extends BoundaryNodes {
  readonly call: Call;
  readonly caller: FunctionId;
  /** The callees; `passes` has the argument index of each parameter, if not its own index. */
  readonly callees: readonly { readonly id: FunctionId; readonly passes: readonly number[] | undefined }[];
  readonly firstArgument: LocalNodeId;
  readonly end: LocalNodeId;
}

/** The nodes of a function, numbered within it; instructions come first. */
export interface FunctionNodes extends BoundaryNodes {
  readonly entry: LocalNodeId;
  readonly firstParameter: LocalNodeId;
  readonly parameters: number;
  readonly sites: readonly NumberedCall[];
  readonly count: number;
}

export class Numbering {
  readonly instructions: number;
  readonly functions: ReadonlyTable<FunctionId, FunctionNodes>;
  readonly callers: ReadonlyTable<FunctionId, readonly NumberedCall[]>;
  readonly #siteOfCall = new Map<Call, NumberedCall>();
  readonly #shared = new ContentMap<readonly FunctionId[], CallVariables>(functionLists);

  constructor(
    private readonly memory: ProgramMemory,
    private readonly summaries: ReadonlyTable<FunctionId, Summary>,
  ) {
    const last = memory.outlines.values.at(-1);
    this.instructions = last === undefined ? 0 : last.first + last.instructions;
    this.functions = memory.outlines.map((_, id) => this.#number(id));
    const callers: Table<FunctionId, NumberedCall[]> = memory.outlines.map(() => []);
    for (const { sites } of this.functions)
      for (const site of sites) for (const { id } of site.callees) callers.get(id).push(site);
    this.callers = callers;
  }

  /** Undefined for a call that reaches no function of the program. */
  site(call: Call): NumberedCall | undefined {
    return this.#siteOfCall.get(call);
  }

  #number(id: FunctionId): FunctionNodes {
    const { instructions, calls } = this.memory.outlines.get(id);
    const { parameters } = this.memory.slots.get(id);
    const { reads, writes } = this.summaries.get(id);
    const entry = idOf<LocalNodeId>(instructions);
    const firstParameter = after(entry, 1);
    const result = after(firstParameter, parameters);
    const firstIn = after(result, 1);
    const firstOut = after(firstIn, reads.length);
    let at = after(firstOut, writes.length);
    const sites: NumberedCall[] = [];
    for (const call of calls) {
      const called = calledBy(call, this.memory);
      const atEnd = call.runsAtEnd.filter((callee) => !called.includes(callee));
      if (called.length + atEnd.length === 0) continue;
      const { ins } = this.#variablesOf([...called, ...atEnd]);
      // Exit handlers leave nothing to the code after the call, since it is never executed.
      const { outs } = this.#variablesOf(called);
      const firstArgument = at;
      const resultAt = after(firstArgument, call.arguments.length);
      const firstInAt = after(resultAt, 1);
      const firstOutAt = after(firstInAt, ins.length);
      at = after(firstOutAt, outs.length);
      const site = {
        call,
        caller: id,
        callees: [...called, ...atEnd].map((callee) => ({
          id: callee,
          passes: call.callees.has(callee) ? call.callees.get(callee) : noArguments,
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
      entry,
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

  #variablesOf(called: readonly FunctionId[]): CallVariables {
    const [only, ...others] = called;
    if (only !== undefined && others.length === 0) {
      const { reads, writes } = this.summaries.get(only);
      return { ins: reads, outs: writes };
    }
    const sorted = called.toSorted((a, b) => a - b);
    let lists = this.#shared.get(sorted);
    if (lists === undefined) {
      const all = sorted.map((id) => this.summaries.get(id));
      lists = {
        ins: SortedIds.union(all.map(({ reads }) => reads)),
        outs: SortedIds.union(all.map(({ writes }) => writes)),
      };
      this.#shared.add(sorted, lists);
    }
    return lists;
  }
}

const noArguments: readonly number[] = [];

const functionLists: KeyEquality<readonly FunctionId[]> = {
  hash: (list) => list.reduce((hash, id) => (Math.imul(hash, 31) + id) | 0, list.length),
  isSame: (list, other) => list.length === other.length && list.every((id, at) => id === other[at]),
};

/** The call's node for a node of the callee; undefined if the call has none. */
export function actualOf(
  site: NumberedCall,
  callee: FunctionNodes,
  passes: readonly number[] | undefined,
  formal: LocalNodeId,
): LocalNodeId | undefined {
  if (formal === callee.entry) return site.call.at;
  if (formal < callee.result) {
    const parameter = formal - callee.firstParameter;
    const argument = passes === undefined ? parameter : (passes[parameter] ?? -1);
    return argument === -1 || argument >= site.call.arguments.length
      ? site.call.at
      : after(site.firstArgument, argument);
  }
  if (formal === callee.result) return site.result;
  const isIn = formal < callee.firstOut;
  const variable = isIn ? callee.ins.at(formal - callee.firstIn) : callee.outs.at(formal - callee.firstOut);
  return nodeIn(site, isIn, variable);
}

/** The node of a function or call for a variable that enters or leaves it; undefined if it has none. */
export function nodeIn(
  { firstIn, ins, firstOut, outs }: BoundaryNodes,
  isIn: boolean,
  variable: VariableId | undefined,
): LocalNodeId | undefined {
  const index = variable === undefined ? -1 : (isIn ? ins : outs).indexOf(variable);
  return index === -1 ? undefined : after(isIn ? firstIn : firstOut, index);
}

/** The callee's nodes for a node of the call. */
export function formalsOf(
  site: NumberedCall,
  callee: FunctionNodes,
  passes: readonly number[] | undefined,
  actual: LocalNodeId,
): readonly LocalNodeId[] {
  if (actual === site.call.at) return formalsOfCallItself(site, callee, passes);
  if (actual < site.result) {
    const argument = actual - site.firstArgument;
    if (passes === undefined)
      return argument < callee.parameters ? [after(callee.firstParameter, argument)] : [];
    return passes.flatMap((from, at) =>
      from === argument && at < callee.parameters ? [after(callee.firstParameter, at)] : [],
    );
  }
  if (actual === site.result) return [callee.result];
  const isIn = actual < site.firstOut;
  const variable = isIn ? site.ins.at(actual - site.firstIn) : site.outs.at(actual - site.firstOut);
  const formal = nodeIn(callee, isIn, variable);
  return formal === undefined ? [] : [formal];
}

function formalsOfCallItself(
  site: NumberedCall,
  callee: FunctionNodes,
  passes: readonly number[] | undefined,
): readonly LocalNodeId[] {
  const fed = [callee.entry];
  for (let at = 0; at < callee.parameters; at++) {
    const argument = passes === undefined ? at : (passes[at] ?? -1);
    if (argument === -1 || argument >= site.call.arguments.length) fed.push(after(callee.firstParameter, at));
  }
  return fed;
}
