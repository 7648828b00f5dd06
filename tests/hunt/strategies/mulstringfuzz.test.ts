import { describe, expect, it } from 'vitest';
import { type StrategyName, strategies } from '../../../src/hunt/strategies/index.js';
import { timeScore } from '../../../src/hunt/strategies/mulstringfuzz.js';
import type { Strategy } from '../../../src/hunt/strategy.js';
import { measure, parseScript, printScript, Random, type Script } from '../../../src/smtlib/index.js';
import type { Runs } from '../../../src/solver/index.js';
import { drive, ground, isTrial } from '../../simulated/search.js';
import { ended } from '../../simulated/solver.js';

const searchOf = (name: StrategyName, options: Readonly<Record<string, unknown>> = {}) => {
  const strategy = strategies[name] as Strategy;
  return strategy.start(ground, strategy.options.parse(options));
};

const triedBy = (name: StrategyName, trials: number, options: Readonly<Record<string, unknown>> = {}) => {
  const search = searchOf(name, options);
  // Times that have nothing to do with the formula: only the other objectives lead anywhere.
  const runs: Runs = [ended('sat', 5), ended('sat', 5)];
  const steps = drive(search.lane(Random.fromSeed(2)), trials, () => runs);
  return { trials: steps.filter(isTrial), view: search.view() };
};

const complexityOf = (formulas: readonly { readonly formula: Script }[]): number =>
  formulas.reduce((sum, { formula }) => sum + measure(formula).complexity, 0) / formulas.length;

describe('the scores of MulStringFuzz', () => {
  it('are those the paper works out', () => {
    expect(timeScore(5, 0.01731)).toBeCloseTo(9.98269, 5);
    expect(timeScore(0.2, 0.3)).toBe(0.2);
    const c = parseScript(`(declare-const var0 String) (declare-const var1 Int)
      (declare-const var2 String) (declare-const var3 Int)
      (assert (= var1 (str.len var0)))
      (assert (> (str.indexof "+]YAPKJ8b8" var2 var3) (str.to_int var0)))`);
    const d = parseScript(`(declare-const var0 String) (declare-const var2 String) (declare-const var3 Int)
      (assert (> (str.indexof "+]YAPKJ8b8" var2 var3) (str.to_int var0)))`);
    expect([measure(c).complexity, measure(d).complexity]).toEqual([16, 11]);
  });
});

describe('MulStringFuzz', () => {
  it('makes forty formulas first, then children of them, and asks what each executes', () => {
    const { trials, view } = triedBy('mulstringfuzz', 200);
    expect(trials.every(({ isCounted, measuring }) => isCounted && measuring === 'full')).toBe(true);
    expect(trials.slice(0, 40).every(({ origin }) => origin === 'generated')).toBe(true);
    const others = new Set(trials.slice(40).map(({ origin }) => origin));
    expect(others).toEqual(new Set(['crossed', 'mutated']));
    expect(view.parameters.generations).toBeGreaterThan(2);
    expect(view.parameters.lines).toBeGreaterThan(10);
  });

  it('never runs a formula twice that it still has', () => {
    const { trials } = triedBy('mulstringfuzz', 150, { population: 10 });
    const texts = trials.map(({ formula }) => printScript(formula));
    expect(new Set(texts).size).toBeGreaterThan(0.9 * texts.length);
  });

  it('makes formulas simpler where that is a goal, and not where it is none', () => {
    const last = (name: StrategyName): number =>
      complexityOf(triedBy(name, 400, { population: 20 }).trials.slice(-60));
    expect(last('mulstringfuzz')).toBeLessThan(0.5 * last('mulstringfuzz-no-complexity'));
  });

  it('follows the newest version’s time where that is all there is', () => {
    const search = searchOf('mulstringfuzz-only-time', { population: 20 });
    const slowOnes = (formula: Script): number => measure(formula).operators.get('str.++') ?? 0;
    const steps = drive(search.lane(Random.fromSeed(2)), 400, ({ formula }) => [
      ended('sat', 5),
      ended('sat', 5 + slowOnes(formula)),
    ]);
    const trials = steps.filter(isTrial).map(({ formula }) => slowOnes(formula));
    const mean = (some: readonly number[]): number => some.reduce((sum, one) => sum + one, 0) / some.length;
    expect(mean(trials.slice(-60))).toBeGreaterThan(2 * mean(trials.slice(0, 20)));
  });

  it('takes goals by name, in a list', () => {
    const { options } = strategies.mulstringfuzz;
    expect(options.parse({}).objectives).toEqual(['time', 'coverage', 'complexity']);
    expect(options.safeParse({ objectives: ['beauty'] }).success).toBe(false);
    expect(options.safeParse({ objectives: [] }).success).toBe(false);
    expect(strategies['mulstringfuzz-default-crowding'].options.parse({}).crowding).toBe('classical');
  });
});
