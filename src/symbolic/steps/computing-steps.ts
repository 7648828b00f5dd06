import type { Activation } from '../activation.js';
import { Opcode, type Step } from '../code.js';
import type { Execution, Executor } from '../execution.js';
import type { Instance } from '../instances.js';
import { bitsOfFloat, doubleOf, floatOf, highOfDouble, lowOfDouble } from '../values/floats.js';
import {
  bigOf,
  DivisionByZero,
  floatsCompare,
  highOfBig,
  integersCompare,
  lowOfBig,
  signExtend,
  signedNumber,
  truncate,
  truncateHigh,
} from '../values/integers.js';

export const computingSteps: readonly Executor[] = [
  [Opcode.integer, computeInteger],
  [Opcode.compareIntegers, compareIntegers],
  [Opcode.float, computeFloat],
  [Opcode.compareFloats, compareFloats],
  [Opcode.negate, negateFloat],
  [Opcode.cast, castValue],
  [Opcode.element, elementAddress],
  [Opcode.extract, extractPart],
  [Opcode.insert, insertPart],
  [Opcode.copy, (execution, activation, step) => copyValue(execution, activation, step, 0)],
  [
    Opcode.select,
    (execution, activation, step) => {
      const isFirst = (execution.operandLow(activation, step, 0) & 1) === 1;
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
  const left = execution.operandRegister(activation, step, 0);
  const right = execution.operandRegister(activation, step, 1);
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
    if (execution.stream.event === undefined || !execution.reachesEnd())
      execution.diverge(activation, 'the replay divides by zero but the program did not');
  }
}

function compareIntegers(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs } = execution.registers;
  const left = execution.operandRegister(activation, step, 0);
  const right = execution.operandRegister(activation, step, 1);
  const instance = execution.begin(activation, step);
  const holds = integersCompare(
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
  const left = execution.operandRegister(activation, step, 0);
  const right = execution.operandRegister(activation, step, 1);
  const instance = execution.begin(activation, step);
  const [a, b] = [floatAt(execution, left, step.bits), floatAt(execution, right, step.bits)];
  const value = floatOperations.get(step.kind)?.(a, b) ?? Number.NaN;
  if (Number.isNaN(value)) {
    const from = Number.isNaN(a) ? left : Number.isNaN(b) ? right : undefined;
    finishNaN(execution, activation, step, instance, from);
  } else finishFloat(execution, activation, step, instance, value, step.bits);
}

/** A NaN operand is passed on. A new NaN has the bits that the processor gives it. */
function finishNaN(
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
  const [left, right] = [
    execution.operandRegister(activation, step, 0),
    execution.operandRegister(activation, step, 1),
  ];
  const instance = execution.begin(activation, step);
  const holds = floatsCompare(
    step.kind,
    floatAt(execution, left, step.bits),
    floatAt(execution, right, step.bits),
  );
  execution.finish(activation, step, instance, holds ? 1 : 0, 0);
}

function negateFloat(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs } = execution.registers;
  const place = execution.operandRegister(activation, step, 0);
  const instance = execution.begin(activation, step);
  const [low, high] = [lows[place] ?? 0, highs[place] ?? 0];
  const sign = -0x80000000;
  if (step.bits === 32) execution.finish(activation, step, instance, low ^ sign, 0);
  else execution.finish(activation, step, instance, low, high ^ sign);
}

/** `bits` is the width of the operand, `bytes` the width of the result. */
function castValue(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs } = execution.registers;
  const place = execution.operandRegister(activation, step, 0);
  const instance = execution.begin(activation, step);
  const { bits, bytes: wanted, kind } = step;
  const [low, high] = [lows[place] ?? 0, highs[place] ?? 0];
  if (kind === 'sext') {
    const [signedLow, signedHigh] = signExtended(low, high, bits);
    execution.finish(
      activation,
      step,
      instance,
      truncate(signedLow, wanted),
      truncateHigh(signedHigh, wanted),
    );
  } else if (kind === 'sitofp' || kind === 'uitofp' || kind === 'fpext' || kind === 'fptrunc') {
    const whole = bigOf(low, high);
    const value = kind.startsWith('fp')
      ? floatAt(execution, place, bits)
      : Number(kind === 'sitofp' ? BigInt.asIntN(bits, whole) : whole);
    finishFloat(execution, activation, step, instance, value, wanted);
  } else execution.finish(activation, step, instance, truncate(low, wanted), truncateHigh(high, wanted));
}

function signExtended(low: number, high: number, bits: number): [low: number, high: number] {
  if (bits > 32) return [low, bits === 64 ? high : (high << (64 - bits)) >> (64 - bits)];
  const value = signExtend(low, bits);
  return [value, value < 0 ? -1 : 0];
}

export function copyValue(execution: Execution, activation: Activation, step: Step, operand: number): void {
  const place = execution.operandRegister(activation, step, operand);
  const instance = execution.begin(activation, step);
  const { lows, highs } = execution.registers;
  execution.finish(activation, step, instance, lows[place] ?? 0, highs[place] ?? 0);
}

function elementAddress(execution: Execution, activation: Activation, step: Step): void {
  const { lows, highs } = execution.registers;
  const base = execution.operandRegister(activation, step, 0);
  const instance = execution.begin(activation, step);
  let offset = step.bytes;
  for (let term = 0; term < step.strides.length; term++) {
    const place = execution.operandRegister(activation, step, term + 1);
    const index = signedNumber(lows[place] ?? 0, highs[place] ?? 0, step.targets[term] ?? 64);
    offset += index * (step.strides[term] ?? 0);
  }
  const low = execution.integers.addOffset(lows[base] ?? 0, highs[base] ?? 0, offset);
  execution.finish(activation, step, instance, low, execution.integers.high);
}

function extractPart(execution: Execution, activation: Activation, step: Step): void {
  const whole = execution.wides.get(execution.operandLow(activation, step, 0));
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
  const whole = wides.get(execution.operandLow(activation, step, 0));
  const place = execution.operandRegister(activation, step, 1);
  const instance = execution.begin(activation, step);
  const [low, high] = [lows[place] ?? 0, highs[place] ?? 0];
  const given = isPlain(step) ? [bigOf(low, high)] : wides.get(low);
  const parts = Array.from({ length: step.bits }, (_, at) => whole[at] ?? 0n);
  for (const [at] of step.leaves.entries()) parts[step.bytes + at] = given[at] ?? 0n;
  execution.finish(activation, step, instance, wides.add(parts), 0);
}

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
