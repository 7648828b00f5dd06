import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  covers,
  distances,
  mayMeet,
  movedBy,
  type Offsets,
  single,
  sum,
  unbounded,
  widened,
} from '../../../src/program/dependence/memory/offsets.js';

const far = 64;

/** The members of a set up to a limit. */
function members({ first, step, last }: Offsets): number[] {
  if (step === 0) return [first];
  const found: number[] = [];
  for (let at = first; at <= Math.min(last, far); at += step) found.push(at);
  return found;
}

const offsets: fc.Arbitrary<Offsets> = fc.oneof(
  fc.nat(24).map(single),
  fc
    .record({ first: fc.nat(12), step: fc.integer({ min: 1, max: 9 }), count: fc.nat(5) })
    .map(({ first, step, count }) =>
      count === 0 ? single(first) : { first, step, last: first + step * count },
    ),
  fc.record({ first: fc.nat(12), step: fc.integer({ min: 1, max: 9 }) }).map(({ first, step }) => ({
    first,
    step,
    last: Number.POSITIVE_INFINITY,
  })),
);
const bytes = fc.oneof(fc.integer({ min: 1, max: 10 }), fc.constant(Number.POSITIVE_INFINITY));

test('sum contains every sum of two members', () => {
  fc.assert(
    fc.property(offsets, offsets, (a, b) => {
      const total = sum(a, b);
      for (const x of members(a).slice(0, 4))
        for (const y of members(b).slice(0, 4)) expect(covers(total, single(x + y))).toBe(true);
    }),
  );
});

test('movedBy takes a pointer one past the last element back to the last', () => {
  fc.assert(
    fc.property(offsets, fc.integer({ min: 1, max: 4 }), (row, steps) => {
      fc.pre(row.step !== 0 && Number.isFinite(row.last));
      const back = movedBy(row, single(-steps * row.step));
      for (const at of [...members(row), row.last + row.step])
        expect(covers(back, single(at - steps * row.step))).toBe(true);
    }),
  );
});

test('covers holds only if all members are included', () => {
  fc.assert(
    fc.property(offsets, offsets, (a, b) => {
      if (covers(a, b)) for (const y of members(b)) expect(covers(a, single(y))).toBe(true);
    }),
  );
});

test('widened covers both sets and does not change if moved along its progression', () => {
  fc.assert(
    fc.property(offsets, offsets, fc.integer({ min: -5, max: 5 }), (a, b, times) => {
      const wide = widened(a, b);
      expect(covers(wide, a) && covers(wide, b)).toBe(true);
      expect(sum(wide, single(times * wide.step))).toEqual(wide);
      expect(unbounded(wide)).toEqual(wide);
    }),
  );
});

test('mayMeet holds if any of their bytes overlap', () => {
  fc.assert(
    fc.property(offsets, bytes, offsets, bytes, (a, aBytes, b, bBytes) => {
      const isTouched = members(a).some((x) => members(b).some((y) => x < y + bBytes && y < x + aBytes));
      if (isTouched) expect(mayMeet(a, aBytes, b, bBytes)).toBe(true);
      if (a.step === 0 && b.step === 0) expect(mayMeet(a, aBytes, b, bBytes)).toBe(isTouched);
      expect(mayMeet(b, bBytes, a, aBytes)).toBe(mayMeet(a, aBytes, b, bBytes));
    }),
  );
});

test('distances are those between members whose bytes overlap', () => {
  fc.assert(
    fc.property(offsets, bytes, offsets, bytes, (a, aBytes, b, bBytes) => {
      const found = distances(a, aBytes, b, bBytes);
      expect(found !== undefined).toBe(mayMeet(a, aBytes, b, bBytes));
      for (const x of members(a).slice(0, 6))
        for (const y of members(b).slice(0, 6)) {
          const isTouched = x < y + bBytes && y < x + aBytes;
          // If unbounded below, one negative distance stands for all.
          if (isTouched && (y >= x || Number.isFinite(bBytes)))
            expect(covers(found as Offsets, single(y - x))).toBe(true);
        }
    }),
  );
});
