import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Limits } from '../../../src/machine/index.js';
import { limitsFor } from '../../../src/machine/index.js';
import { type RunRequest, spentMs } from '../../../src/solver/run/run.js';
import { openRunner } from '../../../src/solver/runners/chain.js';
import type { Version } from '../../../src/solver/version/version.js';
import { leftovers } from '../../machine/processes/leftovers.js';
import { removeFolder, temporaryFolder } from '../../temporary-folder.js';
import { asking, custom, standin } from '../standins/standin.js';

const patient: Limits = { wallMs: 60_000 };
const short: Limits = { wallMs: 150 };

describe.each([{ cgroups: true }, { cgroups: false }])('a process runner with $cgroups cgroups', ({
  cgroups,
}) => {
  const directory = temporaryFolder('runner');
  let text = '(check-sat)\n';
  const runner = openRunner({ print: () => text, workers: 2, cgroups, directory });
  const run = (
    name: string,
    limits: Limits = patient,
    more: Partial<RunRequest> = {},
    signal?: AbortSignal,
  ) => runner.run({ formula: asking(1), version: standin(name), limits, ...more }, signal);

  afterAll(async () => {
    await runner.close();
    expect(leftovers(directory)).toEqual([]);
    removeFolder(directory);
  });

  it('reports the answer, the time and the memory', async () => {
    const answered = await run('answer');
    expect(answered).toMatchObject({ outcome: 'sat', answers: ['sat'] });
    expect(answered.wallMs).toBeGreaterThan(0);
    expect(answered.cpuMs).toBeGreaterThanOrEqual(0);
  });

  it('compares the number of answers with the number of check-sats', async () => {
    expect(await run('two-answers', patient, { formula: asking(2) })).toMatchObject({ outcome: 'unsat' });
    expect(await run('two-answers', patient, { formula: asking(3) })).toMatchObject({
      outcome: 'error',
      message: 'answered 2 of 3 check-sats',
    });
  });

  it.each([
    'hang',
    'spin',
    'stubborn',
    'stopped',
    'daemon-hang',
    'fork-bomb',
  ])('ends a solver that does %s at the wall limit', async (name) => {
    const ended = await run(name, short);
    expect(ended).toMatchObject({ outcome: 'timeout', answers: [] });
    expect(ended.wallMs).toBeGreaterThanOrEqual(150);
  });

  it('reports a solver that gives up at its limit of effort as a timeout', async () => {
    const version: Version = { ...standin('spent'), family: 'z3' };
    const spent = await run('spent', patient, { version, mostEffort: 20_000 });
    expect(spent).toMatchObject({ outcome: 'timeout', answers: [], effort: 20_019 });
    const unsure = await run('spent', patient, { version, mostEffort: 30_000 });
    expect(unsure).toMatchObject({ outcome: 'unknown', effort: 20_019 });
  });

  it('lets a solver with requested work counters stop by its own timer', async () => {
    const version: Version = { ...standin('timer'), family: 'z3' };
    const told = await run('timer', short, { version, work: true });
    expect(told).toMatchObject({
      outcome: 'timeout',
      answers: [],
      work: { 'seq-branch': 27974, 'seq-add-axiom': 51 },
    });
    expect(told.wallMs).toBeGreaterThanOrEqual(150);
  });

  it('ends a solver with requested work counters that ignores its timer', async () => {
    const version: Version = { ...standin('hang'), family: 'z3' };
    const ended = await run('hang', short, { version, work: true });
    expect(ended).toMatchObject({ outcome: 'timeout', answers: [] });
    expect(ended.work).toBeUndefined();
  });

  it('gives a solver its whole processor time on a busy machine', async () => {
    // A third of a core for 200 ms of work: 600 ms of wall time.
    const answered = await run('starved', limitsFor(400));
    expect(answered).toMatchObject({ outcome: 'sat' });
    expect(answered.wallMs).toBeGreaterThan(400);
    expect(spentMs(answered)).toBeLessThan(answered.wallMs);
  });

  it.each(['hang', 'doze'])('does not wait ten times as long for a solver that does %s', async (name) => {
    const ended = await run(name, limitsFor(300));
    expect(ended).toMatchObject({ outcome: 'timeout' });
    // The wall limit, not the unused processor time, ended it.
    expect(spentMs(ended)).toBeGreaterThanOrEqual(300);
  });

  it('ends solvers at the processor limit by its own clock only', async () => {
    const shown = await run('show-limit', { cpuMs: 20_000, wallMs: 200_000 });
    expect(shown).toMatchObject({ outcome: 'error', message: '41' });
  });

  it('ends a solver at the processor limit', async () => {
    const ended = await run('spin', { wallMs: 60_000, cpuMs: 100 });
    expect(ended).toMatchObject({ outcome: 'timeout' });
    expect(ended.cpuMs).toBeGreaterThanOrEqual(100);
    expect(ended.wallMs).toBeLessThan(30_000);
  });

  it.each([
    'eat-memory',
    'eat-memory-in-child',
  ])('ends a solver that does %s at the memory limit', async (name) => {
    expect(await run(name, { wallMs: 60_000, memoryBytes: 32 << 20 })).toMatchObject({
      outcome: 'memout',
    });
  });

  it.each(['flood', 'flood-stderr'])('ends a solver that does %s at the output limit', async (name) => {
    expect(await run(name, { wallMs: 60_000, outputBytes: 1 << 20 })).toMatchObject({
      outcome: 'error',
      message: 'printed more than the output limit',
    });
  });

  it.each([
    ['crash', 'SIGSEGV'],
    ['abort-wrapper', 'SIGABRT'],
  ])('accepts no answer from a solver that does %s', async (name, signal) => {
    expect(await run(name)).toMatchObject({ outcome: 'crash', signal });
  });

  it.each([
    ['orphan', 'unsat'],
    ['daemon', 'sat'],
  ])('ends the processes that a solver that does %s leaves behind', async (name, outcome) => {
    expect(await run(name)).toMatchObject({ outcome });
  });

  it.each([
    ['error', 'error', 'line 1 column 2: the moon is full'],
    ['unsupported', 'unsupported', 'unknown sort Foo'],
    ['silent', 'error', 'exited with code 3'],
  ])('reports the output of a solver that does %s', async (name, outcome, message) => {
    expect(await run(name)).toMatchObject({ outcome, message });
  });

  it('finds no answer in a string or a model', async () => {
    expect(await run('echo')).toMatchObject({ outcome: 'unsat', answers: ['unsat'] });
  });

  it('feeds a formula of any size to a solver that reads all, some or none of it', async () => {
    text = `${`; ${'x'.repeat(97)}\n`.repeat(60_000)}(check-sat)\n`;
    try {
      expect(await run('count-input')).toMatchObject({ outcome: 'sat' });
      expect(await run('short-read')).toMatchObject({ outcome: 'unsat' });
      expect(await run('deaf')).toMatchObject({ outcome: 'unsat' });
    } finally {
      text = '(check-sat)\n';
    }
  });

  it('survives a solver that kills its parent', async () => {
    expect(await run('kill-parent')).toMatchObject({ outcome: expect.stringMatching(/^(?:crash|sat)$/) });
    expect(await run('answer')).toMatchObject({ outcome: 'sat' });
  });

  it('starts each solver in an empty directory with few variables, and removes its files', async () => {
    const shown = await run('show-environment');
    expect(shown).toMatchObject({ outcome: 'error' });
    const [content, names] = (shown.outcome === 'error' ? shown.message : '').split(';');
    expect(content).toBe('');
    const allowed = /^(CULPRIT_RUN|HOME|LC_ALL|LD_LIBRARY_PATH|OLDPWD|PATH|PWD|SHLVL|TMPDIR|_)$/;
    expect(
      names
        ?.trim()
        .split(' ')
        .filter((name) => !allowed.test(name)),
    ).toEqual([]);
    expect(await run('litter')).toMatchObject({ outcome: 'sat' });
    // Other runs may be adding or removing empty directories.
    const left = readdirSync(directory, { recursive: true }).map(String);
    expect(left.filter((path) => !/^[^/]+(?:\/run-\d+)?$/.test(path))).toEqual([]);
  });

  it('passes arguments unchanged and fills in templates', async () => {
    const version = standin(
      'show-arguments',
      '$HOME `id`; "x"',
      "it's",
      ' a  b ',
      '--',
      '{seed}',
      '{timeout}',
      '{timeout-ms}',
      '{other}',
    );
    const shown = await runner.run({ formula: asking(1), version, limits: { wallMs: 60_500 }, seed: 9 });
    expect(shown).toMatchObject({
      outcome: 'error',
      message: '$HOME `id`; "x"|it\'s| a  b |--|9|61|60500|{other}|',
    });
  });

  it('writes the formula to a file if a template names one', async () => {
    text = 'sat\n';
    try {
      const version = custom('cat', ['cat', '{file}']);
      expect(await runner.run({ formula: asking(1), version, limits: patient })).toMatchObject({
        outcome: 'sat',
      });
    } finally {
      text = '(check-sat)\n';
    }
  });

  it('reports a missing program and an impossible argument', async () => {
    const missing = custom('missing', ['/no/such/solver']);
    expect(await runner.run({ formula: asking(1), version: missing, limits: patient })).toMatchObject({
      outcome: 'error',
      message: expect.stringMatching(/^exited with code 127: .*\/no\/such\/solver/),
    });
    const broken = custom('broken', ['echo', 'sat\nunsat']);
    expect(await runner.run({ formula: asking(1), version: broken, limits: patient })).toMatchObject({
      outcome: 'error',
      message: 'the command of broken contains a line break',
    });
  });

  it('rejects waiting and running runs with the reason of their signal', async () => {
    const stop = new AbortController();
    const runs = [1, 2, 3, 4].map(() =>
      expect(run('hang', patient, {}, stop.signal)).rejects.toThrow('enough'),
    );
    await vi.waitFor(() => expect(leftovers(directory).join()).toMatch(/process/));
    stop.abort(new Error('enough'));
    await Promise.all(runs);
    await expect(run('answer', patient, {}, stop.signal)).rejects.toThrow('enough');
    expect(await run('answer')).toMatchObject({ outcome: 'sat' });
  });

  it('rejects runs whose signal was aborted before', async () => {
    const stop = new AbortController();
    const runs = [1, 2, 3].map(() => expect(run('hang', patient, {}, stop.signal)).rejects.toThrow('enough'));
    stop.abort(new Error('enough'));
    await Promise.all(runs);
    expect(await run('answer')).toMatchObject({ outcome: 'sat' });
  });
});

describe('closing a process runner', () => {
  it('ends running and waiting runs, and may happen twice', async () => {
    const directory = temporaryFolder('runner');
    const runner = openRunner({ print: () => '', directory });
    const hang = () => runner.run({ formula: asking(1), version: standin('daemon-hang'), limits: patient });
    const runs = [hang(), hang(), hang()].map((run) => expect(run).rejects.toThrow('the runner was closed'));
    await Promise.all([runner.close(), ...runs]);
    await runner.close();
    expect(leftovers(directory)).toEqual([]);
    await expect(hang()).rejects.toThrow('the runner was closed');
    removeFolder(directory);
  });

  it('leaves nothing of an unused runner', async () => {
    const directory = temporaryFolder('runner');
    await openRunner({ directory }).close();
    expect(readdirSync(directory)).toEqual([]);
    removeFolder(directory);
  });
});
