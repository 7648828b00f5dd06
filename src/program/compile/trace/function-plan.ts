/** The recording plan of one function. */

import {
  calledName,
  type Instruction,
  type IrFunction,
  type IrModule,
  isCall,
  type Layout,
  nestedValues,
  operandsOf,
  targetsOf,
} from '../../ir/index.js';
import { leavesOf } from './leaves.js';
import { isIntrinsic, isReturningTwice, recordingOf, type StackMemory } from './recording.js';
import { type Blocks, stackMemory } from './stack-memory.js';

export interface FunctionPlan extends StackMemory {
  readonly fn: IrFunction;
  /** Index among the traced functions of its module. */
  readonly number: number;
  readonly blocks: Blocks;
  /** Called only by name and only by traced functions of this module, so its callers need no check. */
  readonly isDirect: boolean;
  /** Its activations are numbered, because setjmp or exceptions return to them. */
  readonly isCounted: boolean;
  /** Targets of indirect jumps; each records that it was reached. */
  readonly landings: ReadonlySet<string>;
  /** Names with an address that it mentions. */
  readonly globals: ReadonlySet<string>;
  /** The thread-local variables among them. */
  readonly threadLocals: readonly string[];
}

export function* instructionsOf(blocks: Blocks): Generator<Instruction> {
  for (const { instructions, terminator } of blocks) {
    yield* instructions;
    yield terminator;
  }
}

export function functionPlan(
  module: IrModule,
  layout: Layout,
  fn: IrFunction,
  blocks: Blocks,
  { number, isDirect }: Pick<FunctionPlan, 'number' | 'isDirect'>,
): FunctionPlan {
  const instructions = [...instructionsOf(blocks)];
  const isJumpedTo = instructions.some(isReturningTwice);
  const globals = globalsIn(instructions);
  return {
    fn,
    number,
    blocks,
    isDirect,
    isCounted: isJumpedTo || instructions.some(({ op }) => op === 'landingpad'),
    ...stackMemory(blocks, layout, isJumpedTo),
    landings: new Set(
      instructions.flatMap((instruction) => (instruction.op === 'indirectbr' ? instruction.targets : [])),
    ),
    globals,
    threadLocals: [...globals].filter((name) => module.globals.get(name)?.isThreadLocal),
  };
}

function globalsIn(all: readonly Instruction[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const instruction of all) {
    if (instruction.op === 'debug' || instruction.op === 'landingpad') continue;
    for (const operand of operandsOf(instruction))
      for (const part of nestedValues(operand))
        if (part.kind === 'global' && !isIntrinsic(part.name)) names.add(part.name);
  }
  return names;
}

/** Whether all effects of the function can be recorded. */
export function isTraceable(blocks: Blocks, layout: Layout): boolean {
  const entries = entriesInto(blocks);
  const nothingOwn: StackMemory = {
    privates: new Set(),
    offsets: new Map(),
    frameBytes: 0,
    frameAlignment: 1,
  };
  for (const instruction of instructionsOf(blocks)) {
    if (untraceable.has(instruction.op)) return false;
    if (isCall(instruction) && /^llvm\.(?:coro|eh\.sjlj)\./.test(calledName(instruction.callee) ?? ''))
      return false;
    // The call's result is recorded in the next block, so that block must have no other predecessor.
    if (instruction.op === 'invoke' && entries.get(instruction.normal) !== 1) return false;
    if (
      instruction.op === 'getelementptr' &&
      operandsOf(instruction).some(({ type }) => type.kind === 'vector')
    )
      return false;
    const isRecorded = recordingOf(instruction, nothingOwn) !== 'nothing';
    if (isRecorded && leavesOf(instruction.type, layout) === undefined) return false;
  }
  return true;
}

const untraceable: ReadonlySet<Instruction['op']> = new Set([
  ...(['unknown', 'callbr', 'catchswitch', 'catchpad', 'cleanuppad', 'catchret', 'cleanupret'] as const),
]);

/** Number of predecessors of each block. */
function entriesInto(blocks: Blocks): ReadonlyMap<string, number> {
  const entries = new Map<string, number>();
  for (const { terminator } of blocks)
    for (const target of targetsOf(terminator)) entries.set(target, (entries.get(target) ?? 0) + 1);
  return entries;
}
