/** Memory effects of each function including its callees, as its callers need them. */

import {
  BitSet,
  type BlockId,
  type FunctionId,
  idOf,
  type LocalNodeId,
  type ReadonlyTable,
  SortedIds,
  Table,
  type VariableId,
} from '../graph/index.js';
import type { CallTree } from './calls/call-tree.js';
import type { ProgramMemory } from './memory/program-memory.js';
import { type Call, ending, type Outline } from './outline.js';
import type { Variables } from './variables.js';

export interface Summary {
  /** Variables of its callers that it may read, in order. */
  readonly reads: SortedIds<VariableId>;
  /** Variables of its callers that it may write, in order. */
  readonly writes: SortedIds<VariableId>;
  /** The variables it writes on every return. */
  readonly overwrites: ReadonlySet<VariableId>;
  readonly mayThrow: boolean;
}

/** The functions of the program that a call may reach, including calls from unknown code. */
export function calledBy(
  { callees, isUnknown }: Call,
  { escapedFunctions }: ProgramMemory,
): readonly FunctionId[] {
  if (!isUnknown) return [...callees.keys()];
  return [...new Set([...callees.keys(), ...escapedFunctions])];
}

/** Undefined for functions that are not summarized yet. */
type Known = ReadonlyTable<FunctionId, Summary | undefined>;

export function summaries(
  memory: ProgramMemory,
  tree: CallTree,
  variables: Variables,
): ReadonlyTable<FunctionId, Summary> {
  const { outlines } = memory;
  const known = new Table<FunctionId, Summary | undefined>(memory.outlines.values.map(() => undefined));
  const complete = new Table<FunctionId, Summary>();
  const throwing = throwingFunctions(memory, tree);
  const readAtEnd = readsAtEnd(memory, tree, variables);
  for (const group of tree.groups) {
    const reads = new BitSet<VariableId>(variables.sharedCount);
    const writes = new BitSet<VariableId>(variables.sharedCount);
    for (const id of group) {
      const outline = outlines.get(id);
      addOwnEffects(outline, variables, reads, writes);
      if (outline.calls.some(({ runsAtEnd }) => runsAtEnd.length > 0))
        for (const variable of readAtEnd) reads.add(variable);
      for (const callee of tree.callees.get(id)) {
        const below = known.get(callee);
        if (below === undefined) continue;
        for (const variable of below.reads) if (variable < variables.sharedCount) reads.add(variable);
        for (const variable of below.writes) writes.add(variable);
      }
    }
    for (const id of group) {
      const isVisible = (variable: VariableId): boolean =>
        variables.isAccessibleIn(id, variable) &&
        (variables.owner(variable) !== id || tree.isRecursive.get(id));
      const seenWrites = new SortedIds([...writes].filter(isVisible));
      const summary = {
        reads: new SortedIds([
          ...[...reads].filter(isVisible),
          ...copiedVariables(memory, variables, id, isVisible),
        ]),
        writes: seenWrites,
        overwrites: tree.isRecursive.get(id)
          ? noVariables
          : overwritten(outlines.get(id), memory, variables, known, new Set(seenWrites)),
        mayThrow: throwing.has(id),
      };
      known.set(id, summary);
      complete.set(id, summary);
    }
  }
  return complete;
}

/** Variables read at the program's end by functions that come later in the order than the function that ends it. */
function readsAtEnd({ outlines }: ProgramMemory, tree: CallTree, variables: Variables): BitSet<VariableId> {
  const reads = new BitSet<VariableId>(variables.sharedCount);
  const writes = new BitSet<VariableId>(variables.sharedCount);
  const running = new Set(
    outlines.values.flatMap(({ calls }) => calls.flatMap(({ runsAtEnd }) => runsAtEnd)),
  );
  // Iteration over a set includes members added meanwhile.
  for (const id of running) {
    addOwnEffects(outlines.get(id), variables, reads, writes);
    for (const callee of tree.callees.get(id)) running.add(callee);
  }
  return reads;
}

/** Variables that a call creates: copies of structs and unnamed arguments. */
function copiedVariables(
  { slots }: ProgramMemory,
  variables: Variables,
  id: FunctionId,
  isVisible: (variable: VariableId) => boolean,
): readonly VariableId[] {
  const { copies, variadic } = slots.get(id);
  const objects = [...copies.values()].map(({ object }) => object);
  if (variadic !== undefined) objects.push(variadic);
  return objects
    .flatMap((object) => variables.ofObject(object))
    .filter((variable) => variable >= variables.sharedCount || !isVisible(variable));
}

function addOwnEffects(
  outline: Outline,
  variables: Variables,
  reads: BitSet<VariableId>,
  writes: BitSet<VariableId>,
): void {
  const touch = (variable: VariableId, isRead: boolean, isWritten: boolean): void => {
    if (variable >= variables.sharedCount) return;
    if (isRead) reads.add(variable);
    if (isWritten) writes.add(variable);
  };
  for (const access of outline.accesses) variables.touched(access, touch);
  for (const call of outline.calls) variables.touchedByCall(call, touch);
}

function overwritten(
  outline: Outline,
  memory: ProgramMemory,
  variables: Variables,
  known: Known,
  candidates: ReadonlySet<VariableId>,
): ReadonlySet<VariableId> {
  const blocks = new Map<VariableId, Set<BlockId>>();
  const note = (variable: VariableId, at: LocalNodeId): void => {
    if (!candidates.has(variable)) return;
    const writing = blocks.get(variable);
    if (writing === undefined) blocks.set(variable, new Set([outline.blocks.of(at)]));
    else writing.add(outline.blocks.of(at));
  };
  for (const access of outline.accesses)
    variables.touched(access, (variable, _read, _written, isOverwritten) => {
      if (isOverwritten) note(variable, access.at);
    });
  for (const call of outline.calls) {
    for (const access of call.callees.size === 0 ? call.accesses : [])
      variables.touched(access, (variable, _read, _written, isOverwritten) => {
        if (isOverwritten) note(variable, call.at);
      });
    for (const variable of overwrittenByCall(call, memory, known)) note(variable, call.at);
  }
  const overwrites = new Set<VariableId>();
  for (const [variable, writing] of blocks) if (!canReturnWithout(outline, writing)) overwrites.add(variable);
  return overwrites;
}

const noVariables: ReadonlySet<VariableId> = new Set();

export function overwrittenByCall(call: Call, memory: ProgramMemory, known: Known): ReadonlySet<VariableId> {
  if (call.isExternal) return noVariables;
  const called = calledBy(call, memory);
  const [first, ...rest] = called.map((id) => known.get(id));
  if (first === undefined || first.mayThrow) return noVariables;
  if (rest.length === 0) return first.overwrites;
  return new Set(
    [...first.overwrites].filter((variable) =>
      rest.every((summary) => summary?.overwrites.has(variable) === true && !summary.mayThrow),
    ),
  );
}

function canReturnWithout({ next, endings }: Outline, blocks: ReadonlySet<BlockId>): boolean {
  const entry = idOf<BlockId>(0);
  if (blocks.has(entry)) return false;
  const seen = new Set([entry]);
  for (const at of seen) {
    if (endings.get(at) === ending.returns) return true;
    for (const to of next.get(at) ?? []) if (!blocks.has(to)) seen.add(to);
  }
  return false;
}

function throwingFunctions(memory: ProgramMemory, tree: CallTree): ReadonlySet<FunctionId> {
  const { outlines } = memory;
  const throwing = new Set<FunctionId>();
  if (!outlines.values.some(({ catches }) => catches)) return throwing;
  for (const group of tree.groups) {
    const throws = group.some((id) => {
      const { calls, endings } = outlines.get(id);
      return (
        endings.values.some((how) => how === ending.unwinds) ||
        calls.some((call) => call.mayThrow || calledBy(call, memory).some((callee) => throwing.has(callee)))
      );
    });
    if (throws) for (const id of group) throwing.add(id);
  }
  return throwing;
}
