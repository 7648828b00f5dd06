/** Who calls whom, by what the points-to analysis found. */

import { components, type FunctionId, type ReadonlyTable } from '../graph/index.js';
import type { ProgramMemory } from './program-memory.js';

export interface CallTree {
  /** For each function those it may call, each once. */
  readonly callees: ReadonlyTable<FunctionId, readonly FunctionId[]>;
  /** Functions that may call one another, each group after those it calls. */
  readonly groups: readonly (readonly FunctionId[])[];
  /** May there be two activations of it at once? */
  readonly isRecursive: ReadonlyTable<FunctionId, boolean>;
  /** Is the second called by the first, directly or not, or run because that ends the program, or the same? */
  isBelow(caller: FunctionId, callee: FunctionId): boolean;
}

export function callTree({ outlines, escapedFunctions }: ProgramMemory): CallTree {
  const callees = outlines.map(({ calls }) => {
    const found = new Set<FunctionId>();
    for (const { callees, isUnknown } of calls) {
      for (const callee of callees.keys()) found.add(callee);
      if (isUnknown) for (const callee of escapedFunctions) found.add(callee);
    }
    return [...found];
  });
  const groups = components(callees.values);
  const isRecursive = callees.map((called, id) => called.includes(id));
  for (const group of groups) if (group.length > 1) for (const id of group) isRecursive.set(id, true);
  // What runs at the end never comes back to who has ended the program, and makes nobody call himself.
  const running = outlines.map(({ calls }, id) => {
    const atEnd = calls.flatMap(({ runsAtEnd }) => runsAtEnd);
    const called = callees.get(id);
    return atEnd.length === 0 ? called : [...new Set([...called, ...atEnd])];
  });
  const below = new Map<FunctionId, Uint8Array>();
  const isBelow = (caller: FunctionId, callee: FunctionId): boolean => {
    let reached = below.get(caller);
    if (reached === undefined) {
      reached = reachedFrom(caller, running);
      below.set(caller, reached);
    }
    return reached[callee] === 1;
  };
  return { callees, groups, isRecursive, isBelow };
}

function reachedFrom(start: FunctionId, next: ReadonlyTable<FunctionId, readonly FunctionId[]>): Uint8Array {
  const reached = new Uint8Array(next.length);
  reached[start] = 1;
  const left = [start];
  for (let at = left.pop(); at !== undefined; at = left.pop())
    for (const to of next.get(at))
      if (reached[to] === 0) {
        reached[to] = 1;
        left.push(to);
      }
  return reached;
}
