import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bigOf, highOfBig, Integers, integersCompare, lowOfBig } from '../../src/symbolic/values/integers.js';

type Operation = (a: bigint, b: bigint, bits: number) => bigint;

const signed = (value: bigint, bits: number): bigint => BigInt.asIntN(bits, value);

const operations: Readonly<Record<string, Operation>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  udiv: (a, b) => a / b,
  urem: (a, b) => a % b,
  sdiv: (a, b, bits) => signed(a, bits) / signed(b, bits),
  srem: (a, b, bits) => signed(a, bits) % signed(b, bits),
  shl: (a, b, bits) => a << (b % BigInt(bits)),
  lshr: (a, b, bits) => a >> (b % BigInt(bits)),
  ashr: (a, b, bits) => signed(a, bits) >> (b % BigInt(bits)),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

const widths = fc.constantFrom(1, 8, 16, 24, 32, 33, 48, 63, 64);
/** Integers of all magnitudes, uniformly by number of bits. */
const values = fc
  .tuple(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), fc.integer({ min: 0, max: 63 }))
  .map(([value, shift]) => value >> BigInt(shift));

describe('integers in two halves', () => {
  it.each(Object.entries(operations))('%s equals the operation on bigints', (name, operation) => {
    const integers = new Integers();
    fc.assert(
      fc.property(widths, values, values, (bits, left, right) => {
        const [a, b] = [BigInt.asUintN(bits, left), BigInt.asUintN(bits, right)];
        fc.pre(b !== 0n || !/div|rem/.test(name));
        const low = integers.binary(name, bits, lowOfBig(a), highOfBig(a), lowOfBig(b), highOfBig(b));
        expect(bigOf(low, integers.high)).toBe(BigInt.asUintN(bits, operation(a, b, bits)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('comparisons equal those of bigints', () => {
    fc.assert(
      fc.property(widths, values, values, (bits, left, right) => {
        const [a, b] = [BigInt.asUintN(bits, left), BigInt.asUintN(bits, right)];
        const holds = (predicate: string): boolean =>
          integersCompare(predicate, bits, lowOfBig(a), highOfBig(a), lowOfBig(b), highOfBig(b));
        expect(['eq', 'ult', 'uge', 'slt', 'sle', 'sgt'].map(holds)).toEqual([
          a === b,
          a < b,
          a >= b,
          signed(a, bits) < signed(b, bits),
          signed(a, bits) <= signed(b, bits),
          signed(a, bits) > signed(b, bits),
        ]);
      }),
      { numRuns: 2_000 },
    );
  });
});
