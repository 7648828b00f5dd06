import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandWorkspace, environmentFault } from '../../src/machine/index.js';
import { SameExit } from '../../src/reduce/properties/command.js';
import { Disagreeing } from '../../src/reduce/properties/disagreement.js';
import { MoreEffort } from '../../src/reduce/properties/effort.js';
import { SameOutcome, stableMessage } from '../../src/reduce/properties/outcome.js';
import { Slower } from '../../src/reduce/properties/slower.js';
import { requestedProperty } from '../../src/reduce/requested-property.js';
import { parseScript } from '../../src/smtlib/index.js';
import type { Run } from '../../src/solver/index.js';
import { ended, SimulatedRunner, simulatedVersion, timedOut } from '../simulated/solver.js';
import { temporaryFolder } from '../temporary-folder.js';

const never = new AbortController().signal;
const formula = parseScript('(check-sat)');
const limits = { wallMs: 1000 };
const [older, newest] = [simulatedVersion('old'), simulatedVersion('new')];
const always = (run: Run): SimulatedRunner => new SimulatedRunner(() => run);

describe('SameOutcome', () => {
  const error = (message: string): Run => ({ outcome: 'error', wallMs: 1, answers: [], message });

  it('requires the same outcome and the requested part of the message', async () => {
    const question = { version: newest, limits, outcome: 'error' as const, message: 'cannot mix' };
    const sameError = new SameOutcome(always(error('line 3 column 2: cannot mix x and y')), question);
    expect(await sameError.holds(formula, true, never)).toBe(true);
    const other = new SameOutcome(always(error('unexpected )')), question);
    expect(await other.holds(formula, true, never)).toBe(false);
    expect(await other.explainFailure(formula, never)).toBe(
      'the outcome is not error on new with "cannot mix", but error: unexpected )',
    );
  });

  it('distinguishes the signals of crashes', async () => {
    const crash = (signal: string): Run => ({ outcome: 'crash', wallMs: 1, answers: [], signal });
    const question = { version: newest, limits, outcome: 'crash' as const, message: 'SIGSEGV' };
    expect(await new SameOutcome(always(crash('SIGSEGV')), question).holds(formula, true, never)).toBe(true);
    expect(await new SameOutcome(always(crash('SIGABRT')), question).holds(formula, true, never)).toBe(false);
  });

  it('lastingWords cuts a message before the parts that depend on the formula', () => {
    expect(stableMessage("line 3 column 12: unknown constant 'x'")).toBe('unknown constant');
    expect(stableMessage('Overflow encountered when expanding old_vector')).toBe(
      'Overflow encountered when expanding old_vector',
    );
    expect(stableMessage('SIGSEGV')).toBe('SIGSEGV');
    expect(stableMessage('')).toBe('');
  });
});

describe('Disagreeing', () => {
  const saying = (...outcomes: readonly ('sat' | 'unsat' | 'unknown')[]) =>
    new Disagreeing(
      new SimulatedRunner((_, at) => ended(outcomes[at % 2] ?? 'unknown', 1)),
      [older, newest],
      limits,
    );

  it('requires a sat and an unsat', async () => {
    expect(await saying('sat', 'unsat').holds(formula, true, never)).toBe(true);
    expect(await saying('unknown', 'unsat').holds(formula, true, never)).toBe(false);
    expect(await saying('sat', 'sat').explainFailure(formula, never)).toBe(
      'the versions do not disagree: old sat, new sat',
    );
  });
});

describe('MoreEffort', () => {
  const taking = (old: Run, recent: Run) =>
    new MoreEffort(new SimulatedRunner(({ version }) => (version === newest ? recent : old)), {
      newest,
      others: [older],
      factor: 3,
      limits,
    });

  it("compares the solvers' effort and ignores time", async () => {
    const quick = ended('sat', 10, 1000);
    expect(await taking(quick, ended('sat', 5, 3000)).holds(formula, true, never)).toBe(true);
    expect(await taking(quick, ended('sat', 900, 2999)).holds(formula, true, never)).toBe(false);
    expect(await taking(quick, timedOut(1000)).holds(formula, true, never)).toBe(true);
    expect(await taking(timedOut(1000), timedOut(1000)).holds(formula, true, never)).toBe(false);
    expect(await taking(ended('sat', 10), timedOut(1000)).holds(formula, true, never)).toBe(false);
  });
});

describe('Slower', () => {
  const slowness = { noise: { floorMs: 5, relative: 0.05 }, thresholdMs: 300, timeoutMs: 60_000 };
  const question = { newest, others: [older], slowness, memoryBytes: 1e9 };

  it('holds on a busy machine', async () => {
    // CPU shares of successive runs of the newest version.
    const shares = [0.25, 0.5, 0.3, 0.4, 0.9];
    const runner = new SimulatedRunner(({ version, limits: { wallMs } }) =>
      version === older ? ended('sat', 10) : { ...timedOut(wallMs), cpuMs: wallMs * (shares.shift() ?? 1) },
    );
    expect(await new Slower(runner, question).holds(formula, true, never)).toBe(true);
  });

  it('does not hold if the newest version answers within a longer limit', async () => {
    const runner = new SimulatedRunner(({ version, limits: { wallMs } }) =>
      version === older || wallMs > 400 ? ended('sat', 10) : { ...timedOut(wallMs), cpuMs: 5 },
    );
    expect(await new Slower(runner, question).holds(formula, true, never)).toBe(false);
  });

  it('has a key only if all versions are immutable', () => {
    const keyOf = (source: 'pypi' | 'path', threshold = 300): string | undefined =>
      new Slower(always(ended('sat', 1)), {
        ...question,
        newest: { ...newest, source },
        others: [{ ...older, source: 'pypi' }],
        slowness: { ...slowness, thresholdMs: threshold },
      }).key;
    expect(keyOf('path')).toBeUndefined();
    expect(keyOf('pypi')).toBe(keyOf('pypi'));
    expect(keyOf('pypi')).not.toBe(keyOf('pypi', 400));
    expect(new SameExit({ command: ['true'], timeoutMs: 1 }).key).toBeUndefined();
  });
});

describe('SameExit', () => {
  const script = (text: string, more: { exitCode?: number; match?: string; timeoutMs?: number } = {}) =>
    new SameExit({ command: ['sh', '-c', text, 'sh'], timeoutMs: 10_000, ...more });

  it('requires the exit code of the first formula, or the requested one', async () => {
    const counting = script('grep -q assert "$1"');
    expect(await counting.holds(parseScript('(assert true)'), true, never)).toBe(true);
    expect(await counting.holds(formula, true, never)).toBe(false);
    expect(await script('exit 3', { exitCode: 3 }).holds(formula, true, never)).toBe(true);
    expect(await script('exit 3', { exitCode: 4 }).holds(formula, true, never)).toBe(false);
  });

  it('requires the requested text in standard output', async () => {
    expect(await script('cat "$1"', { match: 'check-sat' }).holds(formula, true, never)).toBe(true);
    expect(await script('cat "$1"', { match: 'assert' }).holds(formula, true, never)).toBe(false);
  });

  it('reports a signal as a shell does', async () => {
    expect(await script('kill -SEGV $$', { exitCode: 139 }).holds(formula, true, never)).toBe(true);
  });

  it('does not hold after a timeout, and ends the child processes', async () => {
    const mark = join(temporaryFolder('properties'), 'late');
    const late = script(`(sleep 1; touch ${mark}) & sleep 60`, { exitCode: 0, timeoutMs: 50 });
    expect(await late.holds(formula, true, never)).toBe(false);
    expect(existsSync(mark)).toBe(false);
  });

  it("replaces {file} by the formula's file, and deletes that file", async () => {
    const property = new SameExit({ command: ['test', '-s', '{file}'], timeoutMs: 10_000, exitCode: 0 });
    expect(await property.holds(formula, true, never)).toBe(true);
    expect(readdirSync(commandWorkspace().directory)).toEqual([]);
  });

  it('requestedProperty fails with one sentence if the command does not exist', async () => {
    const asked = await requestedProperty(
      { command: ['no-such-command'], slowness: {}, memoryBytes: 1 << 30 },
      { formula, runner: always(ended('sat', 1)), versionsOf: async () => [], signal: never },
    );
    expect(asked).toEqual(
      environmentFault('no-such-command cannot be run: there is no such program on PATH'),
    );
  });

  it('does not hold if the command no longer exists', async () => {
    const property = new SameExit({ command: ['no-such-command'], timeoutMs: 1000 });
    expect(await property.holds(formula, true, never)).toBe(false);
  });
});
