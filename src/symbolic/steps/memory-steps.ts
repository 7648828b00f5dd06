import type { ScalarLeaf } from '../../program/compile/index.js';
import type { Activation } from '../activation.js';
import { Opcode, type Step } from '../code.js';
import { isNumberNext } from '../events.js';
import type { Execution, Executor } from '../execution.js';
import { nowhere } from '../instances.js';
import { severalWriters } from '../memory.js';
import { unsignedNumber } from '../values/integers.js';
import { copyValue } from './computing-steps.js';

export const memorySteps: readonly Executor[] = [
  [Opcode.privateAlloca, privateAlloca],
  [Opcode.frameAlloca, frameAlloca],
  [Opcode.stackAlloca, stackAlloca],
  [Opcode.privateLoad, privateLoad],
  [Opcode.load, loadScalar],
  [Opcode.wideLoad, wideLoad],
  [Opcode.privateStore, privateStore],
  [Opcode.store, storeScalar],
  [Opcode.wideStore, wideStore],
  [Opcode.recorded, takeRecorded],
  [Opcode.landingPad, takeRecorded],
  [Opcode.intrinsic, executeIntrinsic],
];

/** Largest stack allocation to mark as fresh. */
const mostFresh = 4096;
/** Limit of a copy or fill, since a damaged record may contain any length. */
const mostChanged = 1 << 24;

function privateAlloca(execution: Execution, activation: Activation, step: Step): void {
  const instance = execution.begin(activation, step);
  execution.setResult(activation, step.bytes, instance, 0, 0);
  execution.finish(activation, step, instance, 0, 0);
}

function frameAlloca(execution: Execution, activation: Activation, step: Step): void {
  const instance = execution.begin(activation, step);
  const low = execution.integers.addOffset(activation.frameLow, activation.frameHigh, step.bytes);
  const high = execution.integers.high;
  if (step.bits <= mostFresh * 8)
    execution.memory.markFresh(unsignedNumber(low, high), step.bits / 8, instance);
  execution.finish(activation, step, instance, low, high);
}

function stackAlloca(execution: Execution, activation: Activation, step: Step): void {
  if (!isNumberNext(execution, activation)) return;
  const instance = execution.begin(activation, step);
  execution.values.takeStackAddress();
  execution.finish(activation, step, instance, execution.values.low, execution.values.high);
}

function privateLoad(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs, definitions } = execution.registers;
  const slot = activation.base + step.bytes;
  const instance = execution.begin(activation, step);
  execution.instances.addOperand(definitions[slot] ?? nowhere);
  execution.finish(activation, step, instance, lows[slot] ?? 0, highs[slot] ?? 0);
}

function privateStore(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs } = execution.registers;
  const value = execution.operandRegister(activation, step, 0);
  const instance = execution.begin(activation, step);
  execution.setResult(activation, step.bytes, instance, lows[value] ?? 0, highs[value] ?? 0);
  activation.at++;
}

function loadScalar(execution: Execution, activation: Activation, step: Step): void {
  if (!isNumberNext(execution, activation)) return;
  const address = execution.operandNumber(activation, step, 0);
  const instance = execution.begin(activation, step);
  execution.values.takeLeaf(step.leaves[0] as ScalarLeaf);
  const [low, high] = [execution.values.low, execution.values.high];
  const writer = execution.memory.readWord(address, step.bytes, low, high);
  execution.instances.addOperand(writer === severalWriters ? execution.mixture(address, step.bytes) : writer);
  execution.finish(activation, step, instance, low, high);
}

function storeScalar(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs } = execution.registers;
  const value = execution.operandRegister(activation, step, 0);
  const address = execution.operandNumber(activation, step, 1);
  const instance = execution.begin(activation, step);
  const [low, high] = [lows[value] ?? 0, highs[value] ?? 0];
  execution.instances.lows[instance] = low;
  execution.instances.highs[instance] = high;
  if (execution.diesAt(address, step.bytes)) return;
  execution.memory.writeWord(address, step.bytes, low, high, instance);
  activation.at++;
}

function wideLoad(execution: Execution, activation: Activation, step: Step): void {
  if (!isNumberNext(execution, activation)) return;
  const address = execution.operandNumber(activation, step, 0);
  const instance = execution.begin(activation, step);
  const parts = execution.values.takeParts(step.leaves);
  for (const [at, leaf] of step.leaves.entries())
    for (const [offset, byte] of bytesOf(parts[at] ?? 0n, leaf.bits).entries())
      execution.memory.read(address + (step.strides[at] ?? 0) + offset, byte);
  execution.instances.addOperand(execution.mixture(address, step.bytes));
  execution.finish(activation, step, instance, execution.wides.add(parts), 0);
}

function wideStore(execution: Execution, activation: Activation, step: Step): void {
  const address = execution.operandNumber(activation, step, 1);
  const handle = execution.operandLow(activation, step, 0);
  const instance = execution.begin(activation, step);
  execution.instances.lows[instance] = handle;
  if (execution.diesAt(address, step.bytes)) return;
  const parts = execution.wides.get(handle);
  for (const [at, leaf] of step.leaves.entries())
    for (const [offset, byte] of bytesOf(parts[at] ?? 0n, leaf.bits).entries())
      execution.memory.write(address + (step.strides[at] ?? 0) + offset, byte, instance);
  activation.at++;
}

function takeRecorded(execution: Execution, activation: Activation, step: Step): void {
  if (!isNumberNext(execution, activation)) return;
  const instance = execution.begin(activation, step);
  execution.values.takeResult(step);
  const [low, high] = [execution.values.low, execution.values.high];
  if (step.instruction?.op === 'cmpxchg' || step.instruction?.op === 'atomicrmw')
    execution.memory.markWritten(execution.operandNumber(activation, step, 0), step.bytes, instance);
  execution.setResult(activation, step.result, instance, low, high);
  execution.continueAfter(activation, step);
}

function executeIntrinsic(execution: Execution, activation: Activation, step: Step): void {
  if (step.kind === 'same') copyValue(execution, activation, step, 1);
  else if (step.kind !== '') changeMemory(execution, activation, step);
  else {
    execution.begin(activation, step);
    execution.continueAfter(activation, step);
  }
}

function changeMemory(execution: Execution, activation: Activation, step: Step): void {
  const instance = execution.begin(activation, step);
  const to = execution.operandNumber(activation, step, 1);
  const length = Math.min(execution.operandNumber(activation, step, 3), mostChanged);
  if (execution.diesAt(to, length)) return;
  if (step.kind === 'fill') {
    const byte = execution.operandLow(activation, step, 2) & 0xff;
    for (let at = 0; at < length; at++) execution.memory.write(to + at, byte, instance);
  } else execution.copyMemory(to, execution.operandNumber(activation, step, 2), length, instance);
  execution.continueAfter(activation, step);
}

function bytesOf(value: bigint, bits: number): readonly number[] {
  return Array.from({ length: Math.ceil(bits / 8) }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));
}
