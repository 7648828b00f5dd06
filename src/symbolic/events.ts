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
    execution.diverge(undefined, 'the record continues although no function is active');
  else handleEvent(execution, undefined);
}

function handleEvent(execution: Execution, activation: Activation | undefined): void {
  const { stream } = execution;
  if (execution.reachesEnd()) return;
  const handle = handlers.get(stream.event ?? events.end);
  if (handle === undefined) execution.diverge(activation, 'untraced code returns without having been called');
  else handle(execution, activation);
}

function enterFromOutside(execution: Execution, activation: Activation | undefined): void {
  execution.stream.skipEvent();
  const address = execution.stream.takeSmall() ?? 0;
  const code = execution.functionAt(address);
  if (code === undefined) {
    execution.diverge(activation, `no known module has the function at 0x${address.toString(16)}`);
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

interface JumpTarget {
  readonly target: Activation;
  readonly at: number;
  readonly step: Step;
}

/** Reads the target of a jump or an exception, and drops the activations above it. Undefined if there is none. */
function takeTarget({ stream, active }: Execution, kind: 'jumpCalls' | 'pads'): JumpTarget | undefined {
  stream.skipEvent();
  const [count, number] = [stream.takeSmall() ?? -1, stream.takeSmall() ?? -1];
  const depth = active.findLastIndex(({ returnNumber }) => returnNumber === count);
  const target = active[depth];
  if (target === undefined) return undefined;
  active.length = depth + 1;
  const at = target.code[kind][number];
  return at === undefined ? undefined : { target, at, step: target.code.steps[at] as Step };
}

function returnByJump(execution: Execution, activation: Activation | undefined): void {
  const jump = takeTarget(execution, 'jumpCalls');
  if (jump === undefined) {
    execution.diverge(activation, 'a jump has an unknown target');
    return;
  }
  const { target, at, step } = jump;
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
  const caught = takeTarget(execution, 'pads');
  if (caught === undefined) {
    execution.diverge(activation, 'an exception has no landing pad');
    return;
  }
  const { target, at, step } = caught;
  target.pending = -1;
  execution.enterBlock(target, step.block);
  target.at = at;
}

/**
 * A call that does not return. An exception may pass through untraced code, which then continues as if the called
 * function had returned.
 */
export function unwind(execution: Execution, activation: Activation): void {
  const { event } = execution.stream;
  const outside = execution.active.findLastIndex(({ isFromOutside }) => isFromOutside);
  if (event !== undefined && event !== events.returned) handleEvent(execution, activation);
  else if (outside <= 0) execution.diverge(activation, 'a call that never returns has returned');
  else execution.active.length = outside;
}
