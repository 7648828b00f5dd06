import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault, Random, timeoutOf } from '../../src/machine/index.js';
import { Slower } from '../../src/reduce/properties/slower.js';
import type { Property } from '../../src/reduce/property.js';
import { type Reduced, reduceFormula } from '../../src/reduce/reduce-formula.js';
import { VerdictCache } from '../../src/reduce/verdict-cache.js';
import {
  checkScript,
  generate,
  measure,
  parseScript,
  printScript,
  type Script,
  simplificationRuleNames,
  simplifications,
} from '../../src/smtlib/index.js';
import type { Run, RunRequest } from '../../src/solver/index.js';
import { ended, SimulatedRunner, simulatedVersion, timedOut } from '../simulated/solver.js';

const never = new AbortController().signal;

function keeping(holds: (formula: Script, isStrict: boolean) => boolean): Property {
  return {
    summary: 'kept',
    key: 'kept',
    holds: async (formula, isStrict) => holds(formula, isStrict),
    explainFailure: async () => 'it is not kept',
  };
}

async function reduced(
  formula: Script,
  property: Property,
  jobs = 1,
  known: VerdictCache = VerdictCache.inMemory(),
): Promise<Reduced> {
  const result = await reduceFormula(formula, property, { jobs, known, signal: never });
  if (result instanceof Fault) throw new Error(result.message);
  return result;
}

const hasOperators =
  (...wanted: readonly string[]) =>
  (formula: Script): boolean => {
    const { operators } = measure(formula);
    return wanted.every((operator) => operators.has(operator));
  };

describe('reduceFormula', () => {
  it('returns a well-sorted formula with the property that no single rule makes smaller', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 3 }), async (seed, jobs) => {
        const formula = generate(Random.fromSeed(seed), { assertions: 4, depth: 4 });
        const [first, second] = [...measure(formula).operators.keys()];
        const holds = hasOperators(...[first, second].filter((operator) => operator !== undefined));
        const { formula: small, isMinimal, isSure } = await reduced(formula, keeping(holds), jobs);
        expect(checkScript(small)).toBeUndefined();
        expect([holds(small), isMinimal, isSure]).toEqual([true, true, true]);
        for (const { rule, make } of simplifications(small, simplificationRuleNames)) {
          const smaller = make();
          expect(smaller !== undefined && holds(smaller), `${rule}\n${printScript(small)}`).toBe(false);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('reduces a formula to what a person would write', async () => {
    const formula = parseScript(`
      (set-info :status sat)
      (set-option :produce-models true)
      (set-logic QF_SLIA)
      (declare-fun first_name () String)
      (declare-fun last_name () String)
      (declare-fun length () Int)
      (define-fun longer ((s String) (n Int)) Bool (> (str.len s) n))
      (assert (! (longer (str.++ first_name last_name) length) :named goal))
      (assert (let ((i (str.indexof first_name "xyz" length))) (and (<= i 17) (>= i 0))))
      (push 1)
      (check-sat)
      (pop 1)
      (get-model)`);
    const asksIndex = hasOperators('str.indexof');
    const { formula: small } = await reduced(
      formula,
      keeping((script) => asksIndex(script) && script.commands.some(({ kind }) => kind === 'check-sat')),
    );
    expect(printScript(small)).toBe('(assert (< (str.indexof "" "") 0))\n(check-sat)\n');
  });

  it('never reports a larger formula than before', async () => {
    const formula = generate(Random.fromSeed(11), { assertions: 6, depth: 4 });
    const [first] = [...measure(formula).operators.keys()];
    const sizes: number[] = [];
    const ended = new AbortController();
    await reduceFormula(formula, keeping(hasOperators(first ?? '')), {
      jobs: 2,
      known: VerdictCache.inMemory(),
      signal: ended.signal,
      onProgress: ({ size }, smallest) => {
        expect(printScript(smallest)).toHaveLength(size);
        sizes.push(size);
      },
    });
    expect(sizes.toSorted((a, b) => b - a)).toEqual(sizes);
  });

  it('tries another order if the first leaves much, and takes the smaller result', async () => {
    // With outermost terms first, the right side is deleted, and then the text has to stay.
    const long = `"${'not a single letter may go '.repeat(5)}"`;
    const formula = parseScript(
      `(declare-const x String)(assert (= ${long} (str.++ x (str.replace x "b" "c"))))(check-sat)`,
    );
    const property = keeping((script) => {
      const text = printScript(script);
      return text.includes(long) || text.includes('str.replace');
    });
    const { formula: small } = await reduced(formula, property);
    expect(printScript(small)).toContain('str.replace');
    expect(printScript(small)).not.toContain('letter');
  });

  it('does not test the strict rule on formulas that failed the faster one', async () => {
    const formula = generate(Random.fromSeed(7), { assertions: 6, depth: 3 });
    const [first] = [...measure(formula).operators.keys()];
    const refused = new Set<string>();
    const twice: string[] = [];
    const isKept = hasOperators(first ?? '');
    const property = keeping((script, isStrict) => {
      const text = printScript(script);
      if (isStrict && refused.has(text)) twice.push(text);
      if (!isStrict && !isKept(script)) refused.add(text);
      return isKept(script);
    });
    await reduced(formula, property);
    expect(refused.size).toBeGreaterThan(5);
    expect(twice).toEqual([]);
  });

  it('returns the same formula for any number of jobs', async () => {
    const formula = generate(Random.fromSeed(5), { assertions: 5, depth: 4 });
    const [first] = [...measure(formula).operators.keys()];
    const property = keeping(hasOperators(first ?? ''));
    const alone = await reduced(formula, property, 1);
    expect(printScript((await reduced(formula, property, 4)).formula)).toBe(printScript(alone.formula));
  });

  it('returns a formula that passes the strict rule if the faster rule removes too much', async () => {
    const formula = generate(Random.fromSeed(7), { assertions: 6, depth: 3 });
    const size = (script: Script): number => measure(script).nodes;
    const least = Math.ceil(size(formula) / 2);
    const property = keeping((script, isStrict) => !isStrict || size(script) >= least);
    const { formula: small } = await reduced(formula, property);
    expect(size(small)).toBeGreaterThanOrEqual(least);
    for (const { make } of simplifications(small, simplificationRuleNames)) {
      const smaller = make();
      expect(smaller === undefined || size(smaller) < least).toBe(true);
    }
  });

  it('returns a fault if the property does not hold for the original formula', async () => {
    const result = await reduceFormula(
      parseScript('(check-sat)'),
      keeping(() => false),
      {
        jobs: 1,
        known: VerdictCache.inMemory(),
        signal: never,
      },
    );
    expect(result).toEqual(new Fault('text', 'it is not kept'));
  });

  it('returns the smallest formula so far when aborted', async () => {
    const formula = generate(Random.fromSeed(9), { assertions: 6, depth: 4 });
    const stop = new AbortController();
    let tries = 0;
    const property = keeping(() => {
      if (++tries > 5) stop.abort();
      return true;
    });
    const options = { jobs: 1, known: VerdictCache.inMemory(), signal: stop.signal };
    const result = (await reduceFormula(formula, property, options)) as Reduced;
    expect(result).toMatchObject({ isMinimal: false, isSure: false });
    expect(printScript(result.formula).length).toBeLessThan(printScript(formula).length);
  });

  it('returns the smallest formula so far when aborted during the final confirmation', async () => {
    const formula = generate(Random.fromSeed(9), { assertions: 6, depth: 4 });
    const stop = new AbortController();
    const property = {
      ...keeping((script) => measure(script).assertions > 1),
      confirm: async (): Promise<boolean> => {
        stop.abort(new Error('time is up'));
        throw stop.signal.reason;
      },
    };
    const options = { jobs: 1, known: VerdictCache.inMemory(), signal: stop.signal };
    const result = (await reduceFormula(formula, property, options)) as Reduced;
    expect(result).toMatchObject({ isMinimal: false, isSure: false });
    expect(measure(result.formula).assertions).toBe(2);
  });

  it('returns a larger, confirmed formula if the smallest one is not confirmed', async () => {
    const formula = generate(Random.fromSeed(7), { assertions: 6, depth: 3 });
    const nodes = (script: Script): number => measure(script).nodes;
    const kept = keeping((script) => nodes(script) >= 10);
    const property = { ...kept, confirm: async (script: Script) => nodes(script) >= 14 };
    const { formula: small, isSure } = await reduced(formula, property);
    expect(isSure).toBe(true);
    expect(nodes(small)).toBeGreaterThanOrEqual(14);
    expect(nodes(small)).toBeLessThan(nodes(formula));
    const hopeless = { ...kept, confirm: async () => false };
    expect(await reduced(formula, hopeless)).toMatchObject({ isSure: false, isMinimal: true });
  });

  it('tests nothing again when repeated with the same verdicts', async () => {
    const formula = generate(Random.fromSeed(5), { assertions: 5, depth: 4 });
    const known = VerdictCache.inMemory();
    let tests = 0;
    const property = keeping((script) => {
      tests++;
      return measure(script).assertions > 1;
    });
    const first = await reduced(formula, property, 1, known);
    const before = tests;
    const second = await reduced(formula, property, 1, known);
    expect(second.formula).toEqual(first.formula);
    // The property of the original formula is always tested.
    expect(tests - before).toBe(1);
  });
});

describe('Slower', () => {
  const [older, newest] = [simulatedVersion('old'), simulatedVersion('new')];
  const slowness = { noise: { floorMs: 20, relative: 0.1 }, timeoutMs: 2000, thresholdMs: 1000 };

  /** A runner whose runs take this many milliseconds, unless the limit is lower. */
  const taking = (ms: (request: RunRequest) => number) =>
    new SimulatedRunner((request): Run => {
      const needed = ms(request);
      const limitMs = timeoutOf(request.limits);
      return needed <= limitMs ? ended('sat', needed) : timedOut(limitMs);
    });
  const slowerBy = (ms: (request: RunRequest) => number) => {
    const runner = taking(ms);
    return {
      runner,
      property: new Slower(runner, { newest, others: [older], slowness, memoryBytes: 1 << 30 }),
    };
  };
  const formula = parseScript('(check-sat)');

  it('requires a higher threshold of results than requested', async () => {
    let newestMs = 2000;
    const { property } = slowerBy(({ version }) => (version === newest ? newestMs : 20));
    expect(await property.holds(formula, true, never)).toBe(true);
    newestMs = 1050;
    expect(await property.holds(formula, true, never)).toBe(false);
    newestMs = 1200;
    expect(await property.holds(formula, true, never)).toBe(true);
  });

  it('accepts an original formula just above the threshold', async () => {
    const { property } = slowerBy(({ version }) => (version === newest ? 1050 : 20));
    expect(await property.holds(formula, true, never)).toBe(true);
    expect(await property.holds(formula, true, never)).toBe(true);
  });

  it('confirms with a limit of twice the slowdown limit', async () => {
    const runner = taking(({ version }) => (version === newest ? 90_000 : 20));
    const patient = { ...slowness, timeoutMs: 60_000 };
    const property = new Slower(runner, { newest, others: [older], slowness: patient, memoryBytes: 1 << 30 });
    await property.holds(formula, true, never);
    runner.requests.length = 0;
    expect(await property.confirm(formula, never)).toBe(true);
    expect(Math.max(...runner.requests.map(({ limits }) => limits.cpuMs ?? 0))).toBeCloseTo(2 * 1120);
  });

  it('holds if the newest version is slower by the threshold', async () => {
    const { property } = slowerBy(({ version }) => (version === newest ? 1100 : 20));
    expect(await property.holds(formula, true, never)).toBe(true);
    const { property: near } = slowerBy(({ version }) => (version === newest ? 900 : 20));
    expect(await near.holds(formula, true, never)).toBe(false);
    // The faster rule needs a quarter of the threshold only.
    expect(await near.holds(formula, false, never)).toBe(true);
  });

  it('runs the older version first, and the newest with the limit that decides', async () => {
    const { property, runner } = slowerBy(({ version }) => (version === newest ? 60_000 : 20));
    expect(await property.holds(formula, true, never)).toBe(true);
    expect(runner.requests.map(({ version }) => version.name)).toEqual(['old', 'new']);
    expect(runner.requests[1]?.limits.cpuMs).toBeCloseTo(1.02 * 1120);
  });

  it('rejects formulas that are slow on the older version, with a short limit', async () => {
    let olderMs = 30;
    const { property, runner } = slowerBy(({ version }) => (version === newest ? 60_000 : olderMs));
    expect(await property.holds(formula, true, never)).toBe(true);
    olderMs = 400;
    expect(await property.holds(formula, true, never)).toBe(false);
    expect(runner.requests.at(-1)).toMatchObject({ version: older, limits: { cpuMs: 120 } });
  });

  /** Wall time is six times the CPU time. */
  const onBusyMachine = (ms: (request: RunRequest) => number) => {
    const runner = new SimulatedRunner((request): Run => {
      const limitMs = timeoutOf(request.limits);
      const workedMs = Math.min(limitMs, ms(request));
      const run = ms(request) <= limitMs ? ended('sat', 6 * workedMs) : timedOut(6 * workedMs);
      return { ...run, cpuMs: workedMs };
    });
    return new Slower(runner, { newest, others: [older], slowness, memoryBytes: 1 << 30 });
  };

  it('gives the same verdicts on a busy machine', async () => {
    const slower = onBusyMachine(({ version }) => (version === newest ? 60_000 : 300));
    expect(await slower.holds(formula, true, never)).toBe(true);
    expect(await slower.confirm(formula, never)).toBe(true);
    const same = onBusyMachine(() => 300);
    expect(await same.holds(formula, true, never)).toBe(false);
    expect(await same.confirm(formula, never)).toBe(false);
    expect(await same.explainFailure(formula, never)).toContain(
      'old: sat after 300 ms, new: sat after 300 ms',
    );
  });

  it('explainFailure reports the outcome and time of each version', async () => {
    const { property } = slowerBy(() => 20);
    expect(await property.explainFailure(formula, never)).toBe(
      'the formula is not slower on new than on old (old: sat after 20 ms, new: sat after 20 ms)',
    );
  });
});
