import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CampaignFolder } from '../../src/campaign/index.js';
import { bisectSettingsSchema } from '../../src/history/bisection/settings.js';
import { Fault } from '../../src/machine/index.js';
import { readHistory } from '../../src/study/localization/history-file.js';
import { studyLocalization } from '../../src/study/localization/localization.js';
import { localizationPage } from '../../src/study/localization/localization-page.js';
import { localizationJson, localizationText } from '../../src/study/localization/localization-text.js';
import { longHistory } from '../e2e/long-history.js';
import { makeRepository, recipe } from '../history/made-repository.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const folder = temporaryFolder('localization');
const { signal } = new AbortController();
const common = { runFactor: 1, allowFor: () => async () => undefined, signal };

function written(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

describe('localization study', () => {
  it('compares bisection strategies on a recorded history', async () => {
    const cases = [
      { 0: 20, 40: 2000 },
      { 0: 20, 90: 1500 },
      { 0: 20, 10: 1800, 30: 20, 70: 2000 },
      { 0: 20, 10: null, 12: 1000 },
    ];
    const file = written('one.json', { name: 'one', commits: 128, broken: [63], cases });
    const [data] = withoutFault(
      await studyLocalization({ ...common, folders: [], files: [file], buildMs: 60_000 }),
    );
    expect(data?.replays.map(({ strategy, locatedMs }) => [strategy, locatedMs.length])).toEqual([
      ['batch', 4],
      ['sprfinder', 4],
      ['git-bisect', 4],
    ]);
    const [batch, published, plain] = data?.replays ?? [];
    expect(batch?.builds).toBeLessThan(plain?.builds as number);
    expect(published?.runs).toBeLessThan(batch?.runs as number);
    expect(data?.classes.map((row) => row.cases)).toEqual([3, 0, 0, 1, 0]);
    expect(data?.classes[3]?.dominating).toBe(2);
    expect([...(data?.exposed ?? [])]).toEqual([
      [1, 3],
      [2, 1],
    ]);
    expect(data?.beforeAfter).toMatchObject({ commits: 5, before: 20 });
    const text = localizationText([data as NonNullable<typeof data>]);
    expect(text).toContain('one: 4 cases over 128 commits; a build costs 1 m 0 s');
    expect(text).toMatch(/^one +5 +20 ms .*\none, each commit once +5 +20 ms /m);
    expect(text).toMatch(/Z3Seq \(published\) +66 +0\.7 s +19\.5 s +18\.8 s/);
    expect(text).toMatch(/average \(published\) +1\.5 s +19\.8 s +18\.3 s/);
    expect(text).toMatch(/total \(published\) +57 +59 +8 +25 +24 +3/);
    expect(text).toMatch(/Z3Str3 \(published\) +24 +26 +4 +7 +9 +0/);
    const page = localizationPage([data as NonNullable<typeof data>], '0');
    expect(page).toContain('Cases localized over time (Fig. 6)');
    expect(page).toContain('<title>1 of 2</title>');
    expect(localizationJson([data as NonNullable<typeof data>])).toMatchObject({
      histories: [{ exposed: { 1: 3, 2: 1 } }],
    });
  });

  it('reads levels and culprits of a bisection without building', async () => {
    const subjects = ['start', 'a', 'b', 'fix #12', 'c', 'd', 'e', 'improve axioms'];
    const made = makeRepository(
      join(folder, 'repository'),
      subjects.map((subject, at) => ({ levels: [at], subject })),
    );
    const id = (at: number): string => made.line[at] as string;
    const settings = bisectSettingsSchema.parse({
      format: 1,
      job: 'bisect',
      culprit: '0',
      repository: made.path,
      good: id(0),
      bad: id(7),
      line: 'all',
      recipe,
      cases: [{ name: 'x' }, { name: 'y' }],
      isPrinted: false,
      by: 'time',
      timeoutMs: 20_000,
      memoryBytes: 1 << 30,
      sensitivity: { least: 250, noise: 0.05, share: 0.2 },
      confidence: 0,
      strategy: 'batch',
    });
    const path = join(folder, 'bisected');
    const campaign = withoutFault(await CampaignFolder.create(path, settings));
    const levels = (at: number): number[] => [at < 3 ? 100 : 5000, at < 3 ? 200 : at < 7 ? 900 : 9000];
    const events = [0, 7, 3, 2, 6].map((at) => ({
      event: 'looked',
      commit: id(at),
      buildMs: 30_000,
      isNew: true,
      observations: levels(at).map((level) => ({ kind: 'measured', samples: [level] })),
    }));
    mkdirSync(path, { recursive: true });
    writeFileSync(campaign.journalPath, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const unfinished = withoutFault(await studyLocalization({ ...common, folders: [path], files: [] }));
    expect(unfinished[0]?.notes.join()).toContain('no commits to blame');
    expect(unfinished[0]?.cost.buildMs).toBe(30_000);
    const culprit = (number: number, at: number, from: number, to: number) => ({
      case: number,
      commit: id(at),
      before: id(at - 1),
      others: [],
      direction: 'slower',
      beforeLevel: from,
      afterLevel: to,
      isVerified: true,
    });
    const writeBisection = (culprits: readonly object[]): void =>
      writeFileSync(
        join(path, 'bisection.json'),
        JSON.stringify({ culprits, looked: 5, built: 5, failed: [], ends: [], without: [] }),
      );
    const found = [culprit(0, 3, 100, 5000), culprit(1, 3, 200, 900), culprit(1, 7, 900, 9000)];
    writeBisection(found);
    const [data] = withoutFault(await studyLocalization({ ...common, folders: [path], files: [] }));
    expect(data?.notes).toEqual([
      '5 of 8 commits were measured; each other commit is assumed to equal the one before it',
    ]);
    expect([...(data?.exposed ?? [])].toSorted()).toEqual([
      [1, 1],
      [2, 1],
    ]);
    // Means over commits of means over cases.
    expect(data?.beforeAfter).toEqual({
      commits: 2,
      before: (150 + 900) / 2,
      after: (2950 + 9000) / 2,
      overCases: { cases: 3, before: (100 + 200 + 900) / 3, after: (5000 + 900 + 9000) / 3 },
    });
    expect(data?.intentions?.intentions).toMatchObject({ 'program fix': 1, 'algorithm update': 1 });
    expect(data?.replays[0]?.steps.map(({ case: number, at }) => [number, at])).toEqual([
      [0, 3],
      [1, 7],
    ]);
    // The figures exclude unverified culprits.
    const unsure = { ...culprit(0, 4, 5000, 5100), isVerified: false };
    writeBisection([...found, unsure, { ...unsure, case: 1, commit: id(7) }]);
    const [again] = withoutFault(await studyLocalization({ ...common, folders: [path], files: [] }));
    expect(again?.notes.at(-1)).toBe(
      '2 of 5 slowdowns were not confirmed by a second measurement; they do not count',
    );
    expect(again).toMatchObject({ ...data, notes: expect.anything() });
  });

  it('does not read a repository that is not allowed', async () => {
    const refusing = async () => new Fault('usage', 'not yours');
    const found = await studyLocalization({
      ...common,
      allowFor: () => refusing,
      folders: [join(folder, 'bisected')],
      files: [],
    });
    expect(found).toMatchObject({ message: 'not yours' });
  });

  it.each([
    ['nothing', {}, 'name'],
    ['a history of one commit', { name: 'x', commits: 1, cases: [{ 0: 1 }] }, 'commits'],
    ['a level below nothing', { name: 'x', commits: 3, cases: [{ 0: -1 }] }, 'cases.0.0'],
    ['a place that is none', { name: 'x', commits: 3, cases: [{ __proto__x: 1 }] }, 'cases.0'],
  ])('refuses %s', (_, value, where) => {
    const found = readHistory(written('wrong.json', value));
    expect(found).toBeInstanceOf(Fault);
    expect((found as Fault).message).toContain(where);
  });
});

it('recorded history equals the history built in the slow tests', () => {
  const path = join(import.meta.dirname, '../../examples/history/synthetic-512.json');
  const read = withoutFault(readHistory(path));
  const made = longHistory();
  expect(read.commits).toBe(made.length);
  expect(read.timelines.map((course) => course.at(-1))).toEqual(made.at(-1)?.levels);
  for (const [at, { levels, isBroken }] of made.entries()) {
    expect(read.timelines.map((course) => course[at])).toEqual(levels);
    expect(read.broken.has(at)).toBe(isBroken ?? false);
  }
  const oneStep = JSON.parse(readFileSync(path.replace('.json', '-one-step.json'), 'utf8'));
  expect(oneStep.cases).toEqual(JSON.parse(readFileSync(path, 'utf8')).cases.slice(0, 50));
});
