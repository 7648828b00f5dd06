/** The call graph that follows from the points-to analysis. */

import { components, type FunctionId, getOrCreate, type ReadonlyTable } from '../../graph/index.js';
import type { ProgramMemory } from '../memory/program-memory.js';

export interface CallTree {
  readonly callees: ReadonlyTable<FunctionId, readonly FunctionId[]>;
  /** Strongly connected components, each after its callees. */
  readonly groups: readonly (readonly FunctionId[])[];
  readonly isRecursive: ReadonlyTable<FunctionId, boolean>;
  /** Is the callee the caller, below it in the call graph, or run at the program's end that it causes? */
  mayReach(caller: FunctionId, callee: FunctionId): boolean;
}

export function callTree({ outlines, escapedFunctions }: ProgramMemory): CallTree {
  const callees = outlines.map(({ calls }) => {
    const reached = new Set<FunctionId>();
    for (const { callees, isUnknown } of calls) {
      for (const callee of callees.keys()) reached.add(callee);
      if (isUnknown) for (const callee of escapedFunctions) reached.add(callee);
    }
    return [...reached];
  });
  const groups = components(callees.values);
  const isRecursive = callees.map((called, id) => called.includes(id));
  for (const group of groups) if (group.length > 1) for (const id of group) isRecursive.set(id, true);
  // Exit handlers never return to the function that ended the program, and cause no recursion.
  const running = outlines.map(({ calls }, id) => {
    const atEnd = calls.flatMap(({ runsAtEnd }) => runsAtEnd);
    const called = callees.get(id);
    return atEnd.length === 0 ? called : [...new Set([...called, ...atEnd])];
  });
  const below = new Map<FunctionId, Uint8Array>();
  const mayReach = (caller: FunctionId, callee: FunctionId): boolean => {
    return getOrCreate(below, caller, () => reachedFrom(caller, running))[callee] === 1;
  };
  return { callees, groups, isRecursive, mayReach };
}

function reachedFrom(start: FunctionId, next: ReadonlyTable<FunctionId, readonly FunctionId[]>): Uint8Array {
  const reached = new Uint8Array(next.length);
  reached[start] = 1;
  const pending = [start];
  for (let at = pending.pop(); at !== undefined; at = pending.pop())
    for (const to of next.get(at))
      if (reached[to] === 0) {
        reached[to] = 1;
        pending.push(to);
      }
  return reached;
}
