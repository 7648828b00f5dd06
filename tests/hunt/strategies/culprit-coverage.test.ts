import { describe, expect, it } from 'vitest';
import { type PackedCounts, packedPlaces } from '../../../src/coverage/packed.js';
import type { Kind } from '../../../src/hunt/kind.js';
import { strategies } from '../../../src/hunt/strategies/index.js';
import type { Ground, Step, Trial } from '../../../src/hunt/strategy.js';
import { Random } from '../../../src/machine/index.js';
import type { Runs } from '../../../src/solver/index.js';
import { drive, ground, isFound, isTrial } from '../../simulated/search.js';
import { ended, formulaOf, timedOut } from '../../simulated/solver.js';

const { 'culprit-coverage': counting } = strategies;

const startOf = (options: Readonly<Record<string, unknown>> = {}, on: Partial<Ground> = {}) =>
  counting.start({ ...ground, ...on }, counting.options.parse(options));

const quick: Runs = [undefined, ended('sat', 5)];
const slow: Runs = [ended('sat', 5), { ...timedOut(2000), work: { 'seq branch': 90 } }];

describe('culprit-coverage', () => {
  it('asks what each formula executes, but for those it shrinks', () => {
    const steps = drive(startOf({ pursuitShare: 0.5 }).lane(Random.fromSeed(3)), 600).filter(isTrial);
    expect(steps.some(({ origin }) => origin === 'simplified')).toBe(true);
    for (const { origin, isCounted } of steps) expect(isCounted ?? false).toBe(origin !== 'simplified');
  });

  it('changes formulas that reached something new, though nothing came near a slowdown', () => {
    const search = startOf({ turnMs: 0, reachReward: 0, unlikelihood: 0 });
    const origins = drive(search.lane(Random.fromSeed(1)), 400, () => quick)
      .filter(isTrial)
      .map(({ origin }) => origin);
    expect(origins).toContain('mutated');
    expect(search.view().parameters.reached).toBeGreaterThan(5);
  });

  it('thinks better of sources whose formulas reach something new', () => {
    const tries = (reachReward: number): number => {
      const search = startOf({ reachReward });
      drive(search.lane(Random.fromSeed(1)), 50, () => quick);
      return search.view().beliefs.reduce((sum, { mean }) => sum + mean, 0);
    };
    expect(tries(1)).toBeGreaterThan(tries(0));
  });
});

describe('a slowdown', () => {
  const known: Kind = {
    ...{ answer: 'sat', operators: ['str.++'], since: 1 },
    busy: { counter: 'seq branch', isAlone: true },
  };
  /** The same operators, so that nothing but what is executed tells them apart; that is by operators here, too. */
  const alike = formulaOf('(assert (= x (str.++ x "a")))');
  const another = formulaOf('(assert (= x (str.++ x (str.at x 1) (str.replace x x x))))');
  const foundOf = (
    options: Readonly<Record<string, unknown>>,
    corpus: Ground['corpus'],
    {
      grownBy,
      recalled = [],
      learned = [known],
    }: {
      readonly grownBy?: (trial: Trial) => PackedCounts;
      readonly recalled?: readonly Kind[];
      readonly learned?: readonly Kind[];
    } = {},
  ) => {
    const settings = { doubtProbability: 0, pursuitShare: 1, ...options };
    const search = startOf(settings, { corpus, known: recalled });
    for (const kind of learned) search.learn?.(kind);
    const steps: readonly Step[] = drive(
      search.lane(Random.fromSeed(1)),
      60,
      ({ origin }) => (origin === 'corpus' ? slow : quick),
      undefined,
      grownBy,
    );
    return steps.filter(isFound);
  };

  it('of a known kind is presumed to be that where the work is done in the same places', () => {
    const [first, second] = foundOf({ otherWork: 0.9 }, [alike, alike]);
    // Nothing was seen to be busy before.
    expect(first).toMatchObject({ isPresumed: false });
    expect(second).toMatchObject({ isPresumed: true });
  });

  it('of a kind that an earlier campaign found is presumed to be that, wherever the work is done', () => {
    for (const found of foundOf({ otherWork: 1 }, [alike, another], { recalled: [known] }))
      expect(found).toMatchObject({ isPresumed: true });
  });

  it('of a known kind is looked at where the work is done elsewhere', () => {
    expect(foundOf({ otherWork: 0.9 }, [alike, another])[1]).toMatchObject({ isPresumed: false });
    expect(foundOf({ otherWork: 0 }, [alike, another])[1]).toMatchObject({ isPresumed: true });
  });

  it('is told from others by what grew, where the older version counts, too', () => {
    const grownBy = ({ formula }: Trial) => packedPlaces([[formula === alike ? 1 : 2, 7]]);
    // The same places: but the older version executes them, too.
    const same = { ...alike };
    expect(foundOf({ otherWork: 0.9 }, [alike, same])[1]).toMatchObject({ isPresumed: true });
    expect(foundOf({ otherWork: 0.9 }, [alike, same], { grownBy })[1]).toMatchObject({ isPresumed: false });
    expect(foundOf({ otherWork: 0.9 }, [another, same], { grownBy })[1]).toMatchObject({ isPresumed: true });
  });

  it('of no known kind is presumed to be known where the work is done in the very same places', () => {
    const strange = formulaOf('(assert (str.is_digit x))');
    const [, again] = foundOf({ sameWork: 0.99, pursuitShare: 0 }, [strange, strange], { learned: [] });
    expect(again).toMatchObject({ isPresumed: true });
    expect(foundOf({ sameWork: 1, pursuitShare: 0 }, [strange, strange], { learned: [] })[1]).toMatchObject({
      isPresumed: false,
    });
  });
});
