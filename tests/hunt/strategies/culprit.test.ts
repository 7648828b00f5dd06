import { describe, expect, it } from 'vitest';
import type { Core } from '../../../src/hunt/core.js';
import { type Kind, KnownKinds, kindOf, significantOperators } from '../../../src/hunt/kind.js';
import { withoutKnownKinds } from '../../../src/hunt/strategies/ablation.js';
import { strategies } from '../../../src/hunt/strategies/index.js';
import type { SearchInput, Trial } from '../../../src/hunt/strategy.js';
import { Random } from '../../../src/machine/index.js';
import { measure, type Script, simplifications } from '../../../src/smtlib/index.js';
import { weight } from '../../../src/smtlib/simplifications/simplify.js';
import { type Runs, type Slowdown, slowdownIn } from '../../../src/solver/index.js';
import { drive, formulasIn, input, isFound, isTrial, outcomesIn } from '../../simulated/search.js';
import { ended, formulaOf, fullRuns, slowness, timedOut } from '../../simulated/solver.js';

const { culprit } = strategies;

const startOf = (options: Readonly<Record<string, unknown>> = {}, on: Partial<SearchInput> = {}) =>
  culprit.start({ ...input, ...on }, culprit.options.parse(options));

const slowdownOf = (runs: Runs): Slowdown => slowdownIn(runs, slowness) as Slowdown;

const kindIn = ({ formula, runs }: Core): Kind => kindOf(formula, runs, slowdownOf(runs), slowness);

const spentIn = (runs: Runs): number => runs.reduce((sum, run) => sum + (run?.wallMs ?? 0), 0);

const isKnownAmong = (kinds: readonly Kind[], formula: Script): boolean => {
  const runs = fullRuns(formula);
  return new KnownKinds(kinds).includes(kindOf(formula, runs, slowdownOf(runs), slowness));
};

/** The formula is slow only because of known kinds. */
const isNothingBesides = (kinds: readonly Kind[], formula: Script): boolean => {
  const rest = withoutKnownKinds(formula, new KnownKinds(kinds));
  if (rest === undefined || slowdownIn(fullRuns(rest), slowness) === undefined) return true;
  return isKnownAmong(kinds, rest);
};

const fromCode: Kind = { answer: 'sat', operators: ['str.from_code'], since: 1 };

describe('slowdowns that culprit finds', () => {
  const steps = drive(startOf({ shrinkTries: 2000, pursuitShare: 1 }).lane(Random.fromSeed(3)), 1500);
  const shrunk = outcomesIn(steps).flatMap(({ found, core }) =>
    core === undefined ? [] : [{ core, from: found.formula }],
  );

  it('are reported at once, and their core later', () => {
    expect(shrunk.length).toBeGreaterThan(1);
    for (const { core, from } of shrunk) expect(weight(core.formula)).toBeLessThanOrEqual(weight(from));
    expect(shrunk.some(({ core, from }) => core.formula !== from)).toBe(true);
    // A slowdown is reported directly after its measurement.
    for (const [at, step] of steps.entries()) {
      if (step.step !== 'found') continue;
      const before = steps[at - 1];
      expect(before !== undefined && isTrial(before) && before.formula).toBe(step.formula);
    }
  });

  it('have a slow core that no single step makes smaller', () => {
    for (const {
      core: { formula, runs },
    } of shrunk) {
      expect(runs).toEqual(fullRuns(formula));
      for (const simpler of simplifications(formula))
        expect(slowdownIn(fullRuns(simpler.make() as Script), slowness)).toBeUndefined();
    }
  });

  it('are presumed known, not shrunk, if they look like a known kind and are fast without it', () => {
    const search = startOf({ doubtProbability: 0, pursuitShare: 1 }, { known: [fromCode] });
    const outcomes = outcomesIn(drive(search.lane(Random.fromSeed(3)), 2000));
    const kinds: Kind[] = [fromCode];
    for (const {
      found: { formula: whole },
      core,
      isPresumed,
    } of outcomes) {
      expect(core === undefined).toBe(isPresumed);
      if (isKnownAmong(kinds, whole) && isNothingBesides(kinds, whole)) expect(isPresumed).toBe(true);
      // An intermediate formula may look like a known kind too.
      else if (isPresumed) expect(new KnownKinds(kinds).isLikely(significantOperators(whole))).toBe(true);
      else if (core !== undefined) kinds.push(kindIn(core));
    }
    expect(kinds.length).toBeGreaterThan(1);
    expect(outcomes.some(({ isPresumed }) => isPresumed)).toBe(true);
  });

  it('include presumed ones of kinds that it learns during the search', () => {
    const search = startOf({ doubtProbability: 0, pursuitShare: 1 });
    expect(search.view().parameters.kinds).toBe(0);
    search.learn?.(fromCode);
    expect(search.view().parameters.kinds).toBe(1);
    for (const { found, isPresumed } of outcomesIn(drive(search.lane(Random.fromSeed(5)), 1000))) {
      if (isKnownAmong([fromCode], found.formula) && isNothingBesides([fromCode], found.formula))
        expect(isPresumed).toBe(true);
    }
  });

  it('are shrunk again if their kind was refuted, unless an earlier campaign confirmed it', () => {
    const search = startOf({ doubtProbability: 0, pursuitShare: 1 });
    search.learn?.(fromCode);
    search.unlearn?.(fromCode);
    expect(search.view().parameters.kinds).toBe(0);
    const told = startOf({}, { known: [fromCode] });
    told.unlearn?.(fromCode);
    expect(told.view().parameters.kinds).toBe(1);
  });

  it('are shrunk only until they turn out to be of a known kind', () => {
    const loop: Kind = {
      answer: 'sat',
      operators: ['str.at'],
      since: 1,
      busy: { counter: 'seq branch', isAlone: true },
    };
    const corpus = [formulaOf('(assert (= x (str.++ x "a"))) (assert (str.prefixof x "b"))')];
    const work = ({ origin }: Trial) =>
      origin === 'simplified' ? { 'seq branch': 90 } : { 'seq branch': 90, decisions: 80 };
    const slow = (trial: Trial): Runs =>
      trial.origin === 'generated'
        ? [undefined, ended('sat', 5)]
        : [ended('sat', 5), { ...timedOut(2000), work: work(trial) }];
    const stepsFrom = (known: readonly Kind[]) => {
      const search = startOf({ doubtProbability: 0, pursuitShare: 1 }, { corpus, known });
      const steps = drive(search.lane(Random.fromSeed(1)), 200, slow);
      const from = steps.findIndex((step) => isTrial(step) && step.origin === 'corpus');
      return steps.slice(from + 1, steps.findIndex((step, at) => at > from && step.step === 'pursued') + 1);
    };
    const [found, smaller, pursued, ...others] = stepsFrom([loop]);
    expect(found).toMatchObject({ step: 'found', formula: corpus[0], isPursued: true });
    expect(smaller).toMatchObject({ step: 'try', origin: 'simplified' });
    expect(pursued).toEqual({ step: 'pursued', core: undefined });
    expect(others).toEqual([]);
    expect(stepsFrom([]).length).toBeGreaterThan(4);
  });

  it('are shrunk completely if the kind is doubted', () => {
    const search = startOf({ doubtProbability: 1, pursuitShare: 1 }, { known: [fromCode] });
    const outcomes = outcomesIn(drive(search.lane(Random.fromSeed(3)), 1500));
    const doubted = outcomes.filter(({ found }) => isKnownAmong([fromCode], found.formula));
    expect(doubted.length).toBeGreaterThan(1);
    expect(doubted.every(({ isPresumed }) => !isPresumed)).toBe(true);
  });

  it('are shrunk between other trials, within the share of time for shrinking', () => {
    for (const pursuitShare of [0.1, 0.5]) {
      const taken = { simplified: 0, others: 0 };
      const search = startOf({ pursuitShare, doubtProbability: 1 });
      const outcomes = outcomesIn(
        drive(search.lane(Random.fromSeed(3)), 4000, undefined, (step, runs) => {
          if (!isTrial(step)) return;
          taken[step.origin === 'simplified' ? 'simplified' : 'others'] += spentIn(runs);
        }),
      );
      const share = taken.simplified / (taken.simplified + taken.others);
      expect(share).toBeGreaterThan(0.8 * pursuitShare);
      expect(share).toBeLessThan(1.2 * pursuitShare);
      expect(outcomes.some(({ core }) => core !== undefined)).toBe(true);
    }
  });

  it('are left to the campaign while another one is being shrunk', () => {
    const search = startOf({ doubtProbability: 1 });
    const lanes = [1, 2, 3].map((seed) => search.lane(Random.fromSeed(seed)));
    const firsts = lanes.map((lane) => drive(lane, 300).filter(isFound));
    const pursued = firsts.flat().filter(({ isPursued }) => isPursued);
    expect(firsts.every((found) => found.length > 1)).toBe(true);
    // The first lane is still shrinking when the others could begin.
    expect(pursued).toHaveLength(1);
    expect(firsts.flat().every(({ isPresumed }) => isPresumed === false)).toBe(true);
  });

  it('are never shrunk if the share of time for shrinking is 0', () => {
    const steps = drive(startOf({ pursuitShare: 0 }).lane(Random.fromSeed(3)), 1500);
    expect(steps.some(isFound)).toBe(true);
    expect(steps.some((step) => step.step === 'pursued' || (isFound(step) && step.isPursued))).toBe(false);
  });
});

describe('formulas that culprit tries', () => {
  const corpus = ['"a"', '"b"', '"c"'].map((literal) => formulaOf(`(assert (= x (str.++ x ${literal})))`));

  it('start with every user formula, once, in order and to its end', () => {
    const search = startOf({ turnMs: 0 }, { corpus });
    // No formula comes close to a slowdown, so only the corpus can be mutated.
    const quick: Runs = [undefined, ended('sat', 5)];
    const trials = drive(search.lane(Random.fromSeed(1)), 300, () => quick).filter(isTrial);
    const own = trials.slice(0, corpus.length);
    expect(own.map(({ formula }) => formula)).toEqual(corpus);
    expect(own.every(({ origin, measuring }) => origin === 'corpus' && measuring === 'full')).toBe(true);
    const others = trials.slice(corpus.length).map(({ origin }) => origin);
    expect(others).toContain('mutated');
    expect(others).not.toContain('corpus');
  });

  it('do not lower the corpus source’s rating if the user’s own formulas are long runs without slowdowns', () => {
    const search = startOf({}, { corpus });
    drive(search.lane(Random.fromSeed(1)), corpus.length, () => [ended('sat', 1900), ended('sat', 1900)]);
    expect(search.view().beliefs.find(({ action }) => action === 'corpus')).toMatchObject({ tries: 0 });
  });

  it('include each user formula in one lane only', () => {
    const search = startOf({}, { corpus });
    const trials = [1, 2].flatMap((seed) => drive(search.lane(Random.fromSeed(seed)), 300).filter(isTrial));
    expect(trials.filter(({ origin }) => origin === 'corpus')).toHaveLength(3);
  });

  it('are measured until the verdict is clear, and sometimes on all versions', () => {
    const measurings = (checkProbability: number) => {
      const search = startOf({ checkProbability });
      const trials = drive(search.lane(Random.fromSeed(1)), 300, () => [undefined, ended('sat', 5)]);
      return new Set(trials.filter(isTrial).map(({ measuring }) => measuring));
    };
    expect(measurings(0)).toEqual(new Set(['early']));
    expect(measurings(1)).toEqual(new Set(['checked']));
    expect(measurings(0.3)).toEqual(new Set(['early', 'checked']));
  });

  it('run on the older versions first if they are likely too hard for all', () => {
    const hard: Runs = [timedOut(120), timedOut(120)];
    const search = startOf({ checkProbability: 0 });
    const trials = drive(search.lane(Random.fromSeed(1)), 300, () => hard).filter(isTrial);
    expect(trials[0]?.measuring).toBe('early');
    expect(trials.slice(-100).every(({ measuring }) => measuring === 'others-first')).toBe(true);
  });

  it('come from one source for a whole turn', () => {
    const sourcesIn = (turnMs: number): number => {
      const search = startOf({ turnMs, unlikelihood: 1e6 });
      const slow = (): Runs => [ended('sat', 5), timedOut(2000)];
      const found = drive(search.lane(Random.fromSeed(1)), 200, slow).filter(isFound);
      return new Set(found.map(({ by }) => by)).size;
    };
    expect(sourcesIn(1e9)).toBe(1);
    expect(sourcesIn(0)).toBeGreaterThan(3);
  });

  it('include mutants once a formula came close to a slowdown', () => {
    const search = startOf({ unlikelihood: 0 });
    const near: Runs = [ended('sat', 5), ended('sat', 200)];
    const trials = drive(search.lane(Random.fromSeed(1)), 200, () => near).filter(isTrial);
    expect(search.view().parameters.pool).toBe(48);
    expect(new Set(trials.map(({ origin }) => origin))).toEqual(new Set(['generated', 'mutated', 'crossed']));
  });

  it('seldom contain all operators of a known kind', () => {
    const common = (known: readonly Kind[]): number => {
      const search = startOf({ doubtProbability: 0, avoidProbability: 1, unlikelihood: 1e6 }, { known });
      const trials = drive(search.lane(Random.fromSeed(1)), 500, () => [undefined, ended('sat', 5)]);
      return formulasIn(trials).filter((formula) => measure(formula).operators.has('str.from_code')).length;
    };
    expect(common([])).toBeGreaterThan(10);
    expect(common([fromCode])).toBe(0);
  });

  it('contain them less often the more the kind repeats', () => {
    const constants = { doubtProbability: 0, avoidProbability: 0, unlikelihood: 1e6 };
    const holds = ({ formula }: Trial): boolean => measure(formula).operators.has('str.from_code');
    const parts = (isSlow: boolean): readonly number[] => {
      const search = startOf(constants, { known: [fromCode] });
      const answer = (trial: Trial): Runs =>
        holds(trial) && isSlow ? [ended('sat', 5), timedOut(2000)] : [undefined, ended('sat', 5)];
      const trials = drive(search.lane(Random.fromSeed(1)), 1200, answer).filter(isTrial);
      return [trials.slice(0, 300), trials.slice(-300)].map((some) => some.filter(holds).length);
    };
    const [first = 0, last = 0] = parts(true);
    expect(last).toBeLessThan(first / 2);
    const [quickFirst = 0, quickLast = 0] = parts(false);
    expect(quickLast).toBeGreaterThan(quickFirst / 2);
  });
});
