import { describe, expect, it } from 'vitest';
import { formulaMark } from '../../../src/hunt/events.js';
import { type StrategyName, strategies, strategyNames } from '../../../src/hunt/strategies/index.js';
import type { Search, SearchInput, Step, Strategy } from '../../../src/hunt/strategy.js';
import { Random } from '../../../src/machine/index.js';
import { checkScript, printScript } from '../../../src/smtlib/index.js';
import { slowdownIn } from '../../../src/solver/index.js';
import { drive, formulasIn, input, isFound, isTrial } from '../../simulated/search.js';
import { slowness } from '../../simulated/solver.js';

function startOf(name: StrategyName, on: SearchInput = input): Search {
  const strategy = strategies[name] as Strategy;
  return strategy.start(on, strategy.options.parse({}));
}

const trials = 200;

describe.each(strategyNames)('the strategy %s', (name) => {
  const driven = () => drive(startOf(name).lane(Random.fromSeed(5)), trials);
  const marks = (all: readonly Step[]): string[] =>
    all.flatMap((step) => formulasIn([step]).map((formula) => `${step.step} ${formulaMark(formula)}`));
  const steps = driven();

  it('repeats its search for equal seeds and results, and differs for other seeds', () => {
    expect(marks(driven())).toEqual(marks(steps));
    const other = drive(startOf(name).lane(Random.fromSeed(6)), 20);
    expect(marks(other)).not.toEqual(marks(steps.slice(0, other.length)));
  });

  it('tries well-sorted formulas only', () => {
    for (const formula of formulasIn(steps)) {
      const checked = checkScript(formula);
      if (checked !== undefined) throw new Error(`${checked.message}\n${printScript(formula)}`);
    }
  });

  it('reports slowdowns and nothing else', () => {
    const found = steps.filter(isFound);
    expect(found.length).toBeGreaterThan(2);
    for (const { runs } of found) expect(slowdownIn(runs, slowness)).toBeDefined();
  });

  it('finds nothing if nothing is slow', () => {
    const calm = drive(startOf(name).lane(Random.fromSeed(1)), 60, () => [
      { outcome: 'sat', wallMs: 5, answers: ['sat'] },
      { outcome: 'sat', wallMs: 5, answers: ['sat'] },
    ]);
    expect(calm.every(isTrial)).toBe(true);
  });

  it('has a one-sentence summary and a default for every option', () => {
    expect(strategies[name].summary.length).toBeGreaterThan(10);
    expect(() => strategies[name].options.parse({})).not.toThrow();
  });

  it('supports other logics', () => {
    const search = startOf(name, { ...input, logic: 'QF_BV' });
    for (const formula of formulasIn(drive(search.lane(Random.fromSeed(1)), 40)))
      expect(checkScript(formula)).toBeUndefined();
  });
});
