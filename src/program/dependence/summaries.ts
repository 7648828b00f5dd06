/** What each function, and what it calls, reads and writes: what its callers have to know of it. */

import { BitSet } from '../graph/index.js';
import type { CallTree } from './call-tree.js';
import { blockOf, type Call, ending, type Outline } from './outline.js';
import type { ProgramMemory } from './program-memory.js';
import type { Variables } from './variables.js';

export interface Summary {
  /** The variables it may read that it has from its callers, in order. */
  readonly reads: Int32Array;
  /** The variables it may write that its callers have as well, in order. */
  readonly writes: Int32Array;
  /** Those of them that have a new value whenever it returns. */
  readonly overwrites: ReadonlySet<number>;
  /** An exception may leave it, and somebody may catch that. */
  readonly mayThrow: boolean;
}

/** The functions of the program a call may get to, by way of unknown code as well. */
export function calledBy(
  { callees, isUnknown }: Call,
  { escapedFunctions }: ProgramMemory,
): readonly number[] {
  if (!isUnknown) return [...callees.keys()];
  return [...new Set([...callees.keys(), ...escapedFunctions])];
}

/** From the called to the callers. */
export function summaries(memory: ProgramMemory, tree: CallTree, variables: Variables): readonly Summary[] {
  const { outlines } = memory;
  const found: Summary[] = [];
  const throwing = throwingFunctions(memory, tree);
  const readAtEnd = readsAtEnd(memory, tree, variables);
  for (const group of tree.groups) {
    const reads = new BitSet(variables.sharedCount);
    const writes = new BitSet(variables.sharedCount);
    for (const id of group) {
      const outline = outlines[id] as Outline;
      noteOwn(outline, variables, reads, writes);
      if (outline.calls.some(({ runsAtEnd }) => runsAtEnd.length > 0))
        for (const variable of readAtEnd) reads.add(variable);
      for (const callee of tree.callees[id] ?? []) {
        const below = found[callee];
        // Those of the same group are here already.
        if (below === undefined) continue;
        for (const variable of below.reads) if (variable < variables.sharedCount) reads.add(variable);
        for (const variable of below.writes) writes.add(variable);
      }
    }
    for (const id of group) {
      const isVisible = (variable: number): boolean =>
        variables.isKnownIn(id, variable) &&
        (variables.owner(variable) !== id || tree.isRecursive[id] === true);
      const seenWrites = Int32Array.from([...writes].filter(isVisible));
      found[id] = {
        reads: Int32Array.from([
          ...[...reads].filter(isVisible),
          ...handedOver(memory, variables, id, isVisible),
        ]).sort(),
        writes: seenWrites,
        overwrites:
          tree.isRecursive[id] === true
            ? new Set()
            : overwritten(outlines[id] as Outline, memory, variables, found, new Set(seenWrites)),
        mayThrow: throwing.has(id),
      };
    }
  }
  return found;
}

/** What may be read once the program ends, by functions that come later in the order than those that end it. */
function readsAtEnd({ outlines }: ProgramMemory, tree: CallTree, variables: Variables): BitSet {
  const reads = new BitSet(variables.sharedCount);
  const writes = new BitSet(variables.sharedCount);
  const running = new Set(outlines.flatMap(({ calls }) => calls.flatMap(({ runsAtEnd }) => runsAtEnd)));
  // A set is gone through to its end, what is added on the way among it.
  for (const id of running) {
    noteOwn(outlines[id] as Outline, variables, reads, writes);
    for (const callee of tree.callees[id] ?? []) running.add(callee);
  }
  return reads;
}

/** What only comes into being with the call: copies of structs and unnamed arguments. */
function handedOver(
  { slots }: ProgramMemory,
  variables: Variables,
  id: number,
  isVisible: (variable: number) => boolean,
): readonly number[] {
  const { copies, variadic } = slots[id] ?? {
    copies: new Map<number, { object: number }>(),
    variadic: undefined,
  };
  const objects = [...copies.values()].map(({ object }) => object);
  if (variadic !== undefined) objects.push(variadic);
  return objects
    .flatMap((object) => variables.ofObject(object))
    .filter((variable) => variable >= variables.sharedCount || !isVisible(variable));
}

function noteOwn(outline: Outline, variables: Variables, reads: BitSet, writes: BitSet): void {
  const touch = (variable: number, isRead: boolean, isWritten: boolean): void => {
    if (variable >= variables.sharedCount) return;
    if (isRead) reads.add(variable);
    if (isWritten) writes.add(variable);
  };
  for (const one of outline.accesses) variables.touched(one, touch);
  for (const call of outline.calls) variables.touchedByCall(call, touch);
}

/** Those written on every way to a return. */
function overwritten(
  outline: Outline,
  memory: ProgramMemory,
  variables: Variables,
  found: readonly (Summary | undefined)[],
  candidates: ReadonlySet<number>,
): ReadonlySet<number> {
  const blocks = new Map<number, Set<number>>();
  const note = (variable: number, at: number): void => {
    if (!candidates.has(variable)) return;
    const known = blocks.get(variable);
    if (known === undefined) blocks.set(variable, new Set([blockOf(outline, at)]));
    else known.add(blockOf(outline, at));
  };
  for (const [index, one] of outline.accesses.entries())
    variables.touched(one, (variable, _read, _written, isOverwritten) => {
      if (isOverwritten) note(variable, outline.accessAt[index] as number);
    });
  for (const call of outline.calls) {
    for (const one of call.callees.size === 0 ? call.accesses : [])
      variables.touched(one, (variable, _read, _written, isOverwritten) => {
        if (isOverwritten) note(variable, call.at);
      });
    for (const variable of overwrittenByCall(call, memory, found)) note(variable, call.at);
  }
  const sure = new Set<number>();
  for (const [variable, writing] of blocks) if (!canReturnWithout(outline, writing)) sure.add(variable);
  return sure;
}

const nothing: ReadonlySet<number> = new Set();

/** What has a new value after a call, whatever it calls. */
export function overwrittenByCall(
  call: Call,
  memory: ProgramMemory,
  found: readonly (Summary | undefined)[],
): ReadonlySet<number> {
  if (call.isExternal) return nothing;
  const called = calledBy(call, memory);
  const [first, ...rest] = called.map((id) => found[id]);
  if (first === undefined || first.mayThrow) return nothing;
  if (rest.length === 0) return first.overwrites;
  return new Set(
    [...first.overwrites].filter((variable) =>
      rest.every((one) => one?.overwrites.has(variable) === true && !one.mayThrow),
    ),
  );
}

function canReturnWithout({ next, endings }: Outline, blocks: ReadonlySet<number>): boolean {
  if (blocks.has(0)) return false;
  const seen = new Set([0]);
  const left = [0];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (endings[at] === ending.returns) return true;
    for (const to of next[at] ?? [])
      if (!seen.has(to) && !blocks.has(to)) {
        seen.add(to);
        left.push(to);
      }
  }
  return false;
}

/** None where nobody catches anything. */
function throwingFunctions(memory: ProgramMemory, tree: CallTree): ReadonlySet<number> {
  const { outlines } = memory;
  const throwing = new Set<number>();
  if (!outlines.some(({ catches }) => catches)) return throwing;
  for (const group of tree.groups) {
    const throws = group.some((id) => {
      const { calls, endings } = outlines[id] as Outline;
      return (
        endings.includes(ending.unwinds) ||
        calls.some((call) => call.mayThrow || calledBy(call, memory).some((callee) => throwing.has(callee)))
      );
    });
    if (throws) for (const id of group) throwing.add(id);
  }
  return throwing;
}
