import { isChain, type Operation, onIntegers } from './value.js';

const comparison = (holds: (a: bigint, b: bigint) => boolean): Operation =>
  onIntegers((...all) => isChain(all, holds));

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** SMT-LIB's remainder is never negative. */
const remainder = (a: bigint, b: bigint): bigint => {
  const size = absolute(b);
  return ((a % size) + size) % size;
};

/** Division by zero may have any value. */
const unlessZero = (operate: (a: bigint, b: bigint) => bigint): Operation =>
  onIntegers((...all) =>
    all.slice(1).includes(0n) ? undefined : all.reduce((left, right) => operate(left, right)),
  );

export const ints: Readonly<Record<string, Operation>> = {
  '+': onIntegers((...all) => all.reduce((a, b) => a + b)),
  '-': onIntegers((first, ...rest) => (rest.length === 0 ? -first : rest.reduce((a, b) => a - b, first))),
  '*': onIntegers((...all) => all.reduce((a, b) => a * b)),
  div: unlessZero((a, b) => (a - remainder(a, b)) / b),
  mod: unlessZero(remainder),
  abs: onIntegers((value) => absolute(value)),
  '<': comparison((a, b) => a < b),
  '<=': comparison((a, b) => a <= b),
  '>': comparison((a, b) => a > b),
  '>=': comparison((a, b) => a >= b),
};
