import { describe, expect, it } from 'vitest';
import { formulaMark } from '../../../src/hunt/events.js';
import { TimeSequences } from '../../../src/hunt/search/time-warping.js';
import { gapToSlowest } from '../../../src/hunt/strategies/bandit-search.js';
import { strategies } from '../../../src/hunt/strategies/index.js';
import type { Step, Trial } from '../../../src/hunt/strategy.js';
import { Random } from '../../../src/machine/index.js';
import { printCommand, printScript, type Script } from '../../../src/smtlib/index.js';
import { type Runs, score, timeSequence } from '../../../src/solver/index.js';
import { drive, formulasIn, input, isFound, isTrial } from '../../simulated/search.js';
import { digits, ended, timedOut } from '../../simulated/solver.js';

const variants = ['sprfinder', 'sprfinder-nodtw', 'banditfuzz-spr'] as const;

function startOf(name: (typeof variants)[number], options: Readonly<Record<string, unknown>> = {}) {
  switch (name) {
    case 'sprfinder':
      return strategies[name].start(input, strategies[name].options.parse(options));
    case 'sprfinder-nodtw':
      return strategies[name].start(input, strategies[name].options.parse(options));
    case 'banditfuzz-spr':
      return strategies[name].start(input, strategies[name].options.parse(options));
  }
}

const assertionsOf = ({ commands }: Script): string[] =>
  commands.filter(({ kind }) => kind === 'assert').map((command) => printCommand(command));

const pair = (oldMs: number, newMs: number): Runs => [ended('sat', oldMs), ended('sat', newMs)];

/** Never a slowdown, but some formulas are closer than others. */
const calm = ({ formula }: Trial): Runs => {
  const number = digits(printScript(formula));
  return pair(5 + (number % 90), 5 + ((number >> 8) % 200));
};

/** The lengths of runs of equal origin. */
function stretches(steps: readonly Step[]): (readonly [string, number])[] {
  const found: [string, number][] = [];
  for (const step of steps) {
    const name = isTrial(step) ? step.origin : 'found';
    const last = found.at(-1);
    if (last?.[0] === name) last[1]++;
    else found.push([name, 1]);
  }
  return found;
}

describe.each(variants)('the queue of %s', (name) => {
  it('is filled with generated formulas; each is mutated once and one survives', () => {
    const steps = drive(startOf(name).lane(Random.fromSeed(1)), 200, calm);
    const [first, ...others] = stretches(steps).slice(0, -1);
    expect(first).toEqual(['generated', 5]);
    for (const [at, [origin, count]] of others.entries()) {
      expect(origin).toBe(at % 2 === 0 ? 'mutated' : 'generated');
      if (origin === 'generated') expect(count).toBe(4);
      // A formula to which no drawn operator applies is not mutated.
      else expect(count).toBeLessThanOrEqual(5);
    }
    expect(others.length).toBeGreaterThan(20);
  });

  it('keeps the formula with the best score', () => {
    let generated = 0;
    let best: Script | undefined;
    const answer = ({ formula, origin }: Trial): Runs => {
      if (origin === 'generated' && ++generated === 3) best = formula;
      return formula === best ? pair(5, 205) : pair(50, 55);
    };
    const steps = drive(startOf(name).lane(Random.fromSeed(4)), 100, answer).filter(isTrial);
    const firstMutants = steps.filter(
      ({ origin }, at) => origin === 'mutated' && at > 10 && steps[at - 1]?.origin === 'generated',
    );
    expect(firstMutants.length).toBeGreaterThan(5);
    // A mutant differs from its parent in one assertion.
    for (const { formula } of firstMutants)
      expect(
        assertionsOf(formula).filter((assertion) => !assertionsOf(best as Script).includes(assertion)),
      ).toHaveLength(1);
  });

  it('drops slowdowns and is refilled', () => {
    let generated = 0;
    const answer = ({ origin }: Trial): Runs =>
      origin === 'generated' && ++generated <= 5 ? pair(5, 1500) : pair(5, 6);
    const steps = drive(startOf(name).lane(Random.fromSeed(1)), 30, answer);
    expect(steps.filter(isFound)).toHaveLength(name === 'banditfuzz-spr' ? 1 : 5);
    const [first, found, again] = stretches(steps);
    expect([first?.[1], found?.[0], again]).toEqual([5, 'found', ['generated', 5]]);
  });

  it.each([
    ['an older version quickly gives up', [ended('unknown', 5), timedOut(2000)]],
    ['an older version quickly crashes', [ended('crash', 5), timedOut(2000)]],
    ['the newest version crashes after long', [ended('sat', 5), ended('crash', 1500)]],
    ['the newest version runs out of memory', [ended('sat', 5), ended('memout', 1500)]],
  ] as const)('drops formulas that can never be a slowdown, whatever their score: %s', (_, odd) => {
    let generated = 0;
    let hopeless: Script | undefined;
    const answer = ({ formula, origin }: Trial): Runs => {
      if (origin === 'generated' && ++generated === 3) hopeless = formula;
      return formula === hopeless ? odd : pair(50, 55);
    };
    const steps = drive(startOf(name).lane(Random.fromSeed(4)), 100, answer);
    expect(steps.filter(isFound)).toEqual([]);
    const mutants = steps.filter(isTrial).filter(({ origin }) => origin === 'mutated');
    expect(mutants.length).toBeGreaterThan(10);
    // It has no mutants: a mutant would share all assertions except one.
    const own = assertionsOf(hopeless as Script);
    for (const { formula } of mutants)
      expect(own.filter((assertion) => assertionsOf(formula).includes(assertion)).length).toBeLessThan(
        own.length - 1,
      );
  });

  it('rejects mutants that can never be a slowdown', () => {
    const answer = (trial: Trial): Runs =>
      trial.origin === 'generated' ? calm(trial) : [ended('unknown', 5), timedOut(2000)];
    const small = { depthRange: [2, 2], literalLengthRange: [10, 10], assertionsRange: [4, 4] };
    const steps = drive(startOf(name, small).lane(Random.fromSeed(4)), 80, answer);
    expect(steps.filter(isFound)).toEqual([]);
    const [generated, mutants] = ['generated', 'mutated'].map((wanted) =>
      steps
        .filter(isTrial)
        .filter(({ origin }) => origin === wanted)
        .map(({ formula }) => assertionsOf(formula)),
    ) as [string[][], string[][]];
    expect(mutants.length).toBeGreaterThan(20);
    // Even after many rounds, every mutant derives from a generated formula.
    for (const mutant of mutants)
      expect(
        generated.some((own) => mutant.filter((assertion) => !own.includes(assertion)).length <= 1),
      ).toBe(true);
  });

  it('measures every formula fully for the score', () => {
    const steps = drive(startOf(name).lane(Random.fromSeed(1)), 40, calm).filter(isTrial);
    expect(steps.every(({ measuring }) => measuring === 'full')).toBe(true);
  });
});

/**
 * The judgement of each mutant's operator: by how much its tries grew and whether its mean fell; and the mutant's
 * distance to all earlier slowdowns and to all earlier cases.
 */
function judgements(name: (typeof variants)[number], trials: number, answer = calm, options = {}) {
  const search = startOf(name, options);
  const [slowdowns, all] = [new TimeSequences(), new TimeSequences()];
  const judged: {
    readonly by: number;
    readonly isWorse: boolean;
    readonly toSlowdowns: number | undefined;
    readonly toAll: number | undefined;
  }[] = [];
  let before = search.view().beliefs;
  drive(search.lane(Random.fromSeed(3)), trials, answer, (step, runs) => {
    const sequence = timeSequence(runs);
    if (isFound(step)) slowdowns.add(timeSequence(step.runs));
    if (!isTrial(step)) return;
    const after = search.view().beliefs;
    if (step.origin === 'mutated') {
      for (const belief of after) {
        const old = before.find(({ action }) => action === belief.action);
        const by = belief.tries - (old?.tries ?? 0);
        if (by === 0) continue;
        const isWorse = belief.mean < (old?.mean ?? 0);
        judged.push({
          by,
          isWorse,
          toSlowdowns: slowdowns.nearest(sequence),
          toAll: all.nearest(sequence),
        });
      }
    }
    all.add(sequence);
    before = after;
  });
  return judged;
}

/** Mostly calm, with a few slowdowns. */
const stormy = (trial: Trial): Runs =>
  digits(printScript(trial.formula)) % 60 === 0 ? [ended('sat', 5), timedOut(2000)] : calm(trial);

describe('the reward of an operator', () => {
  const split = (judged: ReturnType<typeof judgements>) => ({
    worse: judged.filter(({ isWorse }) => isWorse),
    better: judged.filter(({ isWorse }) => !isWorse),
  });

  it('is 1 in sprfinder before the first slowdown, and a failure counts 1', () => {
    const { worse, better } = split(judgements('sprfinder', 400));
    for (const { by } of [...worse, ...better]) expect(by).toBeCloseTo(1);
    expect(worse.length).toBeGreaterThan(20);
    expect(better.length).toBeGreaterThan(20);
  });

  it('is the distance to the nearest slowdown afterwards; a whole timeout counts 1', () => {
    const { worse, better } = split(judgements('sprfinder', 600, stormy));
    for (const { by } of worse) expect(by).toBeCloseTo(1);
    const later = better.filter(({ toSlowdowns }) => toSlowdowns !== undefined);
    // γ is 0.05 per second for runs of 20 s; runs here take at most 2 s.
    for (const { by, toSlowdowns = 0 } of later) expect(by).toBeCloseTo((0.05 * 20 * toSlowdowns) / 2);
    expect(later.length).toBeGreaterThan(20);
    // Fast formulas are far from slow ones: rewards are about as high as without time warping.
    const average = later.reduce((sum, { by }) => sum + by, 0) / later.length;
    expect(average).toBeGreaterThan(0.7);
    expect(average).toBeLessThan(1.3);
  });

  it('is the distance to the nearest earlier case with distanceTo: all', () => {
    const { better } = split(judgements('sprfinder', 400, calm, { distanceTo: 'all', discount: 7 }));
    for (const { by, toAll = 0 } of better) expect(by).toBeCloseTo((7 * 20 * toAll) / 2);
    expect(better.length).toBeGreaterThan(20);
  });

  it.each(['sprfinder-nodtw', 'banditfuzz-spr'] as const)('is 1 in %s at any distance', (name) => {
    const judged = judgements(name, 300);
    expect(judged.length).toBeGreaterThan(50);
    for (const { by } of judged) expect(by).toBeCloseTo(1);
    expect(new Set(judged.map(({ isWorse }) => isWorse)).size).toBe(2);
  });
});

describe('the generator’s parameters', () => {
  const options = { idleWindowMs: 2000 };

  it.each(['sprfinder', 'sprfinder-nodtw'] as const)('of %s change while nothing is found', (name) => {
    const search = startOf(name, options);
    const before = search.view().parameters;
    drive(search.lane(Random.fromSeed(1)), 300, calm);
    const after = search.view().parameters;
    for (const parameter of Object.keys(before))
      expect(after[parameter], parameter).toBeGreaterThan(before[parameter] as number);
  });

  it('of sprfinder stay unchanged while it finds slowdowns', () => {
    const search = startOf('sprfinder', { idleWindowMs: 60_000 });
    const before = search.view().parameters;
    const answer = ({ origin, formula }: Trial): Runs =>
      origin === 'generated' && digits(printScript(formula)) % 2 === 0 ? pair(5, 1500) : pair(5, 6);
    drive(search.lane(Random.fromSeed(1)), 400, answer);
    expect(search.view().parameters).toEqual(before);
  });

  it('of sprfinder decrease if formulas take too long', () => {
    const search = startOf('sprfinder', options);
    drive(search.lane(Random.fromSeed(1)), 100, () => [timedOut(2000), timedOut(2000)]);
    expect(search.view().parameters).toMatchObject({ literalLength: 20, depth: 2 });
  });

  it('of banditfuzz-spr are drawn for each formula', () => {
    const search = startOf('banditfuzz-spr');
    const seen = new Set<string>();
    drive(search.lane(Random.fromSeed(1)), 50, calm, (step) => {
      if (isTrial(step) && step.origin === 'generated') seen.add(JSON.stringify(search.view().parameters));
    });
    expect(seen.size).toBeGreaterThan(15);
  });
});

describe('a mutant', () => {
  /** The longest literal and the nesting depth. */
  const sizeOf = (text: string) => {
    let [depth, deepest] = [0, 0];
    for (const letter of text.replaceAll(/"[^"]*"/g, '')) {
      depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
      deepest = Math.max(deepest, depth);
    }
    const literals = [...text.matchAll(/"((?:[^"]|"")*)"/g)].map(([, inside = '']) => inside.length);
    return { deepest, longest: Math.max(0, ...literals) };
  };

  it.each(variants)('of %s uses the current parameters for new parts', (name) => {
    // Formulas of minimal size; new parts of their mutants have the size of the parameters.
    const least = { literalLengthRange: [10, 10], variablesRange: [3, 3], assertionsRange: [4, 4] };
    const sizes = (literalLength: number, depth: number) => {
      const start = { literalLengthStart: literalLength, depthStart: depth };
      const ranges = {
        ...least,
        literalLengthRange: [literalLength, literalLength],
        depthRange: [depth, depth],
      };
      return drive(startOf(name, { ...ranges, ...start }).lane(Random.fromSeed(5)), 400, calm)
        .filter(isTrial)
        .filter(({ origin }) => origin === 'mutated')
        .map(({ formula }) => assertionsOf(formula).join(' '))
        .map(sizeOf);
    };
    const [small, large] = [sizes(10, 2), sizes(300, 6)];
    const longest = (all: typeof small) => Math.max(...all.map((size) => size.longest));
    expect(longest(small)).toBeLessThan(80);
    expect(longest(large)).toBeGreaterThan(80);
    const deepest = (all: typeof small) => Math.max(...all.map((size) => size.deepest));
    expect(deepest(large)).toBeGreaterThan(deepest(small));
  });
});

describe('after a slowdown', () => {
  /** The hundredth trial is a slowdown. */
  const hundredthIsSlow = () => {
    let trials = 0;
    return (trial: Trial): Runs => (++trials === 100 ? pair(1, 1900) : calm(trial));
  };
  const triesAround = (name: (typeof variants)[number]) => {
    const search = startOf(name);
    const sums: number[] = [];
    let isAfter = false;
    drive(search.lane(Random.fromSeed(3)), 130, hundredthIsSlow(), (step) => {
      isAfter ||= isFound(step);
      const tried = search.view().beliefs.reduce((sum, { tries }) => sum + tries, 0);
      sums[isAfter ? 1 : 0] = isAfter ? Math.min(sums[1] ?? tried, tried) : tried;
    });
    return { before: sums[0] ?? 0, after: sums[1] ?? -1 };
  };

  it('banditfuzz-spr forgets everything it learnt', () => {
    const { after } = triesAround('banditfuzz-spr');
    expect(after).toBe(0);
  });

  it.each(['sprfinder', 'sprfinder-nodtw'] as const)('%s keeps what it learnt', (name) => {
    const { before, after } = triesAround(name);
    expect(before).toBeGreaterThan(10);
    expect(after).toBeGreaterThan(10);
  });

  it('every lane of banditfuzz-spr restarts, whichever found it', () => {
    const search = startOf('banditfuzz-spr');
    const [finder, other] = [search.lane(Random.fromSeed(1)), search.lane(Random.fromSeed(2))];
    const untilFound = () => drive(finder, 5, () => pair(5, 1900));
    let trials = 0;
    const steps = drive(other, 40, (trial) => {
      if (++trials === 7) expect(untilFound().filter(isFound)).toHaveLength(1);
      return calm(trial);
    });
    const generated = stretches(steps).filter(([origin]) => origin === 'generated');
    expect(generated.slice(0, 3).map(([, count]) => count)).toEqual([5, 5, 4]);
  });
});

describe('score gaps', () => {
  const runs = [ended('sat', 100), ended('sat', 300), ended('sat', 1000)];

  it('compare with the fastest version in SPRFinder, with the slowest in BanditFuzz', () => {
    expect(score(runs)).toBe(900);
    expect(gapToSlowest(runs)).toBe(700);
    expect(gapToSlowest([undefined, ended('sat', 5)])).toBe(5);
  });
});

describe('lanes', () => {
  it('try different formulas and share what they learn', () => {
    const search = startOf('sprfinder-nodtw');
    const [a, b] = [1, 2].map((seed) => drive(search.lane(Random.fromSeed(seed)), 30, calm));
    const marks = new Set(formulasIn([...(a ?? []), ...(b ?? [])]).map(formulaMark));
    expect(marks.size).toBeGreaterThan(55);
    const tried = search.view().beliefs.reduce((sum, { tries }) => sum + tries, 0);
    expect(tried).toBeGreaterThan(25);
  });
});
