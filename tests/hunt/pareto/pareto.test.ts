import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packedPlaces, similarity } from '../../../src/coverage/packed.js';
import { classicalCrowding, traceCrowding } from '../../../src/hunt/pareto/crowding.js';
import { dominates, frontsOf, type Scores } from '../../../src/hunt/pareto/fronts.js';
import { crowdedTournaments, survivors, tournaments } from '../../../src/hunt/pareto/selection.js';

/** Few values, for many ties. */
const population = fc.integer({ min: 1, max: 4 }).chain((objectives) =>
  fc.array(fc.array(fc.integer({ min: 0, max: 6 }), { minLength: objectives, maxLength: objectives }), {
    maxLength: 30,
  }),
);

/** Repeatedly removes the members that no remaining member dominates. */
function plainFronts(all: readonly Scores[]): number[][] {
  const fronts: number[][] = [];
  let left = all.map((_, at) => at);
  while (left.length > 0) {
    const front = left.filter((a) => !left.some((b) => plainlyDominates(all[b] ?? [], all[a] ?? [])));
    fronts.push(front);
    left = left.filter((at) => !front.includes(at));
  }
  return fronts;
}

function plainlyDominates(a: Scores, b: Scores): boolean {
  return a.every((value, at) => value >= (b[at] ?? 0)) && a.some((value, at) => value > (b[at] ?? 0));
}

/** Searches the neighbours of each member for each objective. */
function plainCrowding(front: readonly Scores[]): number[] {
  return front.map((own, member) => {
    let sum = 0;
    own.forEach((_, objective) => {
      const ranked = front
        .map((scores, at) => ({ at, value: scores[objective] ?? 0 }))
        .sort((a, b) => a.value - b.value || a.at - b.at);
      const place = ranked.findIndex(({ at }) => at === member);
      const [low, high] = [ranked[0]?.value ?? 0, ranked.at(-1)?.value ?? 0];
      if (place === 0 || place === ranked.length - 1) sum = Number.POSITIVE_INFINITY;
      else if (high > low)
        sum += ((ranked[place + 1]?.value ?? 0) - (ranked[place - 1]?.value ?? 0)) / (high - low);
    });
    return sum;
  });
}

/** A run's log: the line number of each execution. Few lines, so that logs overlap. */
const log = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 20 });

/** Eq. 3: the overlap of two logs relative to their sizes, by striking lines out of the other log. */
function plainSimilarity(a: readonly number[], b: readonly number[]): number {
  const left = [...b];
  const common = a.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  // Two empty logs are equal.
  return a.length + b.length === 0 ? 1 : (2 * common.length) / (a.length + b.length);
}

/** Eq. 4: 1 minus the mean similarity to the others. */
function plainTraceCrowding(logs: readonly (readonly number[])[]): number[] {
  return logs.map((own, member) => {
    const others = logs.filter((_, at) => at !== member);
    const sum = others.reduce((all, other) => all + plainSimilarity(own, other), 0);
    return others.length === 0 ? 1 : 1 - sum / others.length;
  });
}

const packedLog = (lines: readonly number[]) => packedPlaces(lines.map((line) => [line, 1]));

describe('frontsOf and classicalCrowding', () => {
  it('equal a naive implementation on 10,000 populations', () => {
    fc.assert(
      fc.property(population, (all) => {
        const fronts = frontsOf(all);
        expect(fronts).toEqual(plainFronts(all));
        for (const front of fronts) {
          const scores = front.map((at) => all[at] ?? []);
          classicalCrowding(scores).forEach((distance, at) => {
            expect(distance).toBeCloseTo(plainCrowding(scores)[at] ?? 0, 9);
          });
        }
      }),
      { numRuns: 10_000 },
    );
  });

  it('put no two members of a front in dominance, and every later member behind a dominating one', () => {
    fc.assert(
      fc.property(population, (all) => {
        const fronts = frontsOf(all);
        const beats = (a: number, b: number): boolean => dominates(all[a] ?? [], all[b] ?? []);
        fronts.forEach((front, at) => {
          expect(front.some((a) => front.some((b) => beats(a, b)))).toBe(false);
          const before = fronts[at - 1];
          if (before !== undefined) expect(front.every((b) => before.some((a) => beats(a, b)))).toBe(true);
        });
      }),
    );
  });

  it('traceCrowding gives 1 minus the mean similarity', () => {
    const common: Readonly<Record<string, number>> = { ab: 0.374, ac: 1, bc: 0 };
    const similarity = (a: string, b: string): number => common[[a, b].sort().join('')] ?? Number.NaN;
    const [a, b, c] = traceCrowding(['a', 'b', 'c'], similarity);
    expect([a, b, c]).toEqual([1 - 1.374 / 2, 1 - 0.374 / 2, 0.5]);
    expect(traceCrowding(['a'], similarity)).toEqual([1]);
  });
});

describe('traceCrowding', () => {
  it('equals a naive implementation on 10,000 populations of logs', () => {
    fc.assert(
      fc.property(fc.array(log, { minLength: 1, maxLength: 12 }), (logs) => {
        const crowding = traceCrowding(logs.map(packedLog), similarity);
        expect(crowding).toHaveLength(logs.length);
        plainTraceCrowding(logs).forEach((plain, at) => {
          expect(crowding[at]).toBeCloseTo(plain, 9);
        });
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('selection', () => {
  const standings = [
    { front: 1, crowding: 0.9 },
    { front: 0, crowding: 0.2 },
    { front: 0, crowding: Number.POSITIVE_INFINITY },
    { front: 0, crowding: Number.POSITIVE_INFINITY },
  ];

  it('keeps earlier fronts, and the least crowded members of the last front', () => {
    expect(survivors(standings, 3)).toEqual([2, 3, 1]);
    expect(survivors(standings, 9)).toEqual([2, 3, 1, 0]);
  });

  it('prefers the better of two in tournaments', () => {
    const draws = [0, 1, 0, 0, 3, 0];
    expect(tournaments([1, 0, 0, 0], 3, () => draws.shift() ?? 0)).toEqual([1, 0, 3]);
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(1000)), (numbers) => {
        const pick = (below: number): number => Number(numbers.next().value) % below;
        const winners = crowdedTournaments(standings, 4, pick);
        // Every member takes part twice. The worst never meets a worse one, so the best always wins.
        expect(winners).toHaveLength(4);
        expect(winners.filter((at) => at === 0)).toHaveLength(0);
      }),
    );
  });
});
