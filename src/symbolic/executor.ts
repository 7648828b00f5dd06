import type { Activation } from './activation.js';
import type { Step } from './code.js';
import type { Execution } from './execution.js';

/** Implements an opcode. It advances its activation, unless the step has to be repeated. */
export type Executor = readonly [does: number, execute: Execute];

export type Execute = (execution: Execution, activation: Activation, step: Step) => void;
