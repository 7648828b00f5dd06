/** Formulas far deeper and larger than people write. */

import { describe, expect, it } from 'vitest';
import { caseId } from '../../src/campaign/index.js';
import { SolverPerformer } from '../../src/hunt/performer.js';
import { type Property, reduceFormula, shrink, VerdictCache } from '../../src/reduce/index.js';
import {
  parseScript,
  type Script,
  simplificationRuleNames,
  simplificationsInTurn,
} from '../../src/smtlib/index.js';
import { ended, SimulatedRunner, simulatedVersion } from '../simulated/solver.js';

const nested = (count: number, open: (at: number) => string, core: string): string =>
  `${Array.from({ length: count }, (_, at) => open(at)).join('')}${core}${')'.repeat(count)}`;

const deep: Readonly<Record<string, string>> = {
  'nested not': `(declare-const p Bool) (assert ${nested(40_000, () => '(not ', 'p')}) (check-sat)`,
  'nested let': `(declare-const x0 Int) (assert ${nested(2000, (at) => `(let ((x${at + 1} (+ x${at} 1))) `, '(> x2000 0)')}) (check-sat)`,
  'doubling let': `(declare-const x0 Int) (assert ${nested(2000, (at) => `(let ((x${at + 1} (+ x${at} x${at}))) `, '(> x2000 0)')}) (check-sat)`,
  'a wide conjunction': `(declare-const p Bool) (assert (and ${'p '.repeat(200_000)})) (check-sat)`,
};

describe.each(Object.entries(deep))('reducing %s', (_, text) => {
  it('tries no further candidate after an abort', { timeout: 60_000 }, async () => {
    const ending = new AbortController();
    let asked = 0;
    const property: Property = {
      summary: 'anything',
      key: undefined,
      explainFailure: async () => 'no reason',
      holds: async () => {
        asked++;
        // Abort at the first candidate; the formula itself was asked first.
        if (asked === 2) ending.abort();
        return asked === 1;
      },
    };
    const reduced = await reduceFormula(parseScript(text), property, {
      jobs: 1,
      known: VerdictCache.inMemory(),
      signal: ending.signal,
    });
    expect(reduced).toMatchObject({ isMinimal: false, taken: 0 });
    expect(asked).toBe(2);
  });

  it('notices an abort while it searches for candidates', { timeout: 60_000 }, async () => {
    const ending = new AbortController();
    let asked = 0;
    const property: Property = {
      summary: 'anything',
      key: undefined,
      explainFailure: async () => 'no reason',
      holds: async () => {
        asked++;
        // Like a timer or an interrupt, this runs only after a cooperative yield.
        setImmediate(() => ending.abort());
        return asked === 1;
      },
    };
    await reduceFormula(parseScript(text), property, {
      jobs: 1,
      known: VerdictCache.inMemory(),
      signal: ending.signal,
    });
    // Without yields the abort would never run and the search would try every candidate.
    expect(asked).toBeLessThan(1000);
  });
});

it('shrinking a deep formula in a hunt stops on an abort', async () => {
  const formula = parseScript(deep['nested let'] ?? '');
  const versions = [simulatedVersion('old'), simulatedVersion('new')];
  const ending = new AbortController();
  // Like a timer or an interrupt, this runs only after a cooperative yield.
  const runner = new SimulatedRunner(() => {
    setImmediate(() => ending.abort(new Error('ended')));
    return ended('sat', 5);
  });
  const slowness = { noise: { floorMs: 10, relative: 0.1 }, thresholdMs: 600, timeoutMs: 2000 };
  const performer = new SolverPerformer(runner, versions, slowness, 1e9);
  const runs = [ended('sat', 5), ended('sat', 1900)];
  const task = { task: 'shrink', slowdown: caseId(1), formula, runs } as const;
  await expect(performer.shrink(task, ending.signal)).rejects.toThrow('ended');
});

it('simplification yields its first candidate before it finds the last', () => {
  const [formula] = Object.values(deep).map((text) => parseScript(text));
  let found = 0;
  const counted = function* (script: Script) {
    for (const step of simplificationsInTurn(script, simplificationRuleNames)) {
      found++;
      yield step;
    }
  };
  const shrinking = shrink(formula as Script, counted);
  let step = shrinking.next();
  while (step.value === undefined) step = shrinking.next(false);
  expect(found).toBeLessThan(100);
});

it('the number of simplification steps grows linearly with the formula', { timeout: 60_000 }, () => {
  const steps = (count: number): number => {
    const text = `(declare-const p Bool) (assert ${nested(count, () => '(not ', 'p')}) (check-sat)`;
    return [...simplificationsInTurn(parseScript(text), simplificationRuleNames)].length;
  };
  expect(steps(2000) / steps(1000)).toBeLessThan(2.1);
});
