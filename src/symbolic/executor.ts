import type { Activation } from './activation.js';
import type { Step } from './code.js';
import type { Execution } from './execution.js';

/** What a step does, and how it is done. It moves its activation on, unless it has to come again. */
export type Executor = readonly [does: number, execute: Execute];

export type Execute = (execution: Execution, activation: Activation, step: Step) => void;
