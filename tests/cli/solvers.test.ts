import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { solversCommand } from '../../src/cli/commands/solvers.js';
import { type FakeMachine, fakeMachine } from '../solver/sources/fake-machine.js';
import { installPip } from '../solver/sources/fake-registries.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { mustBeAsPublished } from './as-published.js';

let fake: FakeMachine;
let folder: string;

beforeEach(async () => {
  fake = await fakeMachine();
  folder = temporaryFolder('cli');
  vi.stubEnv('CULPRIT_CACHE', join(folder, 'cache'));
  vi.stubEnv('CULPRIT_OFFLINE', '');
  vi.stubEnv('PATH', fake.machine.env.PATH);
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await fake.remove();
  removeFolder(folder);
});

/** The output and exit code of `culprit solvers …`. */
async function solvers(...args: string[]) {
  let stdout = '';
  let stderr = '';
  const collect = (add: (text: string) => void) => (chunk: unknown) => {
    add(String(chunk));
    return true;
  };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(collect((text) => (stdout += text)));
  const err = vi.spyOn(process.stderr, 'write').mockImplementation(collect((text) => (stderr += text)));
  process.exitCode = undefined;
  await solversCommand().parseAsync(args, { from: 'user' });
  out.mockRestore();
  err.mockRestore();
  const exitCode = process.exitCode ?? 0;
  process.exitCode = undefined;
  mustBeAsPublished(['solvers', ...args], stdout);
  return { stdout, stderr, exitCode };
}

const jsonLines = (stdout: string): unknown[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('culprit solvers', () => {
  it('lists installed versions, aligned or as JSON', async () => {
    const file = await fake.installSolver('cvc5', 'This is cvc5 version 1.0.3');
    const solver = { mysolver: { command: ['/opt/x', '{file}'], version: '1.0' } };
    await writeFile(join(folder, 'culprit.json'), JSON.stringify({ solvers: solver }));
    const { stdout, exitCode } = await solvers('list');
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^spec +number +kind +source +size +path$/);
    expect(lines[1]).toMatch(/^embedded:z3@4\.8\.17 +4\.8\.17 +WASM +embedded +\d+ MB +\S+z3-4\.8\.17$/);
    expect(lines.at(-1)).toMatch(/^mysolver +1\.0 +native +template +\/opt\/x$/);
    const json = jsonLines((await solvers('list', '--json')).stdout);
    expect(json).toContainEqual({
      spec: `path:${file}`,
      family: 'cvc5',
      number: '1.0.3',
      kind: 'native',
      source: 'path',
      bytes: expect.any(Number),
      path: file,
    });
    expect(json).toHaveLength(4);
  });

  it('lists only the names for completion', async () => {
    const file = await fake.installSolver('cvc5', 'This is cvc5 version 1.0.3');
    const solver = { mysolver: { command: ['/opt/x', '{file}'] } };
    await writeFile(join(folder, 'culprit.json'), JSON.stringify({ solvers: solver }));
    const names = [
      ...['z3@4.8.17', 'z3@5.2.0', 'cvc5@1.0.3', 'mysolver'],
      ...['embedded:z3@4.8.17', 'embedded:z3@5.2.0', `path:${file}`],
    ];
    expect((await solvers('list', '--names')).stdout).toBe(`${names.join('\n')}\n`);
    expect(jsonLines((await solvers('list', '--names', '--json')).stdout)).toEqual(
      names.map((spec) => ({ spec })),
    );
  });

  it('adds, checks and removes a version', async () => {
    await installPip(fake, { releases: ['4.8.10.0'] });
    const added = await solvers('add', 'z3@4.8.10');
    expect(added.stderr).toBe('pip: downloading z3-solver 4.8.10.0\n');
    expect(added.stdout).toMatch(/z3@4\.8\.10 +4\.8\.10 +native +pypi/);
    expect((await solvers('list')).stdout).toMatch(/^pypi:z3@4\.8\.10 /m);
    expect(jsonLines((await solvers('check', 'z3@4.8.10', '--json')).stdout)).toEqual([
      { spec: 'z3@4.8.10', ok: true },
    ]);
    const removed = await solvers('remove', 'z3@4.8.10', '--json');
    expect(jsonLines(removed.stdout)).toEqual([{ removed: 'pypi:z3@4.8.10' }]);
    expect(await solvers('remove', 'z3@4.8.10')).toMatchObject({ exitCode: 3, stdout: '' });
    expect((await solvers('list')).stdout).not.toMatch(/pypi/);
  });

  it('checks all installed versions, and exits with code 1 if one fails', async () => {
    await fake.installSolver('cvc5', 'This is cvc5 version 1.0.3');
    expect(await solvers('check')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/cvc5 +ok$/m),
    });
    await fake.install(
      'cvc5',
      'console.log(process.argv[2] === "--version" ? "This is cvc5 version 1.0.3" : "unsat")',
    );
    const checked = await solvers('check');
    expect(checked.exitCode).toBe(1);
    expect(checked.stdout).toMatch(/cvc5 +ended with unsat instead of sat$/m);
    expect(checked.stdout).toMatch(/^embedded:z3@5\.2\.0 +ok$/m);
  });

  it('checks a solver by its command template, with a file or standard input', async () => {
    const reads = (what: string) =>
      `console.log(require('node:fs').readFileSync(${what}, 'utf8').includes('assert p') ? 'sat' : 'no')`;
    const file = await fake.install('by-file', reads('process.argv[2]'));
    const input = await fake.install('by-input', reads('0'));
    const templates = { first: { command: [file, '{file}', '{seed}'] }, second: { command: [input, '-in'] } };
    await writeFile(join(folder, 'culprit.json'), JSON.stringify({ solvers: templates }));
    expect((await solvers('check', 'first', 'second')).stdout).toMatch(/^first +ok\nsecond +ok$/m);
  });

  it('notices a stored version with changed files', async () => {
    await installPip(fake, { releases: ['4.8.10.0'] });
    const { path } = JSON.parse((await solvers('add', 'z3@4.8.10', '--json')).stdout);
    await writeFile(path, '#!/bin/sh\necho "Z3 version 4.8.10"\n');
    const checked = await solvers('check', 'pypi:z3@4.8.10');
    expect(checked.stdout).toMatch(/bin\/z3 was changed after it was added: remove it and add it again/);
  });

  it('does not download a version to check it', async () => {
    await installPip(fake, { releases: ['4.8.10.0'] });
    const checked = await solvers('check', 'z3@4.8.10');
    expect(checked).toMatchObject({ exitCode: 1, stderr: '' });
    expect(checked.stdout).toMatch(
      /is not on this machine: when there is a network, download it with culprit solvers add z3@4\.8\.10/,
    );
  });

  it('removes only versions that it has downloaded', async () => {
    await fake.installSolver('cvc5', 'This is cvc5 version 1.0.3');
    const { stderr, exitCode } = await solvers('remove', 'embedded:z3@5.2.0', 'z3@5.2.0', 'cvc5@1.0.3');
    expect(exitCode).toBe(2);
    expect(stderr.split('\n')).toEqual([
      'culprit: embedded:z3@5.2.0 is embedded in culprit and cannot be removed.',
      'culprit: z3@5.2.0 is embedded in culprit and cannot be removed.',
      'culprit: cvc5@1.0.3 is a program of this machine: culprit removes only its own downloads.',
      '',
    ]);
  });

  it('continues after an unknown version, and exits with the highest code', async () => {
    await installPip(fake, { releases: ['4.8.10.0'] });
    const { stdout, stderr, exitCode } = await solvers('add', 'z3@abc', 'z3@4.8.10');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^culprit: "abc" in "z3@abc" is not a release number/);
    expect(stdout).toMatch(/pypi/);
    expect((await solvers('add', 'z3@abc', 'npm:z3@4.12.2')).exitCode).toBe(3);
  });
});
