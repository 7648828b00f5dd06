import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { parseScript } from '../../src/smtlib/index.js';
import type { Engine, SlotLease } from '../../src/solver/run/engine.js';
import type { Run, RunRequest } from '../../src/solver/run/run.js';
import { MeteredRunner } from '../../src/solver/runners/metered.js';
import { PooledRunner } from '../../src/solver/runners/pooled.js';
import type { Version } from '../../src/solver/version/version.js';
import { ended, simulatedVersion } from '../simulated/solver.js';

const formula = parseScript('(assert true)(check-sat)');
const limits = { wallMs: 100 };
const native = simulatedVersion('native');
const wasm: Version = { ...simulatedVersion('wasm'), program: { kind: 'wasm', packageDir: '/somewhere' } };

/** An engine whose runs end when the test says so or when they are aborted. */
class FakeEngine implements Engine {
  readonly turns: SlotLease[] = [];
  readonly prepared: string[] = [];
  readonly closings: string[] = [];
  readonly #finish: ((run: Run) => void)[] = [];

  run(_request: RunRequest, turn: SlotLease): Promise<Run> {
    this.turns.push(turn);
    return new Promise((resolve, reject) => {
      this.#finish.push(resolve);
      turn.signal.addEventListener('abort', () => reject(turn.signal.reason));
    });
  }

  finish(at: number): void {
    this.#finish[at]?.(ended('sat', 1));
  }

  preparations(versions: readonly Version[]): readonly ((turn: SlotLease) => Promise<void>)[] {
    return versions.map(
      ({ name }) =>
        async () =>
          void this.prepared.push(name),
    );
  }

  async close(ended: Promise<unknown>): Promise<void> {
    this.closings.push('begun');
    await ended;
    this.closings.push('done');
  }
}

function pool(workers: number): { runner: PooledRunner; processes: FakeEngine; hosts: FakeEngine } {
  const [processes, hosts] = [new FakeEngine(), new FakeEngine()];
  return { runner: new PooledRunner({ native: processes, wasm: hosts }, workers), processes, hosts };
}

const request = (version: Version): RunRequest => ({ formula, version, limits });

describe('PooledRunner', () => {
  it('gives each kind of program to its engine, and runs no more at once than there are workers', async () => {
    const { runner, processes, hosts } = pool(2);
    const runs = [native, wasm, native].map((version) => runner.run(request(version)));
    await setImmediate();
    expect([processes.turns.length, hosts.turns.length]).toEqual([1, 1]);
    expect(processes.turns[0]?.slot).not.toBe(hosts.turns[0]?.slot);
    hosts.finish(0);
    await runs[1];
    await setImmediate();
    expect(processes.turns.map(({ slot }) => slot)).toEqual([0, 1]);
    processes.finish(0);
    processes.finish(1);
    expect((await Promise.all(runs)).map(({ outcome }) => outcome)).toEqual(['sat', 'sat', 'sat']);
  });

  it('starts the next run when a slot is released, and releases each slot once', async () => {
    const { runner, processes } = pool(1);
    const runs = [1, 2, 3].map(() => runner.run(request(native)));
    await setImmediate();
    processes.turns[0]?.release();
    processes.turns[0]?.release();
    await setImmediate();
    expect(processes.turns).toHaveLength(2);
    processes.finish(0);
    await runs[0];
    await setImmediate();
    expect(processes.turns).toHaveLength(2);
    processes.finish(1);
    await runs[1];
    await setImmediate();
    processes.finish(2);
    await Promise.all(runs);
  });

  it('rejects a waiting or running run with the reason of its own signal, and no other run', async () => {
    const { runner, processes } = pool(1);
    const stop = new AbortController();
    const ended = [1, 2].map(() =>
      expect(runner.run(request(native), stop.signal)).rejects.toThrow('enough'),
    );
    const other = runner.run(request(native));
    await setImmediate();
    stop.abort(new Error('enough'));
    await Promise.all(ended);
    await setImmediate();
    processes.finish(1);
    expect((await other).outcome).toBe('sat');
    expect(processes.turns).toHaveLength(2);
  });

  it('prepares each engine for its own versions', async () => {
    const { runner, processes, hosts } = pool(1);
    await runner.prepare([native, wasm]);
    expect([processes.prepared, hosts.prepared]).toEqual([['native'], ['wasm']]);
  });

  it('ends running and waiting runs once when it is closed, and accepts no more', async () => {
    const { runner, processes, hosts } = pool(1);
    const ended = [native, wasm].map((version) =>
      expect(runner.run(request(version))).rejects.toThrow('the runner was closed'),
    );
    await setImmediate();
    await Promise.all([runner.close(), runner.close(), ...ended]);
    expect([processes.closings, hosts.closings]).toEqual([
      ['begun', 'done'],
      ['begun', 'done'],
    ]);
    await expect(runner.run(request(native))).rejects.toThrow('the runner was closed');
    await expect(runner.prepare([native])).rejects.toThrow('the runner was closed');
  });
});

it('MeteredRunner adds up the time of runs and forwards everything', async () => {
  const { runner, processes } = pool(2);
  const metered = new MeteredRunner(runner);
  await metered.prepare([native]);
  expect([processes.prepared, metered.solvingMs]).toEqual([['native'], 0]);
  const stop = new AbortController();
  const runs = [metered.run(request(native), stop.signal), metered.run(request(native))];
  await setImmediate();
  processes.finish(1);
  await runs[1];
  const afterFirst = metered.solvingMs;
  expect(afterFirst).toBeGreaterThan(0);
  processes.finish(0);
  await runs[0];
  expect(metered.solvingMs).toBeGreaterThan(afterFirst);
  await metered.close();
  expect(processes.closings).toEqual(['begun', 'done']);
});

it('a RunRequest is plain data that can be sent to another machine', () => {
  const asked: RunRequest = { ...request(wasm), seed: 3, model: true };
  expect(JSON.parse(JSON.stringify(asked))).toEqual(asked);
});
