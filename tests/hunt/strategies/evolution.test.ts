import { describe, expect, it } from 'vitest';
import { strategies } from '../../../src/hunt/strategies/index.js';
import type { Trial } from '../../../src/hunt/strategy.js';
import { Random } from '../../../src/machine/index.js';
import { printCommand, printScript, type Script } from '../../../src/smtlib/index.js';
import type { Runs } from '../../../src/solver/index.js';
import { drive, input, isFound, isTrial } from '../../simulated/search.js';
import { digits, ended } from '../../simulated/solver.js';

const population = 6;
const names = ['stringfuzz', 'stringfuzz-difference'] as const;

const startOf = (name: (typeof names)[number], options: Readonly<Record<string, unknown>> = {}) =>
  strategies[name].start(input, strategies[name].options.parse({ population, ...options }));

const assertionsOf = ({ commands }: Script): string[] =>
  commands.filter(({ kind }) => kind === 'assert').map((command) => printCommand(command));

/** The number of assertions by which a formula differs from the most similar of the others. */
function changesFrom(formula: Script, others: readonly Script[]): number {
  const differing = others.map((other) => {
    const known = new Set(assertionsOf(other));
    return assertionsOf(formula).filter((assertion) => !known.has(assertion)).length;
  });
  return Math.min(...differing);
}

const taking = (ms: number): Runs => [ended('sat', 1), ended('sat', ms)];

/** Trials with one-step mutation only, given each trial's fitness. */
function trialsOf(worth: (trial: Trial, at: number) => number): readonly Trial[] {
  let at = 0;
  const search = startOf('stringfuzz', { crossoverProbability: 0, mutationProbability: 1 });
  const lane = search.lane(Random.fromSeed(2));
  return drive(lane, 40 * population, (trial) => taking(worth(trial, at++))).filter(isTrial);
}

describe('evolution', () => {
  it('starts with a generated population and continues with changed formulas', () => {
    const steps = drive(startOf('stringfuzz').lane(Random.fromSeed(1)), 60, () => taking(5)).filter(isTrial);
    expect(steps.slice(0, population).every(({ origin }) => origin === 'generated')).toBe(true);
    const later = new Set(steps.slice(population).map(({ origin }) => origin));
    expect(later).toEqual(new Set(['mutated', 'crossed']));
  });

  it('keeps its first formulas while their children are worse', () => {
    const trials = trialsOf(({ origin }) => (origin === 'generated' ? 100 : 1));
    const first = trials.slice(0, population).map(({ formula }) => formula);
    // Swapping two terms may change two assertions.
    for (const { formula } of trials) expect(changesFrom(formula, first)).toBeLessThanOrEqual(2);
  });

  it('replaces them when their children are better', () => {
    const trials = trialsOf((_, at) => 1 + at);
    const first = trials.slice(0, population).map(({ formula }) => formula);
    const last = trials.slice(-population).map(({ formula }) => changesFrom(formula, first));
    expect(Math.max(...last)).toBeGreaterThan(2);
  });

  it('reports its progress', () => {
    const search = startOf('stringfuzz');
    const best: number[] = [];
    const answer = ({ formula }: Trial): Runs => taking(digits(printScript(formula)) % 200);
    drive(search.lane(Random.fromSeed(1)), 10 * population, answer, () =>
      best.push(search.view().parameters.bestFitnessMs as number),
    );
    expect(best).toEqual(best.toSorted((a, b) => a - b));
    // Some children equal their parents and cost nothing.
    expect(search.view().parameters.generations).toBeGreaterThan(9);
  });

  it.each(names)('of %s mutates a quarter of the children, crossed or not, as published', (name) => {
    const search = startOf(name, {
      population: 40,
      depthRange: [2, 3],
      literalLengthRange: [10, 20],
      assertionsRange: [4, 5],
    });
    const trials = drive(search.lane(Random.fromSeed(3)), 1200, ({ formula }) =>
      taking(digits(printScript(formula)) % 200),
    ).filter(isTrial);
    const children = (search.view().parameters.generations as number) * 40;
    const share = (origin: string) => trials.filter((trial) => trial.origin === origin).length / children;
    expect(children).toBeGreaterThan(1000);
    // Four standard deviations of this many draws are 5 %.
    expect(share('mutated')).toBeGreaterThan(0.2);
    expect(share('mutated')).toBeLessThan(0.3);
    // Three quarters are crossed, and three quarters of these are not mutated; a few cannot be crossed.
    expect(share('crossed')).toBeGreaterThan(0.4);
    expect(share('crossed')).toBeLessThan(0.61);
  });

  it('runs no formula again that is in the population', () => {
    // With equal fitness, the first formulas stay.
    const trials = drive(startOf('stringfuzz').lane(Random.fromSeed(1)), 300, () => taking(5)).filter(
      isTrial,
    );
    const texts = trials.map(({ formula }) => printScript(formula));
    const first = new Set(texts.slice(0, population));
    expect(texts.slice(population).filter((text) => first.has(text))).toEqual([]);
  });

  it('continues if no new formula can be derived', () => {
    const options = { crossoverProbability: 0, mutationProbability: 0 };
    const steps = drive(startOf('stringfuzz', options).lane(Random.fromSeed(1)), 30, () => taking(5));
    expect(steps.filter(isTrial).every(({ origin }) => origin === 'generated')).toBe(true);
  });

  it('uses the generator’s parameters for new parts of mutants', () => {
    const longest = (literalLengthRange: readonly [number, number]) => {
      const options = {
        crossoverProbability: 0,
        mutationProbability: 1,
        depthRange: [2, 3],
        literalLengthRange,
      };
      const trials = drive(startOf('stringfuzz', options).lane(Random.fromSeed(2)), 200, () => taking(5));
      const texts = trials.filter(isTrial).map(({ formula }) => assertionsOf(formula).join(' '));
      return Math.max(
        ...texts.flatMap((text) => [...text.matchAll(/"((?:[^"]|"")*)"/g)].map(([all]) => all.length)),
      );
    };
    expect(longest([10, 10])).toBeLessThan(60);
    expect(longest([200, 300])).toBeGreaterThan(150);
  });
});

describe('the fitness of an evolution', () => {
  const runs: Runs = [ended('sat', 90), ended('sat', 150)];

  it.each([
    ['stringfuzz', 150],
    ['stringfuzz-difference', 60],
  ] as const)('of %s is %d for these runs', (name, worth) => {
    const search = startOf(name);
    drive(search.lane(Random.fromSeed(1)), 2, () => runs);
    expect(search.view().parameters.bestFitnessMs).toBe(worth);
  });

  it.each([
    ['stringfuzz', 70],
    ['stringfuzz-difference', 30],
  ] as const)('of %s uses processor time, so that a busy machine does not bias it', (name, worth) => {
    const search = startOf(name);
    const disturbed = [
      { ...ended('sat', 900), cpuMs: 40 },
      { ...ended('sat', 1500), cpuMs: 70 },
    ];
    drive(search.lane(Random.fromSeed(1)), 2, () => disturbed);
    expect(search.view().parameters.bestFitnessMs).toBe(worth);
  });

  it.each(names)('lets %s report slowdowns and continue from them', (name) => {
    const steps = drive(startOf(name).lane(Random.fromSeed(1)), 30, () => taking(900));
    expect(steps.filter(isFound)).toHaveLength(30);
  });
});
