import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WarmableRunner } from '../../../src/solver/run/run.js';
import { openRunner, type RunnerOptions } from '../../../src/solver/runners/chain.js';
import { needsTools } from '../../needs.js';
import { removeFolder, temporaryFolder } from '../../temporary-folder.js';
import { atWork, embedded, hard, hostsOf, isGone, oneHost, packageDirOf, runsOn, small } from './embedded.js';

needsTools('build');

const version = embedded('5.2.0');
let runner: WarmableRunner;
const run = runsOn(() => runner, version);

/** Times do not matter here, and untimed hosts start sooner. */
function open(options: RunnerOptions = {}): void {
  runner = openRunner({ isUntimed: true, ...options });
}

async function close(): Promise<void> {
  await runner.close();
  expect(hostsOf(process.pid)).toEqual([]);
}

// One runner for all tests: the next run gets a host, even if the last one was killed.
describe('a WASM host', () => {
  beforeAll(() => open());
  afterAll(close);

  it('that hangs is killed at the limit and replaced, and its run reports its processor time', async () => {
    // The first run compiles everything, so the next one starts at once.
    await run(small);
    const host = await oneHost();
    const running = run(hard, { limits: { wallMs: 4_000 } });
    await atWork(host);
    process.kill(host, 'SIGSTOP');
    const { wallMs, cpuMs, ...cut } = await running;
    expect(cut).toMatchObject({ outcome: 'timeout', answers: [] });
    expect(wallMs).toBeGreaterThan(4_000);
    // The stopped process did nothing, so it cannot have worked all the time.
    expect(cpuMs).toBeLessThan(4_000);
    expect(isGone(host)).toBe(true);
    expect((await run(small)).outcome).toBe('sat');
    expect(await oneHost()).not.toBe(host);
  });

  it('that is killed from outside during a run reports a crash, and the next run works', async () => {
    await runner.prepare([version]);
    const host = await oneHost();
    const running = run(hard);
    await atWork(host);
    process.kill(host, 'SIGKILL');
    expect(await running).toMatchObject({ outcome: 'crash', signal: 'SIGKILL', answers: [] });
    expect((await run(small)).outcome).toBe('sat');
  });

  it('that is killed from outside between runs is replaced, and no run fails', async () => {
    await run(small);
    process.kill(await oneHost(), 'SIGKILL');
    expect((await run(small)).outcome).toBe('sat');
  });

  it('that is aborted during a run is free for the next run', async () => {
    await runner.prepare([version]);
    const host = await oneHost();
    const controller = new AbortController();
    const running = run(hard, {}, controller.signal);
    await atWork(host);
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect((await run(small)).outcome).toBe('sat');
  });

  it('reloads its Z3 for a fresh run and stays', async () => {
    const first = await run(small);
    const host = await oneHost();
    for (let i = 0; i < 2; i++) {
      expect(await run(small, { fresh: true })).toMatchObject({ outcome: 'sat', effort: first.effort });
    }
    expect(await oneHost()).toBe(host);
  });

  it('whose Z3 ignores its limit is ready for the next formula', async () => {
    const first = await run(small);
    const deaf = `(declare-const x String) (declare-const y String)
      (assert (>= (str.indexof x y 128) (str.len y))) (check-sat)`;
    for (let i = 0; i < 3; i++) {
      expect(await run(deaf, { limits: { wallMs: 200 } })).toMatchObject({ outcome: 'timeout', answers: [] });
      expect(await run(small)).toMatchObject({ outcome: 'sat', effort: first.effort });
    }
  });
});

describe('a WASM host of a separate runner', () => {
  afterEach(close);

  it('is not started for a run that was aborted before', async () => {
    open();
    await expect(run(small, {}, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(hostsOf(process.pid)).toEqual([]);
  });

  it('is replaced after its share of runs', async () => {
    open({ renewAfter: 2 });
    const hosts = new Set<number>();
    for (let i = 0; i < 2; i++) {
      await run(small);
      hosts.add(await oneHost());
      await run(small);
    }
    expect(hosts.size).toBe(2);
  });

  it('exits if its parent dies', async () => {
    const program = fileURLToPath(new URL('./abandoning-parent.mjs', import.meta.url));
    const parent = spawn(process.execPath, [program, packageDirOf('5.2.0')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(parent.stdout, 'data');
    const [host = 0] = hostsOf(parent.pid ?? 0);
    await atWork(host);
    parent.kill('SIGKILL');
    await expect.poll(() => isGone(host), { timeout: 60_000 }).toBe(true);
  });

  it('exits if its parent dies while it loads', async () => {
    const compiled = (name: string): URL => new URL(`../../../dist/solver/wasm/${name}.js`, import.meta.url);
    const packageDir = temporaryFolder('endless-z3');
    mkdirSync(join(packageDir, 'build'));
    writeFileSync(join(packageDir, 'package.json'), '{}');
    const endless = 'setInterval(() => {}, 1000); module.exports = () => new Promise(() => {});';
    writeFileSync(join(packageDir, 'build', 'z3-built.js'), endless);
    const host = fork(compiled('host'), [packageDir], {
      execArgv: ['--import', compiled('preload').href],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const ended = once(host, 'exit');
    host.disconnect();
    await ended;
  });
});

it('culprit waits for the last output of a dead host', () => {
  const packageDir = temporaryFolder('talkative-z3');
  try {
    mkdirSync(join(packageDir, 'build'));
    writeFileSync(join(packageDir, 'package.json'), '{}');
    // A child of it holds its standard error open for a while.
    writeFileSync(
      join(packageDir, 'build', 'z3-built.js'),
      `require('node:child_process').spawn('sleep', ['0.5'], { detached: true, stdio: ['ignore', 'ignore', 'inherit'] }).unref();
throw new Error('no Z3 here');`,
    );
    const program = fileURLToPath(new URL('./starting-culprit.ts', import.meta.url));
    const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', program, packageDir], {
      encoding: 'utf8',
    });
    expect(stdout).toContain('no Z3 here');
    expect(status).toBe(0);
  } finally {
    removeFolder(packageDir);
  }
});

describe('a WASM runner', () => {
  afterEach(close);

  it('that is closed during runs leaves no host behind', async () => {
    open({ workers: 2 });
    await runner.prepare([version]);
    const running = [run(hard), run(hard), run(hard)].map((run) =>
      run.catch((error: Error) => error.message),
    );
    await Promise.all(hostsOf(process.pid).map(atWork));
    await runner.close();
    await runner.close();
    expect(await Promise.all(running)).toEqual(Array(3).fill('the runner was closed'));
    expect(hostsOf(process.pid)).toEqual([]);
    await expect(run(small)).rejects.toThrow('the runner was closed');
  });

  it('keeps warm hosts of every version, but no more at work than it has workers', async () => {
    open({ workers: 1 });
    const other = embedded('4.8.17');
    await runner.prepare([version, other, version]);
    const before = hostsOf(process.pid);
    expect(before).toHaveLength(2);
    const runs = await Promise.all([
      run(small),
      runsOn(() => runner, other)(small),
      run(small),
      runsOn(() => runner, other)(small),
    ]);
    expect(runs.map(({ outcome }) => outcome)).toEqual(['sat', 'sat', 'sat', 'sat']);
    expect(hostsOf(process.pid)).toEqual(before);
  });
});
