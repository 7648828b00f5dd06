import type { Activation } from '../activation.js';
import { Opcode, type Step } from '../code.js';
import { isNumberNext, unwind } from '../events.js';
import type { Execution, Executor } from '../execution.js';

export const flowSteps: readonly Executor[] = [
  [Opcode.jump, jump],
  [Opcode.branch, branch],
  [Opcode.switch, switchTo],
  [Opcode.indirectJump, jumpIndirect],
  [Opcode.enterPad, enterPad],
  [Opcode.resume, resumeUnwinding],
  [
    Opcode.unreachable,
    (execution, activation) => execution.diverge(activation, 'the replay reached unreachable code'),
  ],
  [
    Opcode.nothing,
    (execution, activation, step) => {
      execution.begin(activation, step);
      activation.at++;
    },
  ],
];

function jump(execution: Execution, activation: Activation, step: Step): void {
  execution.begin(activation, step);
  execution.enterBlock(activation, step.targets[0] ?? 0);
}

function branch(execution: Execution, activation: Activation, step: Step): void {
  execution.begin(activation, step);
  const isTaken = (execution.operandLow(activation, step, 0) & 1) === 1;
  execution.enterBlock(activation, step.targets[isTaken ? 0 : 1] ?? 0);
}

function switchTo(execution: Execution, activation: Activation, step: Step): void {
  const value = execution.operandNumber(activation, step, 0);
  execution.begin(activation, step);
  execution.enterBlock(activation, step.cases.get(value) ?? step.targets[0] ?? 0);
}

/** The target block records its number when it is entered. */
function jumpIndirect(execution: Execution, activation: Activation, step: Step): void {
  if (!isNumberNext(execution, activation)) return;
  const { position } = execution.stream;
  const block = execution.stream.takeSmall() ?? -1;
  execution.stream.position = position;
  if (step.targets.includes(block)) {
    execution.begin(activation, step);
    execution.enterBlock(activation, block);
  } else execution.diverge(activation, 'an indirect jump has an unknown target');
}

function enterPad(execution: Execution, activation: Activation, step: Step): void {
  if (!isNumberNext(execution, activation)) return;
  if (execution.stream.takeSmall() === step.bytes) activation.at++;
  else execution.diverge(activation, 'the program took another branch than the replay');
}

function resumeUnwinding(execution: Execution, activation: Activation, step: Step): void {
  if (activation.pending < 0) activation.pending = execution.begin(activation, step);
  unwind(execution, activation);
}
