/**
 * Which effects of an instruction a replay cannot compute, so that they are recorded. Both the instrumenting compiler
 * and the replay use this one definition.
 */

import { calledName, type Instruction, isCall, operandsOf } from '../../ir/index.js';
import { isComputed } from './leaves.js';

export type Recording =
  /** The replay computes it. */
  | 'nothing'
  | 'result'
  /** The address of new stack memory. */
  | 'stack'
  /** A call that may reach untraced code: its result, or that it returned. */
  | 'call'
  /** A call that may return more than once: which call it is, and its result, each time. */
  | 'jump'
  /** That an exception arrived, and its values. */
  | 'catch';

/** The function's memory, as far as recording depends on it. */
export interface StackMemory {
  /** Allocas with invisible addresses; the replay stores their contents. */
  readonly privates: ReadonlySet<string>;
  /** Offsets of allocas in one frame, whose address is recorded at function entry. */
  readonly offsets: ReadonlyMap<string, number>;
  readonly frameBytes: number;
  readonly frameAlignment: number;
}

/** Functions that return more than once. */
const returningTwice = /^(?:_{0,2}setjmp|_{0,2}sigsetjmp|savectx|getcontext|vfork)$/;

export function isReturningTwice(instruction: Instruction): boolean {
  const name = isCall(instruction) ? calledName(instruction.callee) : undefined;
  return name !== undefined && returningTwice.test(name);
}

export function isIntrinsic(name: string | undefined): name is string {
  return name?.startsWith('llvm.') ?? false;
}

export function recordingOf(
  instruction: Instruction,
  { privates, offsets }: Pick<StackMemory, 'privates' | 'offsets'>,
): Recording {
  switch (instruction.op) {
    case 'load': {
      const { pointer } = instruction;
      return pointer.kind === 'local' && privates.has(pointer.name) ? 'nothing' : 'result';
    }
    case 'alloca':
      return privates.has(instruction.result ?? '') || offsets.has(instruction.result ?? '')
        ? 'nothing'
        : 'stack';
    case 'call':
    case 'invoke': {
      if (instruction.callee.kind === 'asm') return instruction.type.kind === 'void' ? 'nothing' : 'result';
      const name = calledName(instruction.callee);
      if (isIntrinsic(name))
        return instruction.type.kind === 'void' || name.startsWith('llvm.expect.') ? 'nothing' : 'result';
      return isReturningTwice(instruction) ? 'jump' : 'call';
    }
    case 'landingpad':
      return 'catch';
    case 'cmpxchg':
    case 'atomicrmw':
    case 'va_arg':
    case 'extractelement':
    case 'insertelement':
    case 'shufflevector':
      return 'result';
    case 'cast':
      // Double rounding and out-of-range conversions differ between machines.
      if (/^fpto/.test(instruction.operator)) return 'result';
      if (/tofp$/.test(instruction.operator) && instruction.type.kind === 'float')
        if (instruction.type.format === 'float') return 'result';
      return isComputedThroughout(instruction) ? 'nothing' : 'result';
    case 'select':
      return instruction.condition.type.kind === 'vector' ? 'result' : 'nothing';
    case 'binary':
    case 'compare':
    case 'fneg':
    case 'freeze':
      return isComputedThroughout(instruction) ? 'nothing' : 'result';
    default:
      return 'nothing';
  }
}

function isComputedThroughout(instruction: Instruction): boolean {
  return isComputed(instruction.type) && operandsOf(instruction).every(({ type }) => isComputed(type));
}
