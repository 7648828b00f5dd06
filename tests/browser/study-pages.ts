/** Pages of studies and timelines with realistic amounts of data. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Point, timeline } from '../../src/history/index.js';
import type { StrategyName } from '../../src/hunt/index.js';
import { Random, usageFault } from '../../src/machine/index.js';
import { timelineHtml } from '../../src/report/index.js';
import type { ComplexityData } from '../../src/study/complexity/complexity.js';
import { type CampaignResult, countCampaigns, detectionTable } from '../../src/study/detection/detection.js';
import { detectionPage } from '../../src/study/detection/detection-page.js';
import {
  complexityPage,
  localizationPage,
  multiObjectivePage,
  publishedVariants,
  robustnessShares,
  seedsPage,
  studyLocalization,
} from '../../src/study/index.js';
import {
  type LongRun,
  type PopulationResult,
  populationTable,
} from '../../src/study/multi-objective/multi-objective.js';
import { sizeTable } from '../../src/study/multi-objective/multi-objective-figures.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const releases = Array.from({ length: 24 }, (_, at) => `z3@4.${8 + Math.floor(at / 10)}.${at % 10}`);

export function timelines(): string {
  const commits = releases.map((_, at) => `git:/home/somebody/z3@${'0123456789abcdef'.repeat(2)}${at}`);
  const sensitivity = { least: 100, noise: 0.05, share: 1 / 5 };
  const cases = [
    { name: 'substr.smt2', line: timeline(pointsAt(releases), sensitivity) },
    {
      name: 'a/very/long/path/to/a/formula/that/became/slow.smt2',
      line: timeline(pointsAt(commits), sensitivity),
    },
  ];
  return timelineHtml(cases, 'time', '1');
}

function pointsAt(names: readonly string[]): readonly Point[] {
  const level = (at: number): number => (at < 7 ? 20 : at < 15 ? 900 : 14_000) + at;
  return names.map((name, at): Point => {
    if (at === 11) return { name, observation: { kind: 'unmeasured', fault: usageFault(crash) } };
    const samples = [level(at), level(at) + 1, level(at) + 2];
    return { name, outcome: 'sat', effort: 1000 * level(at), observation: { kind: 'measured', samples } };
  });
}

const crash =
  'it does not start here: error while loading shared libraries: libgmp.so.10: cannot open shared object file';

export function complexityStudy(): string {
  const random = Random.fromSeed(2);
  const measure = () => {
    const lines = 1 + random.below(400);
    return { complexity: 1 + random.below(lines), lines, ownMs: 1, time: 0 };
  };
  const error = { introducing: 'a'.repeat(40), fixing: 'b'.repeat(40), report: '' };
  const data: ComplexityData = {
    errors: Array.from({ length: 60 }, (_, at) => ({
      subject: ['coreutils', 'findutils', 'grep', 'make'][at % 4] ?? '',
      error,
      introducing: measure(),
      fixing: measure(),
      days: 1 + random.below(3000),
    })),
    seeded: Array.from({ length: 20 }, (_, at) => ({
      subject: 'tcas',
      version: `v${at}`,
      fixing: measure(),
    })),
    recent: Array.from({ length: 200 }, (_, at) => ({ ...measure(), subject: 'grep', id: String(at) })),
  };
  return complexityPage(data, '1');
}

export function detectionStudy(): string {
  const random = Random.fromSeed(3);
  const strategies: readonly StrategyName[] = ['culprit', 'sprfinder', 'random'];
  const campaigns = [1, 2, 3].flatMap((repeat) =>
    strategies.map((strategy, place): CampaignResult => {
      const times = Array.from({ length: 40 - 10 * place }, () => random.below(3_600_000)).toSorted(
        (a, b) => a - b,
      );
      const findings = times.map((foundAtMs, at) => ({
        kind: { answer: 'sat', operators: [`str.op${at % 9}`], since: 1 },
        foundAtMs,
        text: slowFormula,
      }));
      const counts = { tried: 20_000, slowdowns: times.length, slowdownTimes: times, refuted: 2 };
      return { strategy, repeat, data: { ...counts, groups: [{ findings }] } };
    }),
  );
  const counts = countCampaigns(campaigns);
  const points = releases.map((release, at) => ({ release, outcome: 'sat', level: at < 9 ? 700 : 90_000 }));
  const course = { releases, text: slowFormula, by: 'effort' as const, most: 1e6, points };
  const [before = '', release = ''] = releases.slice(8);
  const step = { before, release, direction: 'slower' as const, from: 700, to: 90_000 };
  return detectionPage(
    {
      counts,
      campaigns,
      rows: detectionTable(counts, strategies),
      releases: {
        releases,
        courses: new Map([[slowFormula, course]]),
        steps: new Map([[slowFormula, [step]]]),
      },
    },
    {
      culprit: '1',
      versions: ['z3@4.8.0', 'z3@4.13.3'],
      forMs: 3_600_000,
      workers: 2,
      repeats: 3,
      slowness: { noise: { floorMs: 20, relative: 0.1 }, timeoutMs: 2000 },
      causes: 'releases',
    },
  );
}

export function multiObjectiveStudy(): string {
  const random = Random.fromSeed(4);
  const longRuns = new Map<string, LongRun>();
  const campaign = (variant: StrategyName, repeat: number, size: number): PopulationResult => {
    const members = Array.from({ length: size }, (_, at) => {
      const text = `${variant} ${repeat} ${size} ${at}`;
      const isSlow = random.chance(0.2);
      const spentMs = isSlow ? 60_000 : 10 ** (random.below(4500) / 1000);
      const outcome = isSlow ? 'timeout' : 'sat';
      longRuns.set(text, { text, version: 'z3@4.13.3', limitMs: 60_000, outcome, spentMs });
      const complexity = 5 + random.below(120);
      const lines = 9000 + 60 * complexity + random.below(4000);
      return { text, timeScoreMs: 30 + random.below(80) * (130 - complexity), lines, complexity };
    });
    const convergence = Array.from({ length: 60 }, (_, at) => ({
      generation: at + 1,
      atMs: 30_000 * (at + 1),
      meanMs: 9000 - 4000 / (at + 1) - random.below(400),
    }));
    const counts = { formulas: 2400, generations: 60, totalLines: 20_000 + random.below(2000) };
    return { variant, repeat, ...counts, members, convergence };
  };
  const results = [1, 2, 3].flatMap((repeat) => publishedVariants.map((name) => campaign(name, repeat, 40)));
  const sized = [20, 60, 80].map((population) => ({
    population,
    results: [1, 2, 3].map((repeat) => campaign('mulstringfuzz', repeat, population)),
  }));
  const usual = results.filter(({ variant }) => variant === 'mulstringfuzz');
  return multiObjectivePage({
    settings: {
      ...{ culprit: '1', versions: ['z3@4.8.10', 'z3@4.13.3'], population: 40, repeats: 3, workers: 2 },
      ...{ forMs: 1_800_000, longMs: 60_000, timeoutMs: 5000 },
    },
    counts: 'lines',
    rows: populationTable(results, longRuns),
    results,
    sizes: sizeTable([{ population: 40, results: usual }, ...sized], longRuns),
    longRuns,
    notes: ['mulstringfuzz-3 has not finished'],
    out: 'study',
    page: undefined,
  });
}

const slowFormula = `(assert (str.prefixof x (str.replace y "${'ab'.repeat(90)}" x)))\n(check-sat)\n`;

export async function localizationStudy(): Promise<string> {
  const cases = Array.from({ length: 12 }, (_, at) => ({ 0: 20, [10 * at + 3]: 2000, 125: 4000 }));
  const file = join(temporaryFolder('localization'), 'history.json');
  writeFileSync(file, JSON.stringify({ name: 'made', commits: 128, broken: [63], cases }));
  const all = await studyLocalization({
    folders: [],
    files: [file],
    buildMs: 60_000,
    runFactor: 1,
    allowFor: () => async () => undefined,
    signal: new AbortController().signal,
  });
  return localizationPage(withoutFault(all), '1');
}

export function seedsStudy(): string {
  return seedsPage(
    5,
    robustnessShares(['few seeds', 'few seeds', 'every seed', 'some seeds', 'most seeds']),
    '1',
  );
}
