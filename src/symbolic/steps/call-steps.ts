import { calledName, isCall } from '../../program/ir/index.js';
import type { Activation } from '../activation.js';
import { type FunctionCode, Opcode, type Step } from '../code.js';
import { isNumberNext, unwind } from '../events.js';
import type { Execution, Executor } from '../execution.js';
import { type Instance, nowhere } from '../instances.js';
import { applyLibraryCall, isOutput } from '../library.js';
import { shownTexts, shownWords, startsProgram } from '../printed-values.js';
import { events } from '../stream.js';
import { bigOf, highOfBig, lowOfBig, unsignedNumber } from '../values/integers.js';

export const callSteps: readonly Executor[] = [
  [Opcode.enter, enterFunction],
  [Opcode.call, callFunction],
  [Opcode.jumpCall, jumpCall],
  [Opcode.return, returnFrom],
];

function enterFunction(execution: Execution, activation: Activation): void {
  const { code } = activation;
  const { plan } = code;
  const byValue = code.parameters.filter(({ bytes }) => bytes > 0);
  const isRecorded = byValue.length > 0 || plan.frameBytes > 0 || plan.threadLocals.length > 0;
  if (isRecorded && !isNumberNext(execution, activation)) return;
  for (const step of code.parameters) {
    const place = activation.base + step.result;
    const { lows, highs, definitions } = execution.registers;
    const [low, high] = [lows[place] ?? 0, highs[place] ?? 0];
    const instance = execution.instances.add(step.number, activation.number);
    execution.instances.addOperand(definitions[place] ?? nowhere);
    if (step.bytes === 0) {
      execution.setResult(activation, step.result, instance, low, high);
      continue;
    }
    execution.values.takeStackAddress();
    const from = unsignedNumber(low, high);
    const to = unsignedNumber(execution.values.low, execution.values.high);
    if (from !== 0) execution.copyMemory(to, from, step.bytes, instance);
    execution.setResult(activation, step.result, instance, execution.values.low, execution.values.high);
  }
  if (plan.frameBytes > 0) {
    execution.values.takeStackAddress();
    activation.frameLow = execution.values.low;
    activation.frameHigh = execution.values.high;
  }
  for (const name of plan.threadLocals) {
    execution.stream.takeNumber();
    const address = bigOf(execution.stream.low, execution.stream.high);
    for (const local of code.threadLocals)
      if (local.name === name) setAddress(execution, activation, local.register, address + local.offset);
  }
  if (plan.isCounted) activation.returnNumber = ++execution.returnNumbers;
  activation.at++;
}

function callFunction(execution: Execution, activation: Activation, step: Step): void {
  const address = execution.operandNumber(activation, step, 0);
  const code = activation.pending < 0 && !step.isOutside ? execution.functionAt(address) : undefined;
  if (code === undefined) callOutside(execution, activation, step, address);
  else callTraced(execution, activation, step, code);
}

function callTraced(execution: Execution, activation: Activation, step: Step, code: FunctionCode): void {
  const call = execution.begin(activation, step);
  const called = execution.enterFunction(code, call, false);
  const { lows, highs, definitions } = execution.registers;
  for (const [at] of code.parameters.entries()) {
    const place = at + 1 < step.operands.length ? execution.operandRegister(activation, step, at + 1) : -1;
    const to = called.base + at;
    lows[to] = place < 0 ? 0 : (lows[place] ?? 0);
    highs[to] = place < 0 ? 0 : (highs[place] ?? 0);
    definitions[to] = place < 0 ? nowhere : (definitions[place] ?? nowhere);
  }
}

function callOutside(execution: Execution, activation: Activation, step: Step, address: number): void {
  if (activation.pending < 0) {
    activation.pending = execution.begin(activation, step);
    const named =
      step.instruction !== undefined && isCall(step.instruction) ? step.instruction.callee : undefined;
    const name = (named && calledName(named)) ?? execution.image.nameAt(address);
    if (name !== undefined) {
      execution.outsideNames.set(activation.pending, name);
      if (isOutput(name) || startsProgram(name)) noteOutput(execution, activation, step, name);
    }
  }
  if (step.isLast) unwind(execution, activation);
  else if (takesResult(execution, activation, step)) {
    const instance = activation.pending;
    const { low, high } = execution.values;
    activation.pending = -1;
    noteEffects(execution, activation, step, instance);
    execution.setResult(activation, step.result, instance, low, high);
    execution.continueAfter(activation, step);
  }
}

/** Reads the memory that the call prints now, because it may change later. */
function noteOutput(execution: Execution, activation: Activation, step: Step, name: string): void {
  const { memory, outputs, reads, shown } = execution;
  const words = shownWords(name, argumentsOf(execution, activation, step), memory);
  outputs.push(activation.pending);
  const texts = shownTexts(words, memory);
  if (texts.length > 0) reads.set(activation.pending, texts);
  shown.set(activation.pending, words);
}

function argumentsOf(execution: Execution, activation: Activation, step: Step): readonly number[] {
  return Array.from({ length: step.operands.length - 1 }, (_, at) =>
    execution.operandNumber(activation, step, at + 1),
  );
}

/** Has the call returned? Handles an event that comes before its result. */
function takesResult(execution: Execution, activation: Activation, step: Step): boolean {
  const { stream, values } = execution;
  if (step.leaves.length > 0) {
    if (!isNumberNext(execution, activation)) return false;
    values.takeResult(step);
    return true;
  }
  values.low = 0;
  values.high = 0;
  if (stream.event === events.returned) {
    stream.skipEvent();
    return true;
  }
  if (isNumberNext(execution, activation))
    execution.diverge(activation, 'the record has a result of a call without one');
  return false;
}

function noteEffects(execution: Execution, activation: Activation, step: Step, instance: Instance): void {
  const { values } = execution;
  const given = argumentsOf(execution, activation, step);
  const name = execution.outsideNames.get(instance) ?? '';
  const result = unsignedNumber(values.low, values.high);
  const traffic = applyLibraryCall(name, { instance, arguments: given, result }, execution.memory);
  if (traffic === undefined) execution.possibleWriters.push({ instance, given });
  else {
    if (traffic.read.length > 0) execution.reads.set(instance, traffic.read);
    if (traffic.copiedTo !== undefined) execution.copies.set(instance, traffic.copiedTo);
    if (traffic.texts !== undefined) execution.texts.set(instance, traffic.texts);
  }
}

function jumpCall(execution: Execution, activation: Activation, step: Step): void {
  if (activation.pending < 0) activation.pending = execution.begin(activation, step);
  if (isNumberNext(execution, activation))
    execution.diverge(activation, 'a call that may return twice has no return event');
}

function returnFrom(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs } = execution.registers;
  const hasValue = step.operands.length > 0;
  const place = hasValue ? execution.operandRegister(activation, step, 0) : 0;
  const [low, high] = hasValue ? [lows[place] ?? 0, highs[place] ?? 0] : [0, 0];
  const instance = execution.begin(activation, step);
  execution.instances.lows[instance] = low;
  execution.instances.highs[instance] = high;
  execution.active.pop();
  const caller = execution.active.at(-1);
  if (activation.isFromOutside || caller === undefined) return;
  const call = caller.code.steps[caller.at] as Step;
  execution.setResult(caller, call.result, instance, low, high);
  execution.continueAfter(caller, call);
}

function setAddress(execution: Execution, activation: Activation, register: number, address: bigint): void {
  const place = activation.base + register;
  execution.registers.lows[place] = lowOfBig(address);
  execution.registers.highs[place] = highOfBig(address);
  execution.registers.definitions[place] = nowhere;
}
