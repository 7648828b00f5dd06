import { describe, expect, it } from 'vitest';
import { type PackedCounts, packedPlaces } from '../../../src/coverage/packed.js';
import type { Kind } from '../../../src/hunt/kind.js';
import { strategies } from '../../../src/hunt/strategies/index.js';
import type { SearchInput, Step, Trial } from '../../../src/hunt/strategy.js';
import { Random } from '../../../src/machine/index.js';
import type { Runs } from '../../../src/solver/index.js';
import { drive, input, isFound, isTrial } from '../../simulated/search.js';
import { ended, formulaOf, timedOut } from '../../simulated/solver.js';

const { 'culprit-coverage': counting } = strategies;

const startOf = (options: Readonly<Record<string, unknown>> = {}, on: Partial<SearchInput> = {}) =>
  counting.start({ ...input, ...on }, counting.options.parse(options));

const quick: Runs = [undefined, ended('sat', 5)];
const slow: Runs = [ended('sat', 5), { ...timedOut(2000), work: { 'seq branch': 90 } }];

describe('culprit-coverage', () => {
  it('requests coverage of every formula except those it shrinks', () => {
    const steps = drive(startOf({ pursuitShare: 0.5 }).lane(Random.fromSeed(3)), 600).filter(isTrial);
    expect(steps.some(({ origin }) => origin === 'simplified')).toBe(true);
    for (const { origin, isCounted } of steps) expect(isCounted ?? false).toBe(origin !== 'simplified');
  });

  it('mutates formulas that reached new code, even if none came close to a slowdown', () => {
    const search = startOf({ turnMs: 0, reachReward: 0, unlikelihood: 0 });
    const origins = drive(search.lane(Random.fromSeed(1)), 400, () => quick)
      .filter(isTrial)
      .map(({ origin }) => origin);
    expect(origins).toContain('mutated');
    expect(search.view().parameters.reached).toBeGreaterThan(5);
  });

  it('rewards sources whose formulas reach new code', () => {
    const tries = (reachReward: number): number => {
      const search = startOf({ reachReward });
      drive(search.lane(Random.fromSeed(1)), 50, () => quick);
      return search.view().beliefs.reduce((sum, { mean }) => sum + mean, 0);
    };
    expect(tries(1)).toBeGreaterThan(tries(0));
  });
});

describe('a slowdown in culprit-coverage', () => {
  const known: Kind = {
    ...{ answer: 'sat', operators: ['str.++'], since: 1 },
    busy: { counter: 'seq branch', isAlone: true },
  };
  /** The same operators, so that only coverage separates them; simulated coverage depends on operators too. */
  const alike = formulaOf('(assert (= x (str.++ x "a")))');
  const another = formulaOf('(assert (= x (str.++ x (str.at x 1) (str.replace x x x))))');
  const foundOf = (
    options: Readonly<Record<string, unknown>>,
    corpus: SearchInput['corpus'],
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

  it('of a known kind is presumed known if its coverage is similar', () => {
    const [first, second] = foundOf({ otherWork: 0.9 }, [alike, alike]);
    // No coverage was recorded before.
    expect(first).toMatchObject({ isPresumed: false });
    expect(second).toMatchObject({ isPresumed: true });
  });

  it('of an earlier campaign’s kind is presumed known, whatever its coverage', () => {
    for (const found of foundOf({ otherWork: 1 }, [alike, another], { recalled: [known] }))
      expect(found).toMatchObject({ isPresumed: true });
  });

  it('of a known kind is shrunk if its coverage differs', () => {
    expect(foundOf({ otherWork: 0.9 }, [alike, another])[1]).toMatchObject({ isPresumed: false });
    expect(foundOf({ otherWork: 0 }, [alike, another])[1]).toMatchObject({ isPresumed: true });
  });

  it('is compared by growth over the older version if that version counts too', () => {
    const grownBy = ({ formula }: Trial) => packedPlaces([[formula === alike ? 1 : 2, 7]]);
    // The same places, but the older version executes them too.
    const same = { ...alike };
    expect(foundOf({ otherWork: 0.9 }, [alike, same])[1]).toMatchObject({ isPresumed: true });
    expect(foundOf({ otherWork: 0.9 }, [alike, same], { grownBy })[1]).toMatchObject({ isPresumed: false });
    expect(foundOf({ otherWork: 0.9 }, [another, same], { grownBy })[1]).toMatchObject({ isPresumed: true });
  });

  it('of an unknown kind is presumed known if its coverage is nearly identical', () => {
    const strange = formulaOf('(assert (str.is_digit x))');
    const [, again] = foundOf({ sameWork: 0.99, pursuitShare: 0 }, [strange, strange], { learned: [] });
    expect(again).toMatchObject({ isPresumed: true });
    expect(foundOf({ sameWork: 1, pursuitShare: 0 }, [strange, strange], { learned: [] })[1]).toMatchObject({
      isPresumed: false,
    });
  });
});
