import type { Code } from './code.js';
import type { Instance } from './instances.js';

/** A call of a function that has not returned yet. */
export interface Activation {
  readonly code: Code;
  /** Where its registers begin. */
  readonly base: number;
  /** By its number it is named in instances. */
  readonly frame: number;
  /** Called by code that is not traced, or by nobody. */
  readonly isOutside: boolean;
  /** The step that is executed next, or goes on when what it has called returns. */
  at: number;
  /** The block it is in. */
  block: number;
  /** A call of code outside that has not returned yet; -1 for none. */
  pending: Instance;
  /** Its number among those that are jumped back to. */
  count: number;
  /** Of its block of memory. */
  frameLow: number;
  frameHigh: number;
}

/** What is remembered of an activation when it is over. */
export interface PastFrame {
  readonly code: Code;
  /** The instance of the call, or -1. */
  readonly call: Instance;
  /** The activation it was called from, or -1. */
  readonly caller: number;
}
