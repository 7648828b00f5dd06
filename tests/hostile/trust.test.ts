import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Builds, buildCommit, pinVersions } from '../../src/builds/index.js';
import { resumeBisection } from '../../src/history/index.js';
import { beginBlame, blame } from '../../src/jobs/index.js';
import { allowKnown, allowNamed } from '../../src/machine/index.js';
import { parseSpecList, runnablesOf, surroundings } from '../../src/solver/index.js';
import { culprit } from '../cli/culprit.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { eventsOf, ordinary, settingsOf } from '../report/made-campaign.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

let folder: string;
/** Exists once a program was run. */
let trace: string;
let cache: string;
let evil: string;

beforeEach(() => {
  folder = temporaryFolder('trust');
  cache = temporaryFolder('cache');
  vi.stubEnv('CULPRIT_CACHE', cache);
  trace = join(folder, 'it-ran');
  evil = join(folder, 'evil');
  writeFileSync(evil, `#!/bin/sh\necho ran >> '${trace}'\necho 'Z3 version 4.8.12'\n`);
  chmodSync(evil, 0o755);
});

/** A campaign with findings, as sent by a stranger. */
function campaignOn(versions: readonly string[], builds: readonly string[] = versions): string {
  const path = join(folder, 'campaign');
  mkdirSync(join(path, 'cases'), { recursive: true });
  const strange = { ...ordinary, formula: '(assert true)(check-sat)\n' };
  writeFileSync(join(path, 'campaign.json'), JSON.stringify({ ...settingsOf(strange), versions, builds }));
  const events = eventsOf(strange).map((event) =>
    'text' in event ? { ...event, text: strange.formula } : event,
  );
  writeFileSync(join(path, 'journal.ndjson'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return path;
}

const run = (...args: readonly string[]) => culprit(args, { cwd: folder, env: { CULPRIT_CACHE: cache } });

const settings = (repository: string, build: readonly string[], commits: readonly string[]) => ({
  format: 1,
  job: 'bisect',
  culprit: '1',
  repository,
  good: commits[0],
  bad: commits[1],
  line: 'all',
  recipe: { build, binary: 'tool' },
  cases: [{ name: 'a' }],
  command: ['{program}', '{case}'],
  isPrinted: false,
  by: 'time',
  timeoutMs: 1000,
  memoryBytes: 1e9,
  sensitivity: { least: 1, noise: 1, share: 0.2 },
  confidence: 0,
  strategy: 'batch',
});

describe("a stranger's campaign", () => {
  it('runs none of its programs, whichever command opens it', () => {
    const path = campaignOn([`path:z3=${evil}`, 'path:z3=./evil?trace=true']);
    for (const args of [
      ['hunt', '--resume', path],
      ['confirm', path],
    ]) {
      const { exitCode, stderr } = run(...args);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: `culprit: ${path} runs the program ${evil}, which you have not named on this machine: if that is safe, add --trust\n`,
      });
    }
    expect(run('report', path).exitCode).toBe(0);
    expect(run('hunt', '--replay', path).exitCode).not.toBe(0);
    expect(existsSync(trace)).toBe(false);
  });

  it('runs its program after the user trusts it once', () => {
    const path = campaignOn([`path:z3=${evil}`, 'z3']);
    run('confirm', path, '--trust', '--seeds', '1', '--timeout', '1s');
    expect(existsSync(trace)).toBe(true);
    rmSync(trace);
    run('hunt', '--resume', path);
    expect(existsSync(trace)).toBe(true);
  });

  it('runs no command of the culprit.json that came with it', () => {
    const path = campaignOn(['old', 'new']);
    const solver = { command: [evil, '{file}'] };
    writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ solvers: { old: solver, new: solver } }));
    const { exitCode, stderr } = run('confirm', path);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`["${evil}","{file}"] (old of culprit.json)`);
    expect(existsSync(trace)).toBe(false);
  });

  it('builds and measures nothing for a bisection, and opens no repository', () => {
    const path = join(folder, 'bisection');
    mkdirSync(join(path, 'cases'), { recursive: true });
    const repository = join(folder, 'repository');
    initRepository(repository);
    const commits = [commitFiles(repository, { a: '1' }), commitFiles(repository, { a: '2' })];
    writeFileSync(
      join(path, 'campaign.json'),
      JSON.stringify(settings(repository, [`sh ${evil}`, 'touch tool'], commits)),
    );
    writeFileSync(
      join(path, 'bisection.json'),
      JSON.stringify({ culprits: [], looked: 0, built: 0, failed: [], without: [] }),
    );
    for (const args of [
      ['bisect', '--resume', path],
      ['triage', path],
      ['report', path, '--tracker', join(folder, 'texts')],
    ]) {
      const { exitCode, stderr } = run(...args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(repository) });
    }
    expect(existsSync(trace)).toBe(false);
  });

  it('builds with no second recipe next to a trusted one', async () => {
    const path = join(folder, 'bisection');
    mkdirSync(join(path, 'cases'), { recursive: true });
    const repository = join(folder, 'repository');
    initRepository(repository);
    const commits = [commitFiles(repository, { a: '1' }), commitFiles(repository, { a: '2' })];
    const known = settings(repository, ['touch tool'], commits);
    const write = (verifying?: object): void =>
      writeFileSync(join(path, 'campaign.json'), JSON.stringify({ ...known, verifying }));
    write();
    expect(run('bisect', '--resume', path, '--trust').exitCode).not.toBe(2);
    write({ timeoutMs: 1000, recipe: { build: [`sh ${evil}`, 'touch tool'], binary: 'tool' } });
    const { exitCode, stderr } = run('bisect', '--resume', path);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(`sh ${evil}`) });
    expect(stderr).toContain('if that is safe, add --trust');
    expect(existsSync(trace)).toBe(false);
  });
});

describe('an output folder of blame prepared by a stranger', () => {
  it('is built with the recipe of the current call and ignores the stored one', async () => {
    const repository = join(folder, 'repository');
    initRepository(repository);
    const commits = [commitFiles(repository, { a: '1' }), commitFiles(repository, { a: '2' })];
    const [good = '', bad = ''] = commits;
    const signal = new AbortController().signal;
    const out = join(folder, 'blamed');
    const begun = withoutFault(
      await beginBlame({
        culprit: '1',
        cases: [{ name: 'a.smt2', text: '(assert true)(check-sat)' }],
        repo: repository,
        good,
        bad,
        builder: { build: ['make'], binary: 'tool', folder },
        slowness: { timeoutMs: 1000 },
        memoryBytes: 1e9,
        seeds: [1],
        out,
        signal,
      }),
    );
    mkdirSync(join(out, 'bisection', 'cases'), { recursive: true });
    writeFileSync(
      join(out, 'bisection', 'campaign.json'),
      JSON.stringify(settings(repository, [evil], commits)),
    );
    const harmless = join(folder, 'z3');
    writeFileSync(harmless, "#!/bin/sh\necho 'Z3 version 4.8.12'\n", { mode: 0o755 });
    const builds = { build: async () => ({ kind: 'built', program: harmless }) } as unknown as Builds;
    const found = await blame({
      ...begun,
      builds,
      runner: { run: () => Promise.reject(new Error('nothing is run')), close: async () => {} },
      jobs: 1,
      signal,
      resume: 'again',
      say: () => {},
      onProgress: () => {},
    });
    expect(found).toMatchObject({ kind: 'usage', message: expect.stringContaining(evil) });
    expect(existsSync(trace)).toBe(false);
  });
});

describe('a trusted program', () => {
  const allow = allowKnown('campaign');

  async function runnables(list: string) {
    const around = withoutFault(await surroundings());
    return runnablesOf(withoutFault(parseSpecList(list)), around);
  }

  it('is a program, repository or option that the user named', async () => {
    const list = `path:z3=${evil},z3@4.8.12?trace=true,git:/repo@abc`;
    for (const thing of await runnables(list)) expect(await allow([thing])).toMatchObject({ kind: 'usage' });
    await allowNamed(await runnables(list));
    expect(await allow(await runnables(list))).toBeUndefined();
    for (const other of [
      'path:z3=/other',
      'z3@4.8.12?trace_file_name=x',
      'cvc5@1.0.3?trace=true',
      'git:/r@a',
    ])
      expect(await allow(await runnables(other)), other).toMatchObject({ kind: 'usage' });
  });

  it('is any release that culprit downloads, with options that affect only the search', async () => {
    expect(
      await allow(await runnables('z3@4.8.12?smt.random_seed=3,npm:z3@4.12.2,debian:bookworm/cvc5')),
    ).toBeUndefined();
  });

  it('is stored with an absolute path', async () => {
    const signal = new AbortController().signal;
    const list = `./evil,path:z3=${relative(process.cwd(), evil)}`;
    const [first] = withoutFault(await pinVersions(list, { folder, signal })).split(',');
    expect(first).toBe(`path:${evil}`);
  });

  it('is a build with the same commands for the same repository', async () => {
    const repository = join(folder, 'repository');
    initRepository(repository);
    commitFiles(repository, { 'CMakeLists.txt': 'project(Z3)' });
    const signal = new AbortController().signal;
    const built = await buildCommit(repository, 'HEAD', { folder, signal, allow, progress: () => {} });
    expect(built).toMatchObject({ kind: 'usage', message: expect.stringContaining('cmake') });
  });

  it('is a bisection with unchanged settings, even in a moved folder', async () => {
    const path = join(folder, 'mine');
    mkdirSync(join(path, 'cases'), { recursive: true });
    const begun = settings('/repo', ['make'], ['a'.repeat(40), 'b'.repeat(40)]);
    const write = (other: object): void =>
      writeFileSync(join(path, 'campaign.json'), JSON.stringify({ ...begun, ...other }));
    write({});
    expect(await resumeBisection(path, allow)).toMatchObject({ kind: 'usage' });
    expect(await resumeBisection(path, allowNamed)).not.toHaveProperty('kind');
    cpSync(path, join(folder, 'moved'), { recursive: true });
    expect(await resumeBisection(join(folder, 'moved'), allow)).not.toHaveProperty('kind');
    for (const other of [
      { recipe: { build: ['make', evil], binary: 'tool' } },
      { recipe: { build: ['make'], binary: 'tool', env: { LD_PRELOAD: evil } } },
      { recipe: { build: ['make'], binary: 'tool', patches: [{ name: 'p', text: 'x' }] } },
      { repository: '/other' },
      { command: ['{program}', '--load', evil] },
      { cases: [{ name: `--load=${evil}` }] },
    ]) {
      write(other);
      expect(await resumeBisection(path, allow), JSON.stringify(other)).toMatchObject({ kind: 'usage' });
    }
  });
});
