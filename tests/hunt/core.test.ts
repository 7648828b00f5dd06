import { describe, expect, it } from 'vitest';
import { type Core, type CoreStep, nothingMeasured, shrunkToCore } from '../../src/hunt/core.js';
import { checkScript, measure, printScript, type Script, simplifications } from '../../src/smtlib/index.js';
import { weight } from '../../src/smtlib/simplifications/simplify.js';
import { findingRule, quickRule, type Runs, type Slowness, slowdownIn } from '../../src/solver/index.js';
import { ended, formulaOf } from '../simulated/solver.js';

const slowness: Slowness = {
  noise: { floorMs: 10, relative: 0.1 },
  thresholdMs: 1000,
  timeoutMs: 20_000,
};

const start = formulaOf(
  `(assert (and (str.contains x "abc") (< 2 (str.len (str.replace (str.++ x y "abcdef") "b" (str.at y 1))))))
   (assert (not (= (str.to_int y) 17)))
   (assert (or (= x (str.++ y y)) (str.prefixof "ab" x)))`,
  '(declare-const x String) (declare-const y String) (declare-const n Int)',
);

/** Shrinks with a solver whose newest version takes so long. */
function shrunk(
  newestMs: (formula: Script) => number,
  mostTries = 2000,
  rule: Slowness = slowness,
  oldMs: (formula: Script) => number = () => 10,
) {
  const runsOf = (formula: Script): Runs => [ended('sat', oldMs(formula)), ended('sat', newestMs(formula))];
  const steps: CoreStep[] = [];
  const shrinking = shrunkToCore({ formula: start, runs: runsOf(start) }, rule, mostTries);
  let core: Core | undefined;
  for (let step = shrinking.next(); core === undefined; ) {
    if (step.done) core = step.value;
    else if (step.value === undefined) step = shrinking.next(nothingMeasured);
    else {
      steps.push(step.value);
      step = shrinking.next(runsOf(step.value.formula));
    }
  }
  return { core, steps, runsOf };
}

const has = (formula: Script, ...operators: readonly string[]): boolean => {
  const own = measure(formula).operators;
  return operators.every((operator) => own.has(operator));
};

describe('the core of a slow formula', () => {
  const newestMs = (formula: Script): number => (has(formula, 'str.replace', 'str.len') ? 5000 : 20);

  it('is still slow, and nothing one step smaller is', () => {
    const { core, runsOf } = shrunk(newestMs);
    expect(slowdownIn(core.runs, slowness)).toBeDefined();
    expect(core.runs).toEqual(runsOf(core.formula));
    for (const { make } of simplifications(core.formula)) {
      const simpler = make() as Script;
      expect(slowdownIn(runsOf(simpler), quickRule(slowness)), printScript(simpler)).toBeUndefined();
    }
    expect(
      [...measure(core.formula).operators.keys()].filter((operator) => operator.startsWith('str.')),
    ).toEqual(expect.arrayContaining(['str.replace', 'str.len']));
    expect(measure(core.formula).assertions).toBe(1);
    expect(has(core.formula, 'str.contains')).toBe(false);
  });

  it('is looked for among well-sorted formulas by the quick rule, and checked once by the one findings are held to', () => {
    const { steps } = shrunk(newestMs);
    for (const { formula } of steps) expect(checkScript(formula)).toBeUndefined();
    expect(steps.filter(({ measuring }) => measuring === 'sure')).toHaveLength(1);
    expect(steps.at(-1)?.measuring).toBe('sure');
  });

  it('says with each step how long the older versions took for the last that was slow', () => {
    const oldMs = (formula: Script): number => 10 + measure(formula).nodes;
    const { steps, runsOf } = shrunk(newestMs, 2000, slowness, oldMs);
    const looks = steps.filter(({ measuring }) => measuring === 'quick');
    let expected = oldMs(start);
    for (const { formula, likelyReferenceMs } of looks) {
      expect(likelyReferenceMs).toBe(expected);
      if (slowdownIn(runsOf(formula), quickRule(slowness)) !== undefined) expected = oldMs(formula);
    }
    expect(expected).toBeLessThan(oldMs(start));
  });

  it('tells what makes it slow, also where that alone does not cross the threshold', () => {
    // Every operator costs a little more; without the two it is quick.
    const graded = (formula: Script): number =>
      has(formula, 'str.replace', 'str.len') ? 300 + 45 * measure(formula).nodes : 20;
    const { core, runsOf } = shrunk(graded);
    expect(slowdownIn(core.runs, slowness)).toBeDefined();
    expect(slowdownIn(runsOf(core.telling), slowness)).toBeUndefined();
    expect(slowdownIn(runsOf(core.telling), quickRule(slowness))).toBeDefined();
    expect(measure(core.telling).nodes).toBeLessThan(measure(core.formula).nodes);
    expect(has(core.telling, 'str.contains')).toBe(false);
  });

  it('does not take the last steps for granted when they were noise', () => {
    let looks = 0;
    const noisy = (formula: Script): number => {
      // Once it seems slow without what makes it slow.
      if (!has(formula, 'str.replace')) return looks++ === 0 ? 5000 : 20;
      return 1300;
    };
    const { core } = shrunk(noisy, 40);
    expect(has(core.telling, 'str.replace')).toBe(true);
  });

  it('is the formula itself where nothing smaller is slow', () => {
    const own = printScript(start);
    const { core } = shrunk((formula) => (printScript(formula) === own ? 5000 : 20));
    expect(core.formula).toBe(start);
  });

  it('is the best so far after as many tries as are allowed', () => {
    const { steps } = shrunk(newestMs, 7);
    expect(steps.filter(({ measuring }) => measuring === 'quick')).toHaveLength(7);
    expect(shrunk(newestMs, 0).core.formula).toBe(start);
  });
});

describe('a core that is slow by the quick rule only', () => {
  /** The smaller the formula, the quicker it is, though always slow by the quick rule. */
  const newestMs = (formula: Script): number => 800 + 25 * measure(formula).nodes;

  it('is taken back by halves until it is slow by the real one', () => {
    const { core, steps } = shrunk(newestMs);
    expect(slowdownIn(core.runs, slowness)).toBeDefined();
    expect(weight(core.formula)).toBeLessThan(weight(start));
    const checks = steps.filter(({ measuring }) => measuring === 'sure');
    expect(checks.length).toBeGreaterThan(1);
    expect(checks.length).toBeLessThanOrEqual(5);
    expect(newestMs(checks[0]?.formula as Script)).toBeLessThan(1010);
  });

  it('is slow enough to be a finding where the machine’s noise makes the threshold', () => {
    const calibrated: Slowness = { noise: { floorMs: 10, relative: 0.1 }, timeoutMs: 2000 };
    const graded = (formula: Script): number => 300 + 10 * measure(formula).nodes;
    const { core } = shrunk(graded, 2000, calibrated);
    expect(slowdownIn(core.runs, findingRule(calibrated))).toBeDefined();
    expect(weight(core.formula)).toBeLessThan(weight(start));
    expect(slowdownIn([ended('sat', 10), ended('sat', graded(core.telling))], calibrated)).toBeDefined();
    expect(weight(core.telling)).toBeLessThan(weight(core.formula));
  });

  it('is the formula it began with where no step on the way is slow by the real rule', () => {
    const own = printScript(start);
    const { core } = shrunk((formula) => (printScript(formula) === own ? 5000 : 400));
    expect(core.formula).toBe(start);
    expect(slowdownIn(core.runs, slowness)).toBeDefined();
  });
});
