/** Handles the events of a record: calls, jumps, exceptions and signals between the recorded numbers. */

import type { Activation } from './activation.js';
import type { Step } from './code.js';
import type { Execution } from './execution.js';
import { type Instance, nowhere } from './instances.js';
import { events } from './stream.js';

const handlers: ReadonlyMap<number, (execution: Execution, activation: Activation | undefined) => void> =
  new Map([
    [events.entered, enterFromOutside],
    [events.jumped, returnByJump],
    [events.caught, catchException],
  ]);

/**
 * True if a number is next. Otherwise handles the event. The caller's step is repeated afterwards, unless the run
 * ended.
 */
export function isNumberNext(execution: Execution, activation: Activation): boolean {
  if (execution.stream.event === undefined) return true;
  handleEvent(execution, activation);
  return false;
}

/** No traced function is active; untraced code may call one. */
export function handleIdleEvent(execution: Execution): void {
  if (execution.stream.event === undefined)
    execution.diverge(undefined, 'the record goes on where nothing is executed');
  else handleEvent(execution, undefined);
}

function handleEvent(execution: Execution, activation: Activation | undefined): void {
  const { stream } = execution;
  if (execution.reachesEnd()) return;
  const handle = handlers.get(stream.event ?? events.end);
  if (handle === undefined) execution.diverge(activation, 'code outside returns to where it was not called');
  else handle(execution, activation);
}

function enterFromOutside(execution: Execution, activation: Activation | undefined): void {
  execution.stream.skipEvent();
  const address = execution.stream.takeSmall() ?? 0;
  const code = execution.functionAt(address);
  if (code === undefined) {
    execution.diverge(activation, `the function at 0x${address.toString(16)} is in no module that is known`);
    return;
  }
  const called = execution.enterFunction(code, activation?.pending ?? nowhere, true);
  for (const step of code.parameters) {
    const place = called.base + step.result;
    const isCopy = step.bytes > 0;
    if (!isCopy && execution.stream.event !== undefined) {
      if (!execution.reachesEnd()) execution.diverge(called, 'an argument is missing');
      return;
    }
    if (!isCopy) execution.values.takeResult(step);
    execution.registers.lows[place] = isCopy ? 0 : execution.values.low;
    execution.registers.highs[place] = isCopy ? 0 : execution.values.high;
    execution.registers.definitions[place] = nowhere;
  }
  const [first] = code.parameters;
  if (activation === undefined || activation.pending > nowhere || first === undefined) return;
  const given = execution.registers.lows[called.base + first.result] ?? 0;
  if (faultSignals.has(given)) execution.setCaller(called, interruptedStep(execution, activation));
}

/**
 * SIGILL, SIGTRAP, SIGBUS, SIGFPE and SIGSEGV, by their numbers on Linux. They are caused by the interrupted
 * instruction, so this instruction counts as the caller of the handler.
 */
const faultSignals: ReadonlySet<number> = new Set([4, 5, 7, 8, 11]);

/** The step that was interrupted or will be repeated. It may be slightly earlier, because stores are not recorded. */
function interruptedStep(execution: Execution, activation: Activation): Instance {
  const step = activation.code.steps[activation.at] as Step;
  const instance = execution.begin(activation, step);
  // A load has a further operand: the writer of the bytes it would have read.
  if (step.instruction?.op === 'load') execution.instances.addOperand(nowhere);
  execution.interrupted.add(instance);
  return instance;
}

/** Returns to the activation with this count; undefined if there is none. */
function unwindTo(execution: Execution, count: number): Activation | undefined {
  const at = execution.active.findLastIndex((activation) => activation.returnNumber === count);
  if (at === -1) return undefined;
  execution.active.length = at + 1;
  return execution.active[at];
}

function returnByJump(execution: Execution, activation: Activation | undefined): void {
  const { stream } = execution;
  stream.skipEvent();
  const [count, number] = [stream.takeSmall() ?? -1, stream.takeSmall() ?? -1];
  const target = unwindTo(execution, count);
  const at = target?.code.jumpCalls[number];
  if (target === undefined || at === undefined) {
    execution.diverge(activation, 'a jump leads back to nowhere');
    return;
  }
  const step = target.code.steps[at] as Step;
  const isFirst = target.pending >= 0 && target.at === at;
  target.at = at;
  target.block = step.block;
  const instance = isFirst ? target.pending : execution.begin(target, step);
  target.pending = -1;
  execution.values.takeResult(step);
  execution.possibleWriters.push({ instance, given: [] });
  execution.setResult(target, step.result, instance, execution.values.low, execution.values.high);
  execution.continueAfter(target, step);
}

function catchException(execution: Execution, activation: Activation | undefined): void {
  const { stream } = execution;
  stream.skipEvent();
  const [count, number] = [stream.takeSmall() ?? -1, stream.takeSmall() ?? -1];
  const target = unwindTo(execution, count);
  const at = target?.code.pads[number];
  if (target === undefined || at === undefined) {
    execution.diverge(activation, 'an exception is caught nowhere');
    return;
  }
  target.pending = -1;
  execution.enterBlock(target, (target.code.steps[at] as Step).block);
  target.at = at;
}

/**
 * A call that does not return. An exception may pass through untraced code, which then continues as if the called
 * function had returned.
 */
export function unwind(execution: Execution, activation: Activation): void {
  const { event } = execution.stream;
  const outside = execution.active.findLastIndex(({ isFromOutside: isOutside }) => isOutside);
  if (event !== undefined && event !== events.returned) handleEvent(execution, activation);
  else if (outside <= 0) execution.diverge(activation, 'a call that cannot return has returned');
  else execution.active.length = outside;
}
