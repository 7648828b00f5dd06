/** Steps that compute with registers. */

import type { Activation } from './activation.js';
import { does, type Step } from './code.js';
import type { Execution } from './execution.js';
import type { Executor } from './executor.js';
import { bitsOfFloat, doubleOf, floatOf, highOfDouble, lowOfDouble } from './floats.js';
import type { Instance } from './instances.js';
import {
  bigOf,
  clipped,
  clippedHigh,
  compared,
  comparedFloats,
  DivisionByZero,
  highOfBig,
  lowOfBig,
  signed,
  signedNumber,
} from './integers.js';

export const computingSteps: readonly Executor[] = [
  [does.integer, computeInteger],
  [does.compareIntegers, compareIntegers],
  [does.float, computeFloat],
  [does.compareFloats, compareFloats],
  [does.negate, negateFloat],
  [does.cast, castValue],
  [does.element, elementAddress],
  [does.extract, extractPart],
  [does.insert, insertPart],
  [does.copy, (execution, activation, step) => copyValue(execution, activation, step, 0)],
  [
    does.select,
    (execution, activation, step) => {
      const isFirst = (execution.lowOf(activation, step, 0) & 1) === 1;
      copyValue(execution, activation, step, isFirst ? 1 : 2);
    },
  ],
];

const floatOperations: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ['fadd', (a, b) => a + b],
  ['fsub', (a, b) => a - b],
  ['fmul', (a, b) => a * b],
  ['fdiv', (a, b) => a / b],
  ['frem', (a, b) => a % b],
]);

function computeInteger(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs } = execution.registers;
  const left = execution.placeOf(activation, step, 0);
  const right = execution.placeOf(activation, step, 1);
  const instance = execution.begin(activation, step);
  try {
    const low = execution.integers.binary(
      step.kind,
      step.bits,
      lows[left] ?? 0,
      highs[left] ?? 0,
      lows[right] ?? 0,
      highs[right] ?? 0,
    );
    execution.finish(activation, step, instance, low, execution.integers.high);
  } catch (error) {
    if (!(error instanceof DivisionByZero)) throw error;
    if (execution.stream.event === undefined || !execution.ends())
      execution.diverge(activation, 'the replay divides by zero, and the program did not');
  }
}

function compareIntegers(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs } = execution.registers;
  const left = execution.placeOf(activation, step, 0);
  const right = execution.placeOf(activation, step, 1);
  const instance = execution.begin(activation, step);
  const holds = compared(
    step.kind,
    step.bits,
    lows[left] ?? 0,
    highs[left] ?? 0,
    lows[right] ?? 0,
    highs[right] ?? 0,
  );
  execution.finish(activation, step, instance, holds ? 1 : 0, 0);
}

function computeFloat(execution: Execution, activation: Activation, step: Step): void {
  const left = execution.placeOf(activation, step, 0);
  const right = execution.placeOf(activation, step, 1);
  const instance = execution.begin(activation, step);
  const [a, b] = [floatAt(execution, left, step.bits), floatAt(execution, right, step.bits)];
  const value = floatOperations.get(step.kind)?.(a, b) ?? Number.NaN;
  if (Number.isNaN(value)) {
    const from = Number.isNaN(a) ? left : Number.isNaN(b) ? right : undefined;
    finishNoNumber(execution, activation, step, instance, from);
  } else finishFloat(execution, activation, step, instance, value, step.bits);
}

/** A NaN operand is passed on. A new NaN has the bits that the processor gives it. */
function finishNoNumber(
  execution: Execution,
  activation: Activation,
  step: Step,
  instance: Instance,
  from: number | undefined,
): void {
  const { lows, highs } = execution.registers;
  const isNegative = activation.code.image.plan.module.triple.startsWith('x86_64');
  const sign = isNegative ? -0x80000000 : 0;
  if (step.bits === 32) {
    const bits = from === undefined ? sign | 0x7fc00000 : (lows[from] ?? 0) | 0x400000;
    execution.finish(activation, step, instance, bits, 0);
  } else {
    const high = from === undefined ? sign | 0x7ff80000 : (highs[from] ?? 0) | 0x80000;
    execution.finish(activation, step, instance, from === undefined ? 0 : (lows[from] ?? 0), high);
  }
}

function compareFloats(execution: Execution, activation: Activation, step: Step): void {
  const [left, right] = [execution.placeOf(activation, step, 0), execution.placeOf(activation, step, 1)];
  const instance = execution.begin(activation, step);
  const holds = comparedFloats(
    step.kind,
    floatAt(execution, left, step.bits),
    floatAt(execution, right, step.bits),
  );
  execution.finish(activation, step, instance, holds ? 1 : 0, 0);
}

function negateFloat(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs } = execution.registers;
  const place = execution.placeOf(activation, step, 0);
  const instance = execution.begin(activation, step);
  const [low, high] = [lows[place] ?? 0, highs[place] ?? 0];
  const sign = -0x80000000;
  if (step.bits === 32) execution.finish(activation, step, instance, low ^ sign, 0);
  else execution.finish(activation, step, instance, low, high ^ sign);
}

/** `bits` is the width of the operand, `bytes` the width of the result. */
function castValue(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs } = execution.registers;
  const place = execution.placeOf(activation, step, 0);
  const instance = execution.begin(activation, step);
  const { bits, bytes: wanted, kind } = step;
  const [low, high] = [lows[place] ?? 0, highs[place] ?? 0];
  if (kind === 'sext') {
    const [signedLow, signedHigh] = signExtended(low, high, bits);
    execution.finish(activation, step, instance, clipped(signedLow, wanted), clippedHigh(signedHigh, wanted));
  } else if (kind === 'sitofp' || kind === 'uitofp' || kind === 'fpext' || kind === 'fptrunc') {
    const whole = bigOf(low, high);
    const value = kind.startsWith('fp')
      ? floatAt(execution, place, bits)
      : Number(kind === 'sitofp' ? BigInt.asIntN(bits, whole) : whole);
    finishFloat(execution, activation, step, instance, value, wanted);
  } else execution.finish(activation, step, instance, clipped(low, wanted), clippedHigh(high, wanted));
}

function signExtended(low: number, high: number, bits: number): [low: number, high: number] {
  if (bits > 32) return [low, bits === 64 ? high : (high << (64 - bits)) >> (64 - bits)];
  const value = signed(low, bits);
  return [value, value < 0 ? -1 : 0];
}

export function copyValue(execution: Execution, activation: Activation, step: Step, operand: number): void {
  const place = execution.placeOf(activation, step, operand);
  const instance = execution.begin(activation, step);
  const { lows, highs } = execution.registers;
  execution.finish(activation, step, instance, lows[place] ?? 0, highs[place] ?? 0);
}

function elementAddress(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs } = execution.registers;
  const base = execution.placeOf(activation, step, 0);
  const instance = execution.begin(activation, step);
  let offset = step.bytes;
  for (let term = 0; term < step.strides.length; term++) {
    const place = execution.placeOf(activation, step, term + 1);
    const index = signedNumber(lows[place] ?? 0, highs[place] ?? 0, step.targets[term] ?? 64);
    offset += index * (step.strides[term] ?? 0);
  }
  const low = execution.integers.moved(lows[base] ?? 0, highs[base] ?? 0, offset);
  execution.finish(activation, step, instance, low, execution.integers.high);
}

function extractPart(execution: Execution, activation: Activation, step: Step): void {
  const whole = execution.wides.get(execution.lowOf(activation, step, 0));
  const instance = execution.begin(activation, step);
  const parts = whole.slice(step.bytes, step.bytes + step.leaves.length);
  if (isPlain(step)) {
    const [bits = 0n] = parts;
    execution.finish(activation, step, instance, lowOfBig(bits), highOfBig(bits));
  } else execution.finish(activation, step, instance, execution.wides.add(parts), 0);
}

function insertPart(execution: Execution, activation: Activation, step: Step): void {
  const { wides } = execution;
  const { lows, highs } = execution.registers;
  const whole = wides.get(execution.lowOf(activation, step, 0));
  const place = execution.placeOf(activation, step, 1);
  const instance = execution.begin(activation, step);
  const [low, high] = [lows[place] ?? 0, highs[place] ?? 0];
  const given = isPlain(step) ? [bigOf(low, high)] : wides.get(low);
  const parts = Array.from({ length: step.bits }, (_, at) => whole[at] ?? 0n);
  for (const [at] of step.leaves.entries()) parts[step.bytes + at] = given[at] ?? 0n;
  execution.finish(activation, step, instance, wides.add(parts), 0);
}

/** Does the part fit into a register? */
function isPlain({ leaves }: Step): boolean {
  return leaves.length === 1 && leaves[0]?.form !== 'wide';
}

function floatAt(execution: Execution, place: number, bits: number): number {
  const { lows, highs } = execution.registers;
  return bits === 32 ? floatOf(lows[place] ?? 0) : doubleOf(lows[place] ?? 0, highs[place] ?? 0);
}

function finishFloat(
  execution: Execution,
  activation: Activation,
  step: Step,
  instance: Instance,
  value: number,
  bits: number,
): void {
  if (bits === 32) execution.finish(activation, step, instance, bitsOfFloat(value), 0);
  else execution.finish(activation, step, instance, lowOfDouble(value), highOfDouble(value));
}
