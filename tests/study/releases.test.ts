import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Run, RunRequest } from '../../src/solver/index.js';
import { byCommit } from '../../src/study/detection/causes.js';
import { type CampaignResult, countCampaigns } from '../../src/study/detection/detection.js';
import {
  measureReleaseTimelines,
  slowReleases,
  stepsByText,
  stepsOf,
} from '../../src/study/detection/releases.js';
import { releaseRows, releasesJson, releasesText } from '../../src/study/detection/releases-text.js';
import { SimulatedRunner, simulatedVersion } from '../simulated/solver.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const releases = ['1.0', '1.1', '1.2', '1.3', '1.4'].map((number) => ({
  ...simulatedVersion(`z3@${number}`),
  number,
}));
const [early, late, both] = ['"early"', '"late"', '"both"'].map(
  (word) => `(declare-const x String)\n(assert (= x ${word}))\n(check-sat)\n`,
) as [string, string, string];

/** Efforts on each release; the newest version never ends on these formulas. */
const courses: Readonly<Record<string, readonly number[]>> = {
  early: [100, 5000, 5000, 5000, 5000],
  late: [100, 110, 90, 100, 1e9],
  both: [100, 3000, 200, 210, 6000],
};

function runnerOf(isCounting = true): SimulatedRunner {
  return new SimulatedRunner(
    ({ formula, version, mostEffort = Number.POSITIVE_INFINITY }: RunRequest): Run => {
      const word = JSON.stringify(formula).match(/early|late|both/)?.[0] ?? '';
      const effort = courses[word]?.[releases.findIndex(({ name }) => name === version.name)] ?? 0;
      if (!isCounting)
        return effort > 2e6
          ? { outcome: 'timeout', wallMs: 2000, answers: [] }
          : { outcome: 'sat', wallMs: effort / 10, answers: ['sat'] };
      if (effort >= mostEffort) return { outcome: 'timeout', wallMs: 2000, answers: [], effort: mostEffort };
      return { outcome: 'sat', wallMs: 100, answers: ['sat'], effort };
    },
  );
}

const job = (out: string, texts: readonly string[]) => ({
  out,
  texts,
  releases,
  timeoutMs: 2000,
  memoryBytes: 1e9,
  workers: 1,
  signal: new AbortController().signal,
});

const finding = (text: string, foundAtMs: number) => ({
  kind: { answer: 'sat', operators: ['str.at'], since: 1 },
  foundAtMs,
  text,
});

const campaign = (
  strategy: CampaignResult['strategy'],
  findings: readonly ReturnType<typeof finding>[],
): CampaignResult => ({
  strategy,
  repeat: 1,
  data: { tried: 1, slowdowns: 1, slowdownTimes: [], refuted: 0, groups: [{ findings }] },
});

describe('findings over releases', () => {
  it('became slow at the releases at which their effort rose, under an effort limit', async () => {
    const runner = runnerOf();
    const found = withoutFault(
      await measureReleaseTimelines(runner, job(temporaryFolder('rel'), [early, late, both, early])),
    );
    // The limit is 20 times the oldest version's effort, at least 500,000, and the same on every machine.
    expect(runner.requests.filter(({ mostEffort }) => mostEffort === 500_000)).toHaveLength(3 * 4);
    expect(runner.requests).toHaveLength(3 * releases.length);
    const steps = await stepsByText(found);
    const slow = slowReleases(steps);
    expect([early, late, both].map((text) => slow.get(text))).toEqual([
      ['z3@1.1'],
      ['z3@1.4'],
      ['z3@1.1', 'z3@1.4'],
    ]);
    expect(steps.get(both)?.map(({ direction }) => direction)).toEqual(['slower', 'quicker', 'slower']);
  });

  it('are compared by time if the solver does not count effort', async () => {
    const found = withoutFault(
      await measureReleaseTimelines(runnerOf(false), job(temporaryFolder('rel'), [late])),
    );
    expect(found.get(late)).toMatchObject({ by: 'time', most: 2000 });
    expect(slowReleases(await stepsByText(found)).get(late)).toEqual(['z3@1.4']);
  });

  it('are measured again only over other releases', async () => {
    const out = temporaryFolder('rel');
    const first = withoutFault(await measureReleaseTimelines(runnerOf(), job(out, [early])));
    const again = runnerOf();
    expect(withoutFault(await measureReleaseTimelines(again, job(out, [early, late]))).get(early)).toEqual(
      first.get(early),
    );
    expect(again.requests).toHaveLength(releases.length);
    const fewer = runnerOf();
    withoutFault(await measureReleaseTimelines(fewer, { ...job(out, [early]), releases: releases.slice(1) }));
    expect(fewer.requests).toHaveLength(releases.length - 1);
    // A kill in the middle of a line loses only that line.
    const path = join(out, 'releases.ndjson');
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -10));
    expect(withoutFault(await measureReleaseTimelines(runnerOf(), job(out, []))).size).toBe(2);
  });

  it('have no level on a broken release; the next release has the step', () => {
    const points = courses.early?.map((level, at) => ({
      release: releases[at]?.name ?? '',
      outcome: at === 1 ? 'crash' : 'sat',
      level: at === 1 ? null : level,
    }));
    const course = { releases: [], text: early, by: 'effort' as const, most: 1e6, points: points ?? [] };
    expect(stepsOf(course, 0.1)).toMatchObject([
      { before: 'z3@1.0', release: 'z3@1.2', direction: 'slower' },
    ]);
  });

  it('are counted as causes per campaign', async () => {
    const found = withoutFault(
      await measureReleaseTimelines(runnerOf(), job(temporaryFolder('rel'), [early, late, both])),
    );
    const steps = await stepsByText(found);
    const campaigns = [
      campaign('culprit', [finding(early, 10), finding(both, 20)]),
      campaign('random', [finding(early, 30), finding('(exit)', 5)]),
    ];
    const counts = countCampaigns(campaigns, byCommit(slowReleases(steps)));
    expect(counts.map(({ causes, causeTimes }) => [causes, causeTimes])).toEqual([
      [2, [10, 20]],
      [1, [30]],
    ]);
    const names = releases.map(({ name }) => name);
    const findings = { releases: names, courses: found, steps };
    expect(releaseRows(findings, campaigns)).toEqual([
      {
        release: 'z3@1.1',
        findings: 2,
        by: new Map([
          ['culprit', 2],
          ['random', 1],
        ]),
      },
      { release: 'z3@1.4', findings: 2, by: new Map([['culprit', 1]]) },
    ]);
    const text = releasesText(findings, campaigns, ['culprit', 'random']);
    expect(text).toContain('z3@1.1');
    expect(text).toMatch(/100 to >500k/);
    expect(releasesJson(findings)?.findings).toHaveLength(3);
  });
});
