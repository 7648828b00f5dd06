import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  AdaptiveParameters,
  adaptiveOptions,
  parameterNames,
  randomParameters,
} from '../../src/hunt/search/adaptive-parameters.js';
import { Random } from '../../src/machine/index.js';

const schema = z.object(adaptiveOptions);
const window = 1000;
const timeout = 20_000;
const options = schema.parse({ idleWindowMs: window });
/** The authors' values. */
const start = { literalLength: 20, variables: 3, assertions: 4, depth: 4 };

let adaptive: AdaptiveParameters;
let random: Random;

beforeEach(() => {
  adaptive = new AdaptiveParameters(options, timeout);
  random = Random.fromSeed(1);
});

/** The parameters that an action changes. */
function movedBy(act: () => void): string[] {
  const before = adaptive.current;
  act();
  return parameterNames.filter((name) => adaptive.current[name] !== before[name]);
}

const movedAt = (ms: number): string[] => movedBy(() => adaptive.update(ms, random));

describe('AdaptiveParameters (SPRFinder 4.1.3)', () => {
  it('start with the authors’ values and keep them for one window', () => {
    expect(adaptive.current).toEqual(start);
    expect(movedAt(0)).toEqual([]);
    expect(movedAt(window - 1)).toEqual([]);
  });

  it('accept other start values; the default window is five minutes', () => {
    const told = schema.parse({ literalLengthStart: 10, depthStart: 3 });
    expect(new AdaptiveParameters(told, timeout).current).toEqual({ ...start, literalLength: 10, depth: 3 });
    expect(told.idleWindowMs).toBe(300_000);
  });

  it('change L after one idle window, V after two, S after three, D after four, and restart after five', () => {
    const moved = Array.from({ length: 11 }, (_, at) => movedAt((at + 1) * window));
    const round = [['literalLength'], ['variables'], ['assertions'], ['depth'], []];
    expect(moved).toEqual([...round, ...round, ['literalLength']]);
  });

  it('change once per window, however often they are read', () => {
    expect(movedAt(window)).toEqual(['literalLength']);
    for (let ms = window; ms < 2 * window; ms += 100) expect(movedAt(ms)).toEqual([]);
  });

  it('catch up on windows that passed during a run', () => {
    expect(movedAt(4 * window)).toEqual(['literalLength', 'variables', 'assertions', 'depth']);
  });

  it('change by the step sizes of the paper', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const own = new AdaptiveParameters(options, timeout);
        own.update(4 * window, Random.fromSeed(seed));
        const by = (name: keyof typeof start): number => own.current[name] - start[name];
        expect(by('literalLength')).toBeGreaterThanOrEqual(20);
        expect(by('literalLength')).toBeLessThanOrEqual(50);
        expect(by('variables')).toBeGreaterThanOrEqual(1);
        expect(by('variables')).toBeLessThanOrEqual(5);
        expect(by('assertions')).toBeGreaterThanOrEqual(1);
        expect(by('assertions')).toBeLessThanOrEqual(3);
        expect(by('depth')).toBe(1);
      }),
    );
  });

  it('increase if the mean run time is below three quarters of the timeout, and decrease otherwise', () => {
    adaptive.update(5 * window, random);
    const grown = adaptive.current;
    for (const name of parameterNames) expect(grown[name]).toBeGreaterThan(start[name]);
    adaptive.observe(10_000);
    adaptive.observe(20_000);
    adaptive.update(9 * window, random);
    for (const name of ['variables', 'assertions', 'depth'] as const)
      expect(adaptive.current[name]).toBeLessThanOrEqual(grown[name]);
    expect(adaptive.current.depth).toBe(grown.depth - 1);
    // One fast run brings the mean below the limit again.
    adaptive.observe(14_900);
    const shrunk = adaptive.current;
    adaptive.update(14 * window, random);
    expect(adaptive.current.depth).toBe(shrunk.depth + 1);
  });

  it('skip a change that would leave the range', () => {
    for (let i = 0; i < 10; i++) adaptive.observe(timeout);
    expect(movedAt(3 * window)).toEqual([]);
    // Only the depth starts a step above its minimum.
    expect(movedAt(4 * window)).toEqual(['depth']);
    expect(movedAt(9 * window)).toEqual(['depth']);
    expect(movedAt(100 * window)).toEqual([]);
    expect(adaptive.current).toEqual({ ...start, depth: 2 });
  });

  it('stay in their ranges after any sequence of changes', () => {
    const run = fc.record({
      takesMs: fc.integer({ min: 0, max: timeout }),
      isFind: fc.boolean(),
      afterMs: fc.integer({ min: 0, max: 3 * window }),
    });
    fc.assert(
      fc.property(fc.integer(), fc.array(run, { maxLength: 60 }), (seed, runs) => {
        const own = new AdaptiveParameters(options, timeout);
        const drawn = Random.fromSeed(seed);
        let nowMs = 0;
        for (const { takesMs, isFind, afterMs } of runs) {
          nowMs += afterMs;
          own.observe(takesMs);
          if (isFind) own.found(nowMs);
          own.update(nowMs, drawn);
          for (const name of parameterNames) {
            const [low, high] = options[`${name}Range`];
            expect(own.current[name]).toBeGreaterThanOrEqual(low);
            expect(own.current[name]).toBeLessThanOrEqual(high);
          }
        }
      }),
    );
  });

  it('restart the idle window after a slowdown', () => {
    movedAt(2 * window);
    adaptive.found(2.5 * window);
    expect(movedAt(3.4 * window)).toEqual([]);
    expect(movedAt(3.5 * window)).toEqual(['literalLength']);
    expect(movedAt(4.5 * window)).toEqual(['variables']);
  });

  it('change identically for equal seeds', () => {
    adaptive.update(50 * window, random);
    const other = new AdaptiveParameters(options, timeout);
    other.update(50 * window, Random.fromSeed(1));
    expect(other.current).toEqual(adaptive.current);
  });
});

describe('randomParameters', () => {
  it('draws from the whole range of each parameter', () => {
    const seen = Array.from({ length: 2000 }, () => randomParameters(options, random));
    for (const name of parameterNames) {
      const values = seen.map((parameters) => parameters[name]);
      const [low, high] = options[`${name}Range`];
      expect(Math.min(...values)).toBeGreaterThanOrEqual(low);
      expect(Math.max(...values)).toBeLessThanOrEqual(high);
      expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(0.9 * (high - low));
    }
  });
});
