import type { FunctionCode } from './code.js';
import type { Instance } from './instances.js';

/** A call of a traced function that has not returned yet. */
export interface Activation {
  readonly code: FunctionCode;
  /** Index of its first register. */
  readonly base: number;
  /** Its number, which instances refer to. */
  readonly number: number;
  /** Called by untraced code, or the first function of the thread. */
  readonly isFromOutside: boolean;
  /** Index of the next step; during a call, of the call. */
  at: number;
  block: number;
  /** A call of untraced code that has not returned yet; -1 if none. */
  pending: Instance;
  /** Its number among activations that a jump or an exception can return to. */
  returnNumber: number;
  /** The address of its stack frame. */
  frameLow: number;
  frameHigh: number;
}

/** The part of an activation that remains after it returned. */
export interface PastFrame {
  readonly code: FunctionCode;
  /** The instance of the call, or -1. */
  readonly call: Instance;
  /** The activation of the caller, or -1. */
  readonly caller: number;
}
