import { describe, expect, it, vi } from 'vitest';
import { type PackedCounts, packedPlaces, placeOf } from '../../../src/coverage/packed.js';
import { type StrategyName, strategies } from '../../../src/hunt/strategies/index.js';
import { mutationRules, timeScore } from '../../../src/hunt/strategies/mulstringfuzz.js';
import type { Search, Strategy } from '../../../src/hunt/strategy.js';
import { Random } from '../../../src/machine/index.js';
import { measure, parseScript, printScript, type Script } from '../../../src/smtlib/index.js';
import { rules } from '../../../src/smtlib/mutations/mutate.js';
import type { Runs } from '../../../src/solver/index.js';
import { publishedVariants } from '../../../src/study/multi-objective/multi-objective.js';
import { drive, input, isTrial } from '../../simulated/search.js';
import { ended } from '../../simulated/solver.js';

const searchOf = (name: StrategyName, options: Readonly<Record<string, unknown>> = {}) => {
  const strategy = strategies[name] as Strategy;
  return strategy.start(input, strategy.options.parse(options));
};

const triedBy = (name: StrategyName, trials: number, options: Readonly<Record<string, unknown>> = {}) => {
  const search = searchOf(name, options);
  // Constant times, so that only the other objectives matter.
  const runs: Runs = [ended('sat', 5), ended('sat', 5)];
  const steps = drive(search.lane(Random.fromSeed(2)), trials, () => runs);
  return { trials: steps.filter(isTrial), view: search.view() };
};

const complexityOf = (formulas: readonly { readonly formula: Script }[]): number =>
  formulas.reduce((sum, { formula }) => sum + measure(formula).complexity, 0) / formulas.length;

describe('MulStringFuzz scores', () => {
  it('equal the paper’s worked example', () => {
    expect(timeScore(5, 0.01731)).toBeCloseTo(9.98269, 5);
    expect(timeScore(0.2, 0.3)).toBe(0.2);
    // Fig. 1(c) and (d).
    const declared =
      '(set-logic QF_S) (declare-fun var3 () Int) (declare-fun var0 () String) (declare-fun var2 () String)';
    const kept = '(assert (> (str.indexof "+]YAPKJ8b8" var2 var3) (str.to.int var0)))';
    const c = parseScript(`${declared} (assert (< (str.to.int "8b8") 9)) ${kept} (check-sat)`);
    const d = parseScript(`${declared} ${kept} (check-sat)`);
    expect([measure(c).complexity, measure(d).complexity]).toEqual([16, 11]);
  });
});

describe('MulStringFuzz', () => {
  it('generates forty formulas, then their children, and requests coverage for each', () => {
    const { trials, view } = triedBy('mulstringfuzz', 200);
    expect(trials.every(({ isCounted, measuring }) => isCounted && measuring === 'full')).toBe(true);
    expect(trials.slice(0, 40).every(({ origin }) => origin === 'generated')).toBe(true);
    const others = new Set(trials.slice(40).map(({ origin }) => origin));
    expect(others).toEqual(new Set(['crossed', 'mutated']));
    expect(view.parameters.generations).toBeGreaterThan(2);
    expect(view.parameters.lines).toBeGreaterThan(10);
  });

  it('never runs a formula again that is in the population', () => {
    const { trials } = triedBy('mulstringfuzz', 150, { population: 10 });
    const texts = trials.map(({ formula }) => printScript(formula));
    expect(new Set(texts).size).toBeGreaterThan(0.9 * texts.length);
  });

  it('simplifies formulas only with the complexity objective', () => {
    const last = (name: StrategyName): number =>
      complexityOf(triedBy(name, 400, { population: 20 }).trials.slice(-60));
    expect(last('mulstringfuzz')).toBeLessThan(0.5 * last('mulstringfuzz-no-complexity'));
  });

  it('maximizes the newest version’s time if that is the only objective', () => {
    const search = searchOf('mulstringfuzz', { population: 20, objectives: ['target-time'] });
    const slowOnes = (formula: Script): number => measure(formula).operators.get('str.++') ?? 0;
    const steps = drive(search.lane(Random.fromSeed(2)), 400, ({ formula }) => [
      ended('sat', 5),
      ended('sat', 5 + slowOnes(formula)),
    ]);
    const trials = steps.filter(isTrial).map(({ formula }) => slowOnes(formula));
    const mean = (some: readonly number[]): number => some.reduce((sum, one) => sum + one, 0) / some.length;
    expect(mean(trials.slice(-60))).toBeGreaterThan(2 * mean(trials.slice(0, 20)));
  });

  it('takes a list of objectives by name', () => {
    const { options } = strategies.mulstringfuzz;
    expect(options.parse({}).objectives).toEqual(['time', 'coverage', 'complexity']);
    expect(options.safeParse({ objectives: ['beauty'] }).success).toBe(false);
    expect(options.safeParse({ objectives: [] }).success).toBe(false);
    expect(options.safeParse({ objectives: ['time', 'coverage', 'time'] }).success).toBe(false);
    expect(strategies['mulstringfuzz-default-crowding'].options.parse({}).crowding).toBe('classical');
  });

  it('Only-Time replaces the difference by one solver’s time and changes nothing else', () => {
    const usual = strategies.mulstringfuzz.options.parse({});
    const only = strategies['mulstringfuzz-only-time'].options.parse({});
    expect(only).toEqual({ ...usual, objectives: ['target-time', 'coverage', 'complexity'] });
  });

  it('shows reached lines and files only with the coverage objective', () => {
    expect(triedBy('mulstringfuzz-no-complexity', 60).view.parameters).toHaveProperty('lines');
    expect(triedBy('mulstringfuzz-no-coverage', 60).view.parameters).not.toHaveProperty('lines');
  });
});

/** The result of the trial with this number. */
interface Told {
  readonly newestMs: number;
  readonly executed: PackedCounts;
}

/** The formulas of the first generations, as texts. */
function generationsOf(
  search: Search,
  count: number,
  told: (at: number) => Told,
): readonly (readonly string[])[] {
  const generations: string[][] = [[]];
  const lane = search.lane(Random.fromSeed(5));
  let { value } = lane.next();
  for (let at = 0; ; at++) {
    if (value.step !== 'try') throw new Error('nothing is slow');
    const { generations: made = 0 } = search.view().parameters;
    // The first children are generated before a generation is complete.
    const number = value.origin === 'generated' && made === 0 ? 0 : made + 1;
    if (number > count) return generations;
    generations[number] = [...(generations[number] ?? []), printScript(value.formula)];
    const { newestMs, executed } = told(at);
    const runs: Runs = [ended('sat', 5), ended('sat', newestMs)];
    ({ value } = lane.next({ runs, atMs: at, executed }));
  }
}

/** Only the newest version's time as the objective, and children that always differ. */
const plainly = {
  population: 8,
  objectives: ['target-time'],
  crossoverProbability: 0,
  mutationProbability: 1,
};
/** The same line in every run. */
const same = packedPlaces([[placeOf(1, 1), 5]]);
/** A line that no other run executes. */
const own = (at: number): PackedCounts => packedPlaces([[placeOf(2, at), 5]]);

describe('MulStringFuzz as in its paper', () => {
  it.each(publishedVariants)('%s has a population of forty and the published probabilities', (name) => {
    expect(strategies[name].options.parse({})).toMatchObject({
      population: 40,
      crossoverProbability: 0.75,
      mutationProbability: 0.25,
    });
  });

  it('mutates with the seven published operators only', () => {
    const published = [
      'new-variable',
      'delete-variable',
      'add-assertion',
      'delete-assertion',
      'fuzz-literal',
      'replace-operator',
      'swap-subterms',
    ];
    expect(mutationRules).toEqual(published);
    const applied = new Map<string, Set<string>>();
    const spies = Object.entries(rules).map(([name, rule]) => {
      const apply = rule.apply.bind(rule);
      return vi.spyOn(rule, 'apply').mockImplementation((...given) => {
        const changed = apply(...given);
        if (changed !== undefined)
          applied.set(name, (applied.get(name) ?? new Set()).add(printScript(changed)));
        return changed;
      });
    });
    const { trials } = triedBy('mulstringfuzz', 300, {
      population: 20,
      crossoverProbability: 0,
      mutationProbability: 1,
    });
    for (const spy of spies) spy.mockRestore();
    expect([...applied.keys()].sort()).toEqual(published.toSorted());
    const made = new Set([...applied.values()].flatMap((texts) => [...texts]));
    const children = trials.filter(({ origin }) => origin !== 'generated');
    expect(children.length).toBeGreaterThan(200);
    expect(children.filter(({ formula }) => !made.has(printScript(formula)))).toEqual([]);
  });

  it('runs the first tournament by front only, later ones with crowding', () => {
    const [, alike, alikeLater] = generationsOf(searchOf('mulstringfuzz', plainly), 2, () => ({
      ...{ newestMs: 5, executed: same },
    }));
    const [, alone, aloneLater] = generationsOf(searchOf('mulstringfuzz', plainly), 2, (at) => ({
      newestMs: 5,
      executed: at % 2 === 0 ? same : own(at),
    }));
    expect(alone).toEqual(alike);
    expect(aloneLater).not.toEqual(alikeLater);
    const [, faster] = generationsOf(searchOf('mulstringfuzz', plainly), 1, (at) => ({
      ...{ newestMs: 5 + at, executed: same },
    }));
    expect(faster).not.toEqual(alike);
  });

  it('keeps members with different coverage, where NSGA-II keeps the ends of each objective', () => {
    /** All formulas are equally slow; only children execute lines of their own. */
    const childrenLeft = (crowding: 'trace' | 'classical') => {
      const search = searchOf('mulstringfuzz', { ...plainly, crowding });
      const { population } = plainly;
      const [first = [], children = []] = generationsOf(search, 1, (at) => ({
        ...{ newestMs: 5, executed: at < population ? same : own(at) },
      }));
      expect(first).toHaveLength(population);
      expect(children.length).toBeGreaterThan(2);
      const left = (search.population?.() ?? []).map(({ formula }) => printScript(formula));
      expect(left).toHaveLength(population);
      return { children, left: children.filter((text) => left.includes(text)) };
    };
    const trace = childrenLeft('trace');
    expect(trace.left).toEqual(trace.children);
    // With equal values of an objective, its ends are the first and the last member.
    const classical = childrenLeft('classical');
    expect(classical.left).toEqual(classical.children.slice(-1));
  });
});
