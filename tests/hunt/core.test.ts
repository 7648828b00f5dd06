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

/** Shrinks with a solver whose newest version takes this long. */
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

describe('shrunkToCore', () => {
  const newestMs = (formula: Script): number => (has(formula, 'str.replace', 'str.len') ? 5000 : 20);

  it('returns a slow formula that no single step makes smaller', () => {
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

  it('measures well-sorted formulas by the quick rule, and the result once by the rule for findings', () => {
    const { steps } = shrunk(newestMs);
    for (const { formula } of steps) expect(checkScript(formula)).toBeUndefined();
    expect(steps.filter(({ measuring }) => measuring === 'sure')).toHaveLength(1);
    expect(steps.at(-1)?.measuring).toBe('sure');
  });

  it('passes the last slow formula’s reference time with each step', () => {
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

  it('returns the cause even if it does not cross the threshold', () => {
    // Every operator adds a little time; without these two the formula is fast.
    const graded = (formula: Script): number =>
      has(formula, 'str.replace', 'str.len') ? 300 + 45 * measure(formula).nodes : 20;
    const { core, runsOf } = shrunk(graded);
    expect(slowdownIn(core.runs, slowness)).toBeDefined();
    expect(slowdownIn(runsOf(core.cause), slowness)).toBeUndefined();
    expect(slowdownIn(runsOf(core.cause), quickRule(slowness))).toBeDefined();
    expect(measure(core.cause).nodes).toBeLessThan(measure(core.formula).nodes);
    expect(has(core.cause, 'str.contains')).toBe(false);
  });

  it('checks the last steps again, since noise may have accepted them', () => {
    let looks = 0;
    const noisy = (formula: Script): number => {
      // Once, noise makes the formula slow without its cause.
      if (!has(formula, 'str.replace')) return looks++ === 0 ? 5000 : 20;
      return 1300;
    };
    const { core } = shrunk(noisy, 40);
    expect(has(core.cause, 'str.replace')).toBe(true);
  });

  it('returns the formula itself if nothing smaller is slow', () => {
    const own = printScript(start);
    const { core } = shrunk((formula) => (printScript(formula) === own ? 5000 : 20));
    expect(core.formula).toBe(start);
  });

  it('returns the best formula so far when the tries are used up', () => {
    const { steps } = shrunk(newestMs, 7);
    expect(steps.filter(({ measuring }) => measuring === 'quick')).toHaveLength(7);
    expect(shrunk(newestMs, 0).core.formula).toBe(start);
  });
});

describe('shrunkToCore with steps that are slow by the quick rule only', () => {
  /** Smaller formulas are faster, but always slow by the quick rule. */
  const newestMs = (formula: Script): number => 800 + 25 * measure(formula).nodes;

  it('bisects the steps for a formula that is slow by the rule for findings', () => {
    const { core, steps } = shrunk(newestMs);
    expect(slowdownIn(core.runs, slowness)).toBeDefined();
    expect(weight(core.formula)).toBeLessThan(weight(start));
    const checks = steps.filter(({ measuring }) => measuring === 'sure');
    expect(checks.length).toBeGreaterThan(1);
    expect(checks.length).toBeLessThanOrEqual(5);
    expect(newestMs(checks[0]?.formula as Script)).toBeLessThan(1010);
  });

  it('returns a formula that is slow enough for a finding at the machine’s noise', () => {
    const calibrated: Slowness = { noise: { floorMs: 10, relative: 0.1 }, timeoutMs: 2000 };
    const graded = (formula: Script): number => 300 + 10 * measure(formula).nodes;
    const { core } = shrunk(graded, 2000, calibrated);
    expect(slowdownIn(core.runs, findingRule(calibrated))).toBeDefined();
    expect(weight(core.formula)).toBeLessThan(weight(start));
    expect(slowdownIn([ended('sat', 10), ended('sat', graded(core.cause))], calibrated)).toBeDefined();
    expect(weight(core.cause)).toBeLessThan(weight(core.formula));
  });

  it('returns the initial formula if no step is slow by the rule for findings', () => {
    const own = printScript(start);
    const { core } = shrunk((formula) => (printScript(formula) === own ? 5000 : 400));
    expect(core.formula).toBe(start);
    expect(slowdownIn(core.runs, slowness)).toBeDefined();
  });
});
