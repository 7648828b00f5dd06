import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastAssignment } from '../../../src/locate/lines/assignment.js';
import { matchedLines } from '../../../src/locate/lines/matched-lines.js';
import { Words, wordDistance } from '../../../src/locate/lines/word-distance.js';

const words = new Words();
const between = (a: string, b: string): number => wordDistance(words.of(a), words.of(b));

describe('wordDistance', () => {
  it.each([
    ['', '', 0],
    ['x = 1;', 'x  =  1 ;', 0],
    ['x = 1;', 'x = 2;', 1],
    ['a b c', 'b c', 1],
    ['f(a, b)', 'f(b, a)', 2],
    ['', 'return 0;', 3],
  ])('is correct for %s and %s', (a, b, distance) => {
    expect(between(a, b)).toBe(distance);
    expect(between(b, a)).toBe(distance);
  });

  it('equals the full dynamic-programming table', () => {
    const line = fc.array(fc.nat(3), { maxLength: 8 }).map((some) => Uint32Array.from(some));
    const plain = (a: Uint32Array, b: Uint32Array): number => {
      if (a.length === 0 || b.length === 0) return a.length + b.length;
      const [restA, restB] = [a.subarray(1), b.subarray(1)];
      if (a[0] === b[0]) return plain(restA, restB);
      return 1 + Math.min(plain(restA, b), plain(a, restB), plain(restA, restB));
    };
    fc.assert(
      fc.property(line, line, (a, b) => wordDistance(a, b) === plain(a, b)),
      { numRuns: 60 },
    );
  });
});

/** The minimal cost, by exhaustive search. */
function leastCost(costs: readonly (readonly number[])[], row = 0, used = 0): number {
  if (row === costs.length) return 0;
  const own = costs[row] ?? [];
  const free = own.flatMap((cost, column) =>
    used & (1 << column) ? [] : [cost + leastCost(costs, row + 1, used | (1 << column))],
  );
  // With fewer columns than rows, some rows have none.
  const without = costs.length > own.length ? [leastCost(costs, row + 1, used)] : [];
  const full = (count: number): boolean => count.toString(2).replaceAll('0', '').length === own.length;
  return Math.min(...free, ...without.filter((cost) => full(used) || Number.isFinite(cost)));
}

describe('leastAssignment', () => {
  it('has minimal cost', () => {
    const square = fc.integer({ min: 1, max: 5 });
    const costs = fc
      .tuple(square, square)
      .filter(([rows, columns]) => rows <= columns)
      .chain(([rows, columns]) =>
        fc.array(fc.array(fc.nat(9), { minLength: columns, maxLength: columns }), {
          minLength: rows,
          maxLength: rows,
        }),
      );
    fc.assert(
      fc.property(costs, (table) => {
        const columns = table[0]?.length ?? 0;
        const cost = (row: number, column: number): number => table[row]?.[column] ?? 0;
        const found = [...leastAssignment(table.length, columns, cost)];
        expect(new Set(found).size).toBe(table.length);
        expect(found.reduce((sum, column, row) => sum + cost(row, column), 0)).toBe(leastCost(table));
        // The transposed problem.
        const turned = [...leastAssignment(columns, table.length, (row, column) => cost(column, row))];
        expect(turned.filter((row) => row >= 0)).toHaveLength(table.length);
        expect(turned.reduce((sum, row, column) => sum + (row < 0 ? 0 : cost(row, column)), 0)).toBe(
          leastCost(table),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('of no rows is empty', () => {
    expect([...leastAssignment(0, 3, () => 1)]).toEqual([]);
    expect([...leastAssignment(2, 0, () => 1)]).toEqual([-1, -1]);
  });
});

describe('matchedLines', () => {
  it('equals the paper’s example: 359 becomes 365, and 355 to 358 have no successor', () => {
    const before = [
      'expr* e = kv.m_key;',
      'if (!var_mark.is_marked(e)) {',
      'mark_rec(fmls_mark, e);',
      '}',
      'index2expr.setx(kv.m_value, e, 0);',
    ];
    const after = ['index2expr.setx(kv.m_value, kv.m_key, 0);'];
    expect([...matchedLines(before, after)]).toEqual([4]);
    expect([...matchedLines(after, before)]).toEqual([-1, -1, -1, -1, 0]);
  });

  it('minimizes the total distance', () => {
    const line = fc
      .array(fc.constantFrom('a', 'b', 'c', '+'), { maxLength: 4 })
      .map((some) => some.join(' '));
    const block = fc.array(line, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(block, block, (before, after) => {
        const found = [...matchedLines(before, after)];
        const pairs = found.flatMap((from, to) => (from < 0 ? [] : [[from, to] as const]));
        expect(new Set(pairs.map(([from]) => from)).size).toBe(pairs.length);
        expect(pairs).toHaveLength(Math.min(before.length, after.length));
        const [few, many] = before.length <= after.length ? [before, after] : [after, before];
        const least = leastCost(few.map((one) => many.map((other) => between(one, other))));
        const own = pairs.map(([from, to]) => between(before[from] ?? '', after[to] ?? ''));
        expect(own.reduce((sum, distance) => sum + distance, 0)).toBe(least);
      }),
      { numRuns: 300 },
    );
  });

  it('splits blocks of thousands of lines', () => {
    const before = Array.from({ length: 3000 }, (_, at) => `int v${at} = f(${at});`);
    const after = before.map((line) => line.replace('int', 'long'));
    const found = matchedLines(before, after);
    const isNear = (from: number, to: number): boolean => Math.abs(from - to) < 300;
    expect(found.every((from, to) => from >= 0 && isNear(from, to))).toBe(true);
  });
});
