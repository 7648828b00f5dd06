/** Checks that a bisection that is killed and resumed thirty times finds the same as an undisturbed one. */

import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Random } from '../../src/machine/index.js';
import { culprit, startCulprit } from '../cli/culprit.js';
import { makeRepository, recipe } from '../history/made-repository.js';
import { temporaryFolder } from '../temporary-folder.js';
import { longHistory, planted } from './long-history.js';

const kills = 30;
const folder = temporaryFolder('bisect-kills');

const made = makeRepository(join(folder, 'repository'), longHistory());
const env = { CULPRIT_CACHE: join(folder, 'cache') };
const cases = Array.from({ length: 60 }, (_, number) => number);

/** The time at which each build was stored, by its key. */
function kept(): ReadonlyMap<string, number> {
  const done = join(folder, 'cache', 'builds', 'done');
  const keys = readdirSync(done, { encoding: 'utf8' }).filter((name) => !name.startsWith('.'));
  return new Map(keys.map((key) => [key, statSync(join(done, key, 'manifest.json')).ctimeMs]));
}

function written(): number {
  const path = join(folder, 'bisection', 'journal.ndjson');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length : 0;
}

/** Waits until the journal has grown by this many lines, at any speed of the machine. */
async function untilWritten(lines: number, child: ChildProcess): Promise<void> {
  const enough = written() + lines;
  while (written() < enough && child.exitCode === null) await sleep(5);
}

interface Named {
  readonly culprits: readonly { readonly case: string; readonly commit: string }[];
}

it('a bisection that is killed thirty times finds the same culprits', { timeout: 900_000 }, async () => {
  const random = Random.fromSeed(30);
  const begin = [
    ...['bisect', ...cases.map(String), '--repo', 'repository', '--good', made.line[0] as string],
    // Long enough for some kills to hit a build.
    ...['--bad', 'main', '--build', `sleep 0.3; ${recipe.build[0]}`, '--binary', recipe.binary],
    ...['--out', 'bisection', '--prints', '--confidence', '0.95', '--', '{program}', '{case}'],
  ];
  let before: ReadonlyMap<string, number> = new Map();
  for (let at = 0; at < kills; at++) {
    const args = at === 0 ? begin : ['bisect', '--resume', 'bisection', '--json'];
    const { child, ended } = startCulprit(args, folder, env);
    await untilWritten(random.below(12), child);
    await sleep(random.below(400));
    expect(child.exitCode, 'it must not be over before the last kill').toBeNull();
    child.kill('SIGKILL');
    await ended;
    const now = kept();
    for (const [key, when] of before) expect(now.get(key)).toBe(when);
    before = now;
  }
  const { stdout, stderr, exitCode } = culprit(['bisect', '--resume', 'bisection', '--json'], {
    cwd: folder,
    env,
  });
  expect(stderr).not.toContain('culprit:');
  expect(exitCode).toBe(0);
  const after = kept();
  for (const [key, when] of before) expect(after.get(key)).toBe(when);
  const { culprits } = JSON.parse(stdout) as Named;
  for (const number of cases) {
    const commits = culprits
      .filter((culprit) => culprit.case === String(number))
      .map((culprit) => culprit.commit);
    expect(commits, `case ${number}`).toEqual(planted(made, number));
  }
  const lines = readFileSync(join(folder, 'bisection', 'journal.ndjson'), 'utf8')
    .trim()
    .split('\n');
  const looked = lines.map((line) => JSON.parse(line)).filter((event) => event.event === 'looked');
  expect(new Set(looked.map((event) => event.commit)).size).toBe(looked.length);
  process.stderr.write(
    `${before.size} builds were kept when it was killed the last time, ${after.size} in all\n`,
  );
});
