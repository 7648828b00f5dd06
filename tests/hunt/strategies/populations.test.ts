import { describe, expect, it, vi } from 'vitest';
import { packedText } from '../../../src/coverage/packed.js';
import { formulaMark, type Measurement } from '../../../src/hunt/events.js';
import type { Hunt } from '../../../src/hunt/hunt.js';
import { type StrategyName, strategies } from '../../../src/hunt/strategies/index.js';
import type { Lane, Strategy } from '../../../src/hunt/strategy.js';
import { Random } from '../../../src/machine/index.js';
import { drive, executedFor, huntOf, input, settingsFor } from '../../simulated/search.js';
import { ended, fullRuns } from '../../simulated/solver.js';
import { withoutFault } from '../../without-fault.js';

const population = 5;
const names = ['stringfuzz', 'stringfuzz-difference', 'mulstringfuzz'] as const;

const startOf = (name: StrategyName) => {
  const strategy = strategies[name] as Strategy;
  return strategy.start(input, strategy.options.parse({ population }));
};

/** A measurement of a lane's next formula, with or without coverage. */
function tried(hunt: Hunt, lane: number, at: number, isCounted: boolean): Measurement {
  const { formula } = hunt.trialOf(lane);
  const executed = isCounted ? { executed: packedText(executedFor(formula)) } : {};
  const runs = fullRuns(formula).map((run) =>
    run === undefined ? null : { ...run, answers: [...run.answers] },
  );
  return { event: 'tried', at, lane, formula: formulaMark(formula), runs, ...executed };
}

describe('Populations', () => {
  it.each(names)('with %s contains every lane, including ended ones, except failed ones', (name) => {
    const search = startOf(name);
    const [failing, ending, living] = [1, 2, 3].map((seed) => search.lane(Random.fromSeed(seed)));
    for (const lane of [failing, ending, living])
      if (lane !== undefined) drive(lane, 4 * population, () => [ended('sat', 5), ended('sat', 5)]);
    expect(search.population?.()).toHaveLength(3 * population);
    expect(() => failing?.throw(new Error('failed'))).toThrow('failed');
    expect(search.population?.()).toHaveLength(2 * population);
    expect(() => ending?.return(undefined as never)).not.toThrow();
    expect(search.population?.()).toHaveLength(2 * population);
  });

  it('holds one population per worker, however many lanes failed', () => {
    const hunt = huntOf(settingsFor('mulstringfuzz', { population }, { workers: 2 }));
    let at = 0;
    const fill = (lane: number): void => {
      for (let left = 2 * population; left > 0; left--)
        withoutFault(hunt.apply(tried(hunt, lane, at++, true)));
    };
    fill(0);
    fill(1);
    expect(hunt.population()).toHaveLength(2 * population);
    withoutFault(hunt.apply(tried(hunt, 0, at++, false)));
    expect(hunt.failures.count).toBe(1);
    expect(hunt.population()).toHaveLength(population);
    fill(0);
    expect(hunt.population()).toHaveLength(2 * population);
  });

  it('passes an error in a later step into the lane', () => {
    const told: unknown[] = [];
    const step = startOf('random').lane(Random.fromSeed(1)).next().value;
    function* lane(): Lane {
      try {
        yield step;
        // No slowdown was found that it could pursue.
        for (;;) yield { step: 'pursued', core: undefined };
      } catch (error) {
        told.push(error);
        throw error;
      }
    }
    const start = vi
      .spyOn(strategies.random, 'start')
      .mockReturnValue({ lane, view: () => ({ beliefs: [], parameters: {} }) });
    const hunt = huntOf(settingsFor('random'));
    start.mockRestore();
    withoutFault(hunt.apply(tried(hunt, 0, 1, false)));
    expect(told).toEqual([new Error('a strategy must find something before it goes on with it')]);
  });
});
