import type { FunctionCode } from './code.js';
import type { Instance } from './instances.js';

/** A call of a traced function that has not returned yet. */
export interface Activation {
  readonly code: FunctionCode;
  readonly base: number;
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
  frameLow: number;
  frameHigh: number;
}

/** The part of an activation that remains after it returned. */
export interface PastFrame {
  readonly code: FunctionCode;
  readonly call: Instance;
  readonly caller: number;
}
