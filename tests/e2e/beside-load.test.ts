/** Checks that a busy machine makes culprit slower, but changes none of its results. */

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { HuntData } from '../../src/hunt/index.js';
import { culprit } from '../cli/culprit.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { temporaryFolder } from '../temporary-folder.js';

const minutes = 60_000;

/** Calls a function while two busy processes run on each processor. */
function besideLoad<Result>(work: () => Result): Result {
  const busy: ChildProcess[] = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    return work();
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
}

function timed<Result>(work: () => Result): readonly [result: Result, seconds: number] {
  const startedAt = performance.now();
  const result = work();
  return [result, (performance.now() - startedAt) / 1000];
}

/** Prints a row with the results without and with the load. */
function tell(what: string, idle: readonly [string, number], loaded: readonly [string, number]): void {
  const side = ([found, seconds]: readonly [string, number]): string => `${found} in ${seconds.toFixed(0)} s`;
  console.log(`${what}: ${side(idle)}; beside load ${side(loaded)}`);
}

const pair = ['debian:bullseye/z3', 'z3@4.8.12'] as const;

function areSlower(files: readonly string[], on: string): readonly boolean[] {
  const { stdout } = culprit(['run', ...files, '--on', on, '--timeout', '3s', '--json']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).verdict.kind === 'slower');
}

describe('with two busy processes on each processor', () => {
  it.each(['slow-01', 'slow-04', 'slow-07'])('%s is reduced as far as without load', {
    timeout: 30 * minutes,
  }, (name) => {
    const folder = temporaryFolder('reduce-beside-load');
    const file = fileURLToPath(new URL(`../../bench/formulas/${name}.smt2`, import.meta.url));
    const [older, newest] = pair;
    const reduce = (out: string) => {
      const words = [
        'reduce',
        file,
        '--slower',
        newest,
        '--than',
        older,
        '--threshold',
        '1s',
        '--timeout',
        '3s',
      ];
      return timed(() => culprit([...words, '--forget', '--json', '--out', join(folder, out)]));
    };
    const [idle, idleSeconds] = reduce('idle.smt2');
    const [loaded, loadedSeconds] = besideLoad(() => reduce('loaded.smt2'));
    expect([idle.exitCode, loaded.exitCode]).toEqual([0, 0]);
    const [before, after] = [idle, loaded].map(({ stdout }) => JSON.parse(stdout));
    const size = (characters: number): string => `${characters} characters`;
    tell(name, [size(before.charactersAfter), idleSeconds], [size(after.charactersAfter), loadedSeconds]);
    expect(after).toMatchObject({ isSure: true, isMinimal: true });
    expect(areSlower([join(folder, 'loaded.smt2')], pair.join())).toEqual([true]);
    // Equally good steps may be chosen differently, so only the sizes are compared.
    expect(after.charactersAfter).toBeLessThanOrEqual(1.2 * before.charactersAfter);
  });

  it('the findings of a hunt are confirmed', { timeout: 30 * minutes }, () => {
    const folder = temporaryFolder('hunt-beside-load');
    const hunt = (out: string) =>
      timed(() => {
        const words = [
          'hunt',
          '--seed',
          '1',
          '--for',
          '2m',
          '--forget',
          '--json',
          '--out',
          join(folder, out),
        ];
        return JSON.parse(culprit(words).stdout) as HuntData;
      });
    const held = (data: HuntData, out: string): readonly [held: number, all: number] => {
      const ids = data.groups.flatMap(({ findings }) => findings.map(({ id }) => id));
      const cases = join(folder, out, 'cases');
      const files = readdirSync(cases).filter((name) =>
        ids.some((id) => name === `s${String(id).padStart(4, '0')}.smt2`),
      );
      if (files.length === 0) return [0, 0];
      const slower = areSlower(
        files.map((name) => join(cases, name)),
        'z3@4.8.17,z3@5.2.0',
      );
      return [slower.filter(Boolean).length, slower.length];
    };
    const [idle, idleSeconds] = hunt('idle');
    const [loaded, loadedSeconds] = besideLoad(() => hunt('loaded'));
    const [before, after] = [held(idle, 'idle'), held(loaded, 'loaded')];
    const words = ([holding, all]: readonly [number, number]): string => `${holding} of ${all} findings hold`;
    tell('hunt', [words(before), idleSeconds], [words(after), loadedSeconds]);
    expect(after[1]).toBeGreaterThan(0);
    expect(after[0]).toBe(after[1]);
  });

  it('a bisection by time names the same commits', { timeout: 30 * minutes }, () => {
    const folder = temporaryFolder('bisect-beside-load');
    const repository = join(folder, 'repository');
    initRepository(repository);
    // Two slowdowns, by half and by two thirds, in millions of loop iterations.
    const turns = Array.from({ length: 24 }, (_, at) => (at < 9 ? 300 : at < 17 ? 450 : 750));
    const line = turns.map((millions, at) =>
      commitFiles(
        repository,
        {
          'tool.c': `int main(void) { for (volatile long i = 0; i < ${millions}000000L; i++); return 0; }\n`,
        },
        `change ${at}`,
      ),
    );
    const bisect = (out: string) =>
      timed(() => {
        const range = ['--repo', repository, '--good', line[0] as string, '--out', join(folder, out)];
        const build = ['--build', 'cc -o tool tool.c', '--binary', 'tool', '--json', '--', '{program}'];
        return JSON.parse(culprit(['bisect', ...range, ...build]).stdout);
      });
    const names = ({ culprits }: { culprits: readonly { commit: string }[] }): readonly string[] =>
      culprits.map(({ commit }) => commit);
    const [idle, idleSeconds] = bisect('idle');
    const [loaded, loadedSeconds] = besideLoad(() => bisect('loaded'));
    const words = (found: { looked: number }): string => `${found.looked} commits looked at`;
    tell('bisect', [words(idle), idleSeconds], [words(loaded), loadedSeconds]);
    expect(names(loaded)).toEqual([line[9], line[17]]);
    expect(names(idle)).toEqual(names(loaded));
  });
});
