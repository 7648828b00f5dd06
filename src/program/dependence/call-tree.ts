/** Who calls whom, by what the points-to analysis found. */

import { components } from '../graph/index.js';
import type { ProgramMemory } from './program-memory.js';

export interface CallTree {
  /** For each function those it may call, each once. */
  readonly callees: readonly (readonly number[])[];
  /** Functions that may call one another, each group after those it calls. */
  readonly groups: readonly (readonly number[])[];
  /** May there be two activations of it at once? */
  readonly isRecursive: readonly boolean[];
  /** Is the second called by the first, directly or not, or run because that ends the program, or the same? */
  isBelow(caller: number, callee: number): boolean;
}

export function callTree({ outlines, escapedFunctions }: ProgramMemory): CallTree {
  const callees = outlines.map(({ calls }) => {
    const found = new Set<number>();
    for (const { callees, isUnknown } of calls) {
      for (const callee of callees.keys()) found.add(callee);
      if (isUnknown) for (const callee of escapedFunctions) found.add(callee);
    }
    return [...found];
  });
  const groups = components(callees);
  const isRecursive = callees.map((called, id) => called.includes(id));
  for (const group of groups) if (group.length > 1) for (const id of group) isRecursive[id] = true;
  // What runs at the end never comes back to who has ended the program, and makes nobody call himself.
  const running = outlines.map(({ calls }, id) => {
    const atEnd = calls.flatMap(({ runsAtEnd }) => runsAtEnd);
    const called = callees[id] as readonly number[];
    return atEnd.length === 0 ? called : [...new Set([...called, ...atEnd])];
  });
  const below = new Map<number, Uint8Array>();
  const isBelow = (caller: number, callee: number): boolean => {
    let reached = below.get(caller);
    if (reached === undefined) {
      reached = reachedFrom(caller, running);
      below.set(caller, reached);
    }
    return reached[callee] === 1;
  };
  return { callees, groups, isRecursive, isBelow };
}

function reachedFrom(start: number, next: readonly (readonly number[])[]): Uint8Array {
  const reached = new Uint8Array(next.length);
  reached[start] = 1;
  const left = [start];
  for (let at = left.pop(); at !== undefined; at = left.pop())
    for (const to of next[at] ?? [])
      if (reached[to] === 0) {
        reached[to] = 1;
        left.push(to);
      }
  return reached;
}
