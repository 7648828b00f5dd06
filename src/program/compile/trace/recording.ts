/**
 * What of an instruction a replay cannot know, and is therefore recorded: the one place that says it, for the compiler
 * that writes it into the program and for the replay that reads it.
 */

import { calledName, type Instruction, isCall, operandsOf } from '../../ir/index.js';
import { isComputed } from './leaves.js';

export type Recording =
  /** The replay computes it. */
  | 'nothing'
  /** Its result. */
  | 'result'
  /** The address of new memory on the stack. */
  | 'stack'
  /** A call that may be one of code outside: then its result, or that it has returned. */
  | 'call'
  /** A call that may return again: which one it is, and its result, each time. */
  | 'jump'
  /** That an exception has come here, and its values. */
  | 'catch';

/** What of a function decides on it. */
export interface OwnMemory {
  /** Allocas whose addresses are never seen: the replay keeps what is in them. */
  readonly privates: ReadonlySet<string>;
  /** Allocas that are part of one block, whose address is recorded when the function is entered; with their offsets. */
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
  { privates, offsets }: Pick<OwnMemory, 'privates' | 'offsets'>,
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
      // Rounded twice, or out of range: machines differ.
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
