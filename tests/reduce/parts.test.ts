import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallestDifference, type TestResult } from '../../src/reduce/difference.js';
import { evenParts, type PartSearch, removeUnneeded, smallestPart } from '../../src/reduce/parts.js';

const asPublished: PartSearch<number> = { split: evenParts, afterHit: 'in two', finer: 'doubled' };
const minimal: PartSearch<number> = { split: evenParts, afterHit: 'in two', finer: 'up to single items' };
const auxiliary: PartSearch<number> = { split: evenParts, afterHit: 'as finely', finer: 'doubled' };

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at);
}

function holding(wanted: readonly number[]): (part: readonly number[]) => Promise<boolean> {
  return async (part) => wanted.every((item) => part.includes(item));
}

const someWanted = fc
  .integer({ min: 1, max: 40 })
  .chain((count) => fc.tuple(fc.constant(count), fc.subarray([...upTo(count)], { minLength: 1 })));

describe('smallestPart', () => {
  it('finds the needed items if the property is monotone', () =>
    fc.assert(
      fc.asyncProperty(someWanted, async ([count, wanted]) => {
        expect(await smallestPart(upTo(count), holding(wanted), minimal)).toEqual(wanted);
      }),
    ));

  it('with the published schemes, returns a superset of the needed items', () =>
    fc.assert(
      fc.asyncProperty(
        someWanted,
        fc.constantFrom(asPublished, auxiliary),
        async ([count, wanted], search) => {
          expect(await smallestPart(upTo(count), holding(wanted), search)).toEqual(
            expect.arrayContaining([...wanted]),
          );
        },
      ),
    ));

  it('with the published scheme, keeps an unneeded item of three', async () => {
    expect(await smallestPart(upTo(3), holding([0, 2]), asPublished)).toEqual([0, 1, 2]);
    expect(await smallestPart(upTo(3), holding([0, 2]), minimal)).toEqual([0, 2]);
  });

  it('is undefined if the whole set is not accepted', async () => {
    for (const search of [asPublished, minimal, auxiliary])
      expect(await smallestPart(upTo(9), async () => false, search)).toBeUndefined();
    expect(await smallestPart([], async () => false, minimal)).toBeUndefined();
  });

  it('returns a part without a removable item, even for erratic answers', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.infiniteStream(fc.boolean()),
        async (count, coins) => {
          const answers = new Map<string, boolean>();
          const accepts = async (part: readonly number[]): Promise<boolean> => {
            const key = part.join();
            const answer = answers.get(key) ?? (part.length === count || coins.next().value === true);
            answers.set(key, answer);
            return answer;
          };
          const part = (await smallestPart(upTo(count), accepts, minimal)) ?? [];
          expect(await accepts(part)).toBe(true);
          if (part.length > 1)
            for (const item of part)
              expect(await accepts(part.filter((other) => other !== item))).toBe(false);
        },
      ),
    ));
});

describe('smallestDifference', () => {
  it("follows AFTER's Fig. 9 and isolates change c3", async () => {
    // max(x, y) + |z| of 3, 2, 1 must be 4; each change is identified by its number.
    const passes = (changes: readonly number[]): boolean => {
      const [x, y, z] = [3, 2, 1];
      const isSorted = !changes.includes(1);
      const isFirst = changes.includes(2) ? x < y : x > y;
      const largest = isSorted || isFirst ? x : y;
      return largest + (changes.includes(3) ? -z : z) === 4;
    };
    const tried: string[] = [];
    const test = async (changes: readonly number[]): Promise<TestResult> => {
      const tested = passes(changes) ? 'passes' : 'fails';
      if (!tried.includes(`${changes} ${tested}`)) tried.push(`${changes} ${tested}`);
      return tested;
    };
    const found = await smallestDifference([1, 2, 3, 4], test);
    expect(tried).toEqual(['3,4 fails', '4 passes']);
    expect(found).toEqual({ passing: [4], failing: [3, 4], difference: [3] });
    expect(passes([1, 2, 4])).toBe(false);
    expect(passes([1, 4])).toBe(true);
  });

  it('isolates the one failing item', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.nat(), async (count, seed) => {
        const guilty = seed % count;
        const test = async (items: readonly number[]): Promise<TestResult> =>
          items.includes(guilty) ? 'fails' : 'passes';
        expect((await smallestDifference(upTo(count), test)).difference).toEqual([guilty]);
      }),
    ));

  it('ends between a passing and a failing set, also with unresolved tests', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 12 }),
        fc.infiniteStream(fc.constantFrom<TestResult>('passes', 'fails', 'unresolved')),
        async (count, coins) => {
          const known = new Map<string, TestResult>([
            ['', 'passes'],
            [upTo(count).join(), 'fails'],
          ]);
          const test = async (items: readonly number[]): Promise<TestResult> => {
            const tested = known.get(items.join()) ?? coins.next().value;
            known.set(items.join(), tested);
            return tested;
          };
          let tests = 0;
          const told: { readonly least: number; readonly before: number }[] = [];
          const { passing, failing, difference } = await smallestDifference(
            upTo(count),
            (items) => {
              tests++;
              return test(items);
            },
            (least) => told.push({ least, before: tests }),
          );
          for (const { least, before } of told) expect(tests - before).toBeGreaterThanOrEqual(least);
          expect(known.get(passing.join())).toBe('passes');
          expect(known.get(failing.join())).toBe('fails');
          expect(difference).toEqual(failing.filter((item) => !passing.includes(item)));
        },
      ),
    ));
});

describe('removeUnneeded', () => {
  it('keeps exactly the needed items', () =>
    fc.assert(
      fc.asyncProperty(someWanted, async ([count, wanted]) => {
        expect(await removeUnneeded(upTo(count), holding(wanted))).toEqual(wanted);
      }),
    ));

  it('needs one test per item if all are needed, and few tests if few are', async () => {
    let asked = 0;
    const counted = (wanted: readonly number[]) => async (part: readonly number[]) => {
      asked++;
      return holding(wanted)(part);
    };
    await removeUnneeded(upTo(4), counted(upTo(4)));
    expect(asked).toBe(4);
    asked = 0;
    await removeUnneeded([7], counted([7]));
    expect(asked).toBe(0);
    await removeUnneeded(upTo(4), counted(upTo(4)), [new Set([0, 1, 2])]);
    expect(asked).toBe(3);
    asked = 0;
    await removeUnneeded(upTo(100), counted([3]));
    expect(asked).toBeLessThan(16);
  });
});
