import type { Step } from '../code.js';
import { handleIdleEvent } from '../events.js';
import type { Execute, Execution } from '../execution.js';
import { callSteps } from './call-steps.js';
import { computingSteps } from './computing-steps.js';
import { flowSteps } from './flow-steps.js';
import { memorySteps } from './memory-steps.js';

const executors: Execute[] = [];
for (const [opcode, execute] of [...computingSteps, ...memorySteps, ...flowSteps, ...callSteps])
  executors[opcode] = execute;

/** Executes at most `most` steps. Returns false when the replay has ended. */
export function executeSteps(execution: Execution, most: number): boolean {
  for (let left = most; left > 0 && execution.end === undefined; left--) {
    const activation = execution.active.at(-1);
    if (activation === undefined) handleIdleEvent(execution);
    else {
      const step = activation.code.steps[activation.at] as Step;
      executors[step.opcode]?.(execution, activation, step);
    }
  }
  return execution.end === undefined;
}
