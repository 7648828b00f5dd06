import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { installInto, packInto, plainEnvironment } from './installed-package.js';
import { readmeCommands } from './readme-commands.js';
import { compileSources, fillCache, makeFormulas, makeSources, makeZ3Repository } from './stand-ins.js';

/** Commands that the test skips, with the reason. */
const notTried: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'is for a clone, which this is not',
  'npm ci && npm test': 'is for a clone, and what runs this test',
  'npx culprit hunt --on git:../z3@z3-4.8.12,git:../z3@main --for 1h --blame --explain':
    'is tried in tests/cli/blame.test.ts, with a solver whose commits differ in time',
  'npm install culprit': 'was done before, from the tarball in place of a registry',
};

/** Options that shorten commands that would otherwise take minutes. */
const shortened: Readonly<Record<string, string>> = {
  'npx culprit hunt': '--for 1s --workers 1',
  'npx culprit run examples --timeout 5s': '--timeout 1s --repeat 1 --workers 1',
  'npx culprit timeline slow.smt2 --on z3@4.8.12,z3@4.12.2,z3@4.13.3': '--timeout 1s --repeat 1',
  'npx culprit reduce slow.smt2 --slower z3@4.13.3 --than z3@4.8.12':
    '--timeout 1s --threshold 500ms --for 5s',
  'npx culprit hunt --on z3@4.8.10,z3@4.8.12 --for 10m':
    '--for 2s --timeout 300ms --threshold 100ms --corpus corpus',
  'npx culprit confirm campaigns/NAME': '--seeds 1-2',
  'npx culprit study detection --for 30m --repeat 3':
    '--for 1s --repeat 1 --strategies culprit,random --on z3@4.8.10,z3@4.8.12',
  // The machine may lack make.
  'npx culprit explain --old v1.0 --new v1.1 --build make --test ./regress.sh':
    "--repeat 1 --build 'cc -o src/grep src/grep.c'",
  'npx culprit calibrate': '--formulas 2 --repeat 2 --on z3@4.8.10,z3@4.8.12',
};

describe('README.md commands in an installation of culprit only', () => {
  const commands = readmeCommands();
  const tried = commands.filter((command) => !Object.hasOwn(notTried, command));
  /** The folder with the installed package; it contained nothing of culprit before. */
  let home: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    const top = temporaryFolder('readme');
    home = join(top, 'home');
    mkdirSync(home);
    makeSources(home);
    installInto(home, packInto(top));
    const cache = join(top, 'cache');
    const plain = plainEnvironment();
    const path = [join(home, 'node_modules', '.bin'), plain.PATH].join(delimiter);
    // The cache contains every download, so culprit asks nothing and needs no network.
    env = { ...plain, PATH: path, CULPRIT_CACHE: cache, CULPRIT_OFFLINE: '1' };
    makeFormulas(home);
    makeZ3Repository(home, join(top, 'z3'));
    compileSources(home, env);
    await fillCache(cache);
  });

  /** Replaces NAME by the folder that an earlier command created. */
  const named = (command: string): string =>
    command.replaceAll(/\b(\w+)\/NAME\b/g, (_, kind: string) =>
      join(kind, readdirSync(join(home, kind)).toSorted().at(-1) ?? ''),
    );

  it('are distinguished from their output', () => {
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter((command) => !/^np[mx] /.test(command))).toEqual([]);
    for (const command of [...Object.keys(notTried), ...Object.keys(shortened)])
      expect(commands).toContain(command);
  });

  it.each(tried)('exit with code 0: %s', (command) => {
    // npx takes a second per call, so only the first command uses it.
    const called = command === tried[0] ? command : command.replace(/^npx /, '');
    const line = `exec ${named(called)} ${shortened[command] ?? ''}`;
    const { stderr, status } = spawnSync('sh', ['-c', line], {
      cwd: home,
      env,
      encoding: 'utf8',
      timeout: 100_000,
    });
    expect({ line, status, stderr }).toEqual({
      line,
      status: 0,
      stderr: expect.not.stringMatching(/bug in culprit|Warning:/),
    });
  });
});
