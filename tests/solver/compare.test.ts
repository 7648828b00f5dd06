import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScript } from '../../src/smtlib/index.js';
import { compareVersions, judge } from '../../src/solver/measure/compare.js';
import { assumedNoise, thresholdMs } from '../../src/solver/measure/noise.js';
import type { Run } from '../../src/solver/run/run.js';
import { ended, SimulatedRunner, simulatedVersion, timedOut } from '../simulated/solver.js';

const formula = parseScript('(assert true)(check-sat)');
const [old, middle, recent] = [simulatedVersion('old'), simulatedVersion('middle'), simulatedVersion('new')];
const options = { limits: { wallMs: 10_000 }, noise: assumedNoise };

const runnerOf = (table: Record<string, (round: number) => Run>): SimulatedRunner => {
  const rounds = new Map<string, number>();
  return new SimulatedRunner(({ version }) => {
    const round = rounds.get(version.name) ?? 0;
    rounds.set(version.name, round + 1);
    const answer = table[version.name];
    if (answer === undefined) throw new Error(`no answer for ${version.name}`);
    return answer(round);
  });
};

describe('compareVersions', () => {
  it('runs versions interleaved, forwards and backwards', async () => {
    const runner = runnerOf({ old: () => ended('sat', 10), new: () => ended('sat', 2000) });
    await compareVersions(runner, formula, [old, recent], { ...options, repeats: { least: 4, most: 4 } });
    const order = runner.requests.map((request) => request.version.name[0]).join('');
    expect(order).toBe('onnoonno');
  });

  it('stops after one run each if nothing differs', async () => {
    const runner = runnerOf({ old: () => ended('sat', 10), new: () => ended('sat', 12) });
    const result = await compareVersions(runner, formula, [old, recent], options);
    expect(result.verdict.kind).toBe('same');
    expect(runner.requests).toHaveLength(2);
  });

  it('repeats a run before it reports a difference, and drops a difference that does not recur', async () => {
    const runner = runnerOf({
      old: () => ended('sat', 10),
      new: (round) => ended('sat', round === 0 ? 3000 : 11),
    });
    const result = await compareVersions(runner, formula, [old, recent], options);
    expect(result.verdict.kind).toBe('same');
    expect(runner.requests.length).toBeGreaterThan(4);
  });

  it('compares the newest version with the fastest of the others', async () => {
    const runner = runnerOf({
      old: () => ended('sat', 5000),
      middle: () => ended('sat', 100),
      new: () => ended('sat', 5000),
    });
    const result = await compareVersions(runner, formula, [old, middle, recent], options);
    expect(result.reference?.name).toBe('middle');
    expect(result.verdict).toEqual({ kind: 'slower', referenceMs: 100, newestMs: 5000 });
  });

  it('counts a timeout as at least the limit', async () => {
    const runner = runnerOf({ old: () => ended('unsat', 100), new: () => timedOut(10_000) });
    expect((await compareVersions(runner, formula, [old, recent], options)).verdict.kind).toBe('slower');
    const both = runnerOf({ old: () => timedOut(10_000), new: () => timedOut(10_000) });
    expect((await compareVersions(both, formula, [old, recent], options)).verdict.kind).toBe('incomparable');
  });

  it('does not compare the time of a failed run', async () => {
    const crash: Run = { outcome: 'crash', signal: 'SIGSEGV', wallMs: 9000, answers: ['sat'] };
    const runner = runnerOf({ old: () => ended('sat', 10), new: () => crash });
    const result = await compareVersions(runner, formula, [old, recent], options);
    expect(result.verdict).toEqual({ kind: 'incomparable', reason: 'new: crash' });
  });

  it('reports contradicting versions, but ignores answers next to an error', async () => {
    const runner = runnerOf({ old: () => ended('sat', 10), new: () => ended('unsat', 10) });
    const result = await compareVersions(runner, formula, [old, recent], options);
    expect(result.disagreement).toMatchObject({ check: 0, sat: [{ name: 'old' }], unsat: [{ name: 'new' }] });
    const error: Run = { outcome: 'error', message: 'unknown constant', wallMs: 1, answers: ['unsat'] };
    const failing = runnerOf({ old: () => ended('sat', 10), new: () => error });
    expect((await compareVersions(failing, formula, [old, recent], options)).disagreement).toBeUndefined();
  });

  it('starts no round after the budget is spent', async () => {
    const runner = runnerOf({
      old: (round) => ended('sat', 10 + 200 * round),
      new: () => ended('sat', 300),
    });
    await compareVersions(runner, formula, [old, recent], { ...options, budgetMs: -1 });
    expect(runner.requests).toHaveLength(2);
  });
});

describe('judge', () => {
  const sample = fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1, maxLength: 8 });

  it('mirrors its verdict if the samples change places', () => {
    const mirrored = { slower: 'faster', faster: 'slower', same: 'same', undecided: 'undecided' };
    fc.assert(
      fc.property(sample, sample, fc.boolean(), (a, b, strict) => {
        expect(judge(b, a, 50, strict)).toBe(mirrored[judge(a, b, 50, strict)]);
      }),
    );
  });

  it('never reports a difference within the threshold', () => {
    fc.assert(
      fc.property(sample, (a) => {
        expect(
          judge(
            a,
            a.map((x) => x + 40),
            50,
            false,
          ),
        ).not.toBe('slower');
      }),
    );
  });
});

it('thresholdMs grows with the noise and with the time', () => {
  expect(thresholdMs({ floorMs: 20, relative: 0.1 }, 100)).toBe(100);
  expect(thresholdMs({ floorMs: 20, relative: 0.1 }, 2000)).toBe(1000);
});
