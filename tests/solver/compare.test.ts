import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScript } from '../../src/smtlib/index.js';
import { compareVersions, judge } from '../../src/solver/measure/compare.js';
import { assumedNoise, thresholdMs } from '../../src/solver/measure/noise.js';
import type { Run } from '../../src/solver/run/run.js';
import { answered, FakeRunner, fakeVersion, timedOut } from './fake.js';

const formula = parseScript('(assert true)(check-sat)');
const [old, middle, recent] = [fakeVersion('old'), fakeVersion('middle'), fakeVersion('new')];
const options = { limits: { wallMs: 10_000 }, noise: assumedNoise };

const runnerOf = (table: Record<string, (round: number) => Run>): FakeRunner => {
  const rounds = new Map<string, number>();
  return new FakeRunner(({ version }) => {
    const round = rounds.get(version.name) ?? 0;
    rounds.set(version.name, round + 1);
    const answer = table[version.name];
    if (answer === undefined) throw new Error(`no answer for ${version.name}`);
    return answer(round);
  });
};

describe('comparing versions', () => {
  it('runs them interleaved, forwards and backwards', async () => {
    const runner = runnerOf({ old: () => answered('sat', 10), new: () => answered('sat', 2000) });
    await compareVersions(runner, formula, [old, recent], { ...options, repeats: { least: 4, most: 4 } });
    const order = runner.requests.map((request) => request.version.name[0]).join('');
    expect(order).toBe('onnoonno');
  });

  it('stops after one run each where nothing differs', async () => {
    const runner = runnerOf({ old: () => answered('sat', 10), new: () => answered('sat', 12) });
    const result = await compareVersions(runner, formula, [old, recent], options);
    expect(result.verdict.kind).toBe('same');
    expect(runner.requests).toHaveLength(2);
  });

  it('asks again before it believes a difference, and drops one that does not come back', async () => {
    const runner = runnerOf({
      old: () => answered('sat', 10),
      new: (round) => answered('sat', round === 0 ? 3000 : 11),
    });
    const result = await compareVersions(runner, formula, [old, recent], options);
    expect(result.verdict.kind).toBe('same');
    expect(runner.requests.length).toBeGreaterThan(4);
  });

  it('holds the newest against the quickest of the others', async () => {
    const runner = runnerOf({
      old: () => answered('sat', 5000),
      middle: () => answered('sat', 100),
      new: () => answered('sat', 5000),
    });
    const result = await compareVersions(runner, formula, [old, middle, recent], options);
    expect(result.reference?.name).toBe('middle');
    expect(result.verdict).toEqual({ kind: 'slower', referenceMs: 100, newestMs: 5000 });
  });

  it('takes a timeout for at least the limit', async () => {
    const runner = runnerOf({ old: () => answered('unsat', 100), new: () => timedOut(10_000) });
    expect((await compareVersions(runner, formula, [old, recent], options)).verdict.kind).toBe('slower');
    const both = runnerOf({ old: () => timedOut(10_000), new: () => timedOut(10_000) });
    expect((await compareVersions(both, formula, [old, recent], options)).verdict.kind).toBe('incomparable');
  });

  it('does not compare the time of a run that failed', async () => {
    const crash: Run = { outcome: 'crash', signal: 'SIGSEGV', wallMs: 9000, answers: ['sat'] };
    const runner = runnerOf({ old: () => answered('sat', 10), new: () => crash });
    const result = await compareVersions(runner, formula, [old, recent], options);
    expect(result.verdict).toEqual({ kind: 'incomparable', reason: 'new: crash' });
  });

  it('reports versions that contradict each other, but not answers beside an error', async () => {
    const runner = runnerOf({ old: () => answered('sat', 10), new: () => answered('unsat', 10) });
    const result = await compareVersions(runner, formula, [old, recent], options);
    expect(result.disagreement).toMatchObject({ check: 0, sat: [{ name: 'old' }], unsat: [{ name: 'new' }] });
    const error: Run = { outcome: 'error', message: 'unknown constant', wallMs: 1, answers: ['unsat'] };
    const failing = runnerOf({ old: () => answered('sat', 10), new: () => error });
    expect((await compareVersions(failing, formula, [old, recent], options)).disagreement).toBeUndefined();
  });

  it('begins no round after the budget is spent', async () => {
    const runner = runnerOf({
      old: (round) => answered('sat', 10 + 200 * round),
      new: () => answered('sat', 300),
    });
    await compareVersions(runner, formula, [old, recent], { ...options, budgetMs: -1 });
    expect(runner.requests).toHaveLength(2);
  });
});

describe('the verdict on two samples', () => {
  const sample = fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1, maxLength: 8 });

  it('mirrors when the samples change places', () => {
    const mirrored = { slower: 'faster', faster: 'slower', same: 'same', undecided: 'undecided' };
    fc.assert(
      fc.property(sample, sample, fc.boolean(), (a, b, strict) => {
        expect(judge(b, a, 50, strict)).toBe(mirrored[judge(a, b, 50, strict)]);
      }),
    );
  });

  it('is never a difference within the threshold', () => {
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
