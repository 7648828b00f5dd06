/** 512 commits, 60 cases, 10 culprits: single steps, several steps, up-down-up, noise, broken commits, a merge. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Builds } from '../../src/builds/index.js';
import { type BisectPlan, bisect } from '../../src/history/bisection/bisect.js';
import type { Bisection } from '../../src/history/index.js';
import { CommandMeasurer } from '../../src/history/measuring/measurer.js';
import { Repository } from '../../src/repository/index.js';
import { type Made, makeRepository, recipe } from '../history/made-repository.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';
import { longHistory, planted } from './long-history.js';

const folder = temporaryFolder('bisect-e2e');

const made: Made = makeRepository(join(folder, 'repository'), longHistory(), 20);

async function bisected(chosen: readonly number[], more: Partial<BisectPlan> = {}): Promise<Bisection> {
  const result = await bisect({
    repository: withoutFault(await Repository.open(made.path)),
    line: made.line,
    intoMerges: true,
    recipe,
    builds: new Builds(join(folder, 'builds')),
    measurer: new CommandMeasurer({
      commands: chosen.map((number) => ['{program}', String(number)]),
      limitMs: 60_000,
      isPrinted: true,
    }),
    sensitivity: { least: 100, noise: 0.12, share: 1 / 5 },
    confidence: 0,
    strategy: 'batch',
    slots: 1,
    jobs: 2,
    signal: new AbortController().signal,
    known: [],
    onEvent: () => {},
    ...more,
  });
  return withoutFault(result);
}

function found({ culprits: all }: Bisection, number: number): readonly string[] {
  return all.filter((culprit) => culprit.case === number).map((culprit) => culprit.commit);
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe('a bisection of a synthetic repository of 512 commits with 20 % noise', () => {
  it('finds the culprit of fifty cases with one step in a seventh of the builds of git bisect', async () => {
    const chosen = range(0, 50);
    const batch = await bisected(chosen);
    for (const number of chosen) expect(found(batch, number)).toEqual(planted(made, number));
    const plain = await bisected(chosen, { strategy: 'git-bisect', intoMerges: false });
    process.stderr.write(
      `one step: ${batch.looked} commits looked at for 50 cases, git bisect ${plain.looked}: ` +
        `${(plain.looked / batch.looked).toFixed(1)} times as many\n`,
    );
    expect(batch.culprits.every(({ isVerified }) => isVerified)).toBe(true);
    expect(7 * batch.looked).toBeLessThanOrEqual(plain.looked);
  });

  it('takes about as many builds as the published strategy, and noise misleads only the latter', async () => {
    const chosen = range(0, 50);
    const published = await bisected(chosen, { strategy: 'sprfinder' });
    const right = chosen.filter((number) =>
      found(published, number).includes(planted(made, number)[0] as string),
    ).length;
    const wrong = published.culprits.filter(({ isVerified }) => !isVerified).length;
    process.stderr.write(
      `as SPRFinder published it: ${published.looked} commits looked at, the culprit of ${right} of 50 cases, ` +
        `${wrong} named that are none when measured again\n`,
    );
    expect(right).toBeGreaterThan(25);
  });

  it('finds exactly the dominating culprits of all sixty cases', async () => {
    const all = await bisected(range(0, 60), { confidence: 0.95 });
    for (const number of range(0, 60))
      expect(found(all, number), `case ${number}`).toEqual(planted(made, number));
    process.stderr.write(`all sixty, sure to 0.95 that nothing is hidden: ${all.looked} commits looked at\n`);
  });
});
