import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit } from './culprit.js';

let folder: string;

beforeAll(() => {
  folder = temporaryFolder('calibrate');
  const solvers = { quick: 'echo sat', endless: 'while :; do :; done' };
  for (const [name, does] of Object.entries(solvers)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${does}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const solver = (name: string) => ({ command: [join(folder, name), '{file}'], version: '1' });
  writeFileSync(
    join(folder, 'culprit.json'),
    JSON.stringify({ solvers: { quick: solver('quick'), endless: solver('endless') } }),
  );
});

const run = (...args: readonly string[]) =>
  culprit([...args, '--formulas', '2', '--repeat', '2', '--timeout', '100ms'], {
    cwd: folder,
    env: { CULPRIT_CACHE: join(folder, 'cache') },
  });

describe.each(['calibrate', 'study noise'])('culprit %s', (command) => {
  const words = command.split(' ');

  it('shows Table 1 over all formulas, with the published figures, and says what never ended', () => {
    const { stdout, stderr, exitCode } = run(...words, '--on', 'quick,endless');
    expect(exitCode).toBe(0);
    const cells = (name: string) =>
      stdout
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(/ {2,}/);
    expect(cells('quick')?.[1]).toBe('2');
    expect(cells('quick')?.[5]).toBe('0');
    expect(cells('endless')?.[5]).toBe('2');
    expect(cells('Z3Str3 (paper)')?.slice(1)).toEqual(['500', '9.91 s', '240 ms', '2.02 s']);
    expect(stderr).toContain('endless: 2 of 2 formulas never ended in time');
    expect(stderr).not.toContain('quick:');
  });

  it('says the same as JSON', () => {
    const { versions } = JSON.parse(run(...words, '--on', 'quick,endless', '--json').stdout);
    expect(versions).toMatchObject([
      { version: 'quick', formulas: 2, unfinished: 0, neverFinished: 0 },
      { version: 'endless', formulas: 2, unfinished: 2, neverFinished: 2 },
    ]);
    expect(versions[1].averageMs).toBeGreaterThanOrEqual(100);
  });
});
