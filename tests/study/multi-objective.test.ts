import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type LongRun,
  type PopulationResult,
  populationFigures,
  populationTable,
  readLongRuns,
  runLong,
} from '../../src/study/multi-objective/multi-objective.js';
import {
  convergedMs,
  convergenceOf,
  frontOf,
  longTimes,
  relativeTo,
  shareWithin,
  sizeTable,
} from '../../src/study/multi-objective/multi-objective-figures.js';
import { multiObjectivePage } from '../../src/study/multi-objective/multi-objective-page.js';
import { sizesToRun } from '../../src/study/multi-objective/multi-objective-study.js';
import { multiObjectiveText } from '../../src/study/multi-objective/multi-objective-text.js';
import { publishedPopulations } from '../../src/study/multi-objective/published-multi-objective.js';
import { ended, SimulatedRunner, simulatedVersion } from '../simulated/solver.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const long = (text: string, outcome: string): [string, LongRun] => [
  text,
  { text, version: 'new', limitMs: 60_000, outcome, spentMs: 10 },
];
const longRuns = new Map([long('a', 'timeout'), long('b', 'sat'), long('c', 'timeout')]);

const result = (
  variant: PopulationResult['variant'],
  repeat: number,
  totalLines: number,
  texts: readonly string[],
): PopulationResult => ({
  ...{ variant, repeat, formulas: 100, generations: 3, totalLines, convergence: [] },
  members: texts.map((text, at) => ({
    text,
    timeScoreMs: 1000 * (at + 1),
    lines: 10 * (at + 1),
    complexity: 7,
  })),
});

/** Converged from the third generation on. */
const converging: PopulationResult = {
  ...result('mulstringfuzz', 1, 50, ['a', 'b', 'c']),
  convergence: [100, 200, 980, 1000].map((meanMs, at) => ({
    generation: at + 1,
    atMs: 100 * (at + 1),
    meanMs,
  })),
};

describe('columns of Table I', () => {
  it('describe the last population, except for the lines in all', () => {
    expect(populationFigures(result('mulstringfuzz', 1, 50, ['a', 'b', 'c']), longRuns)).toEqual({
      totalLines: 50,
      averageLines: 20,
      averageTimeScore: 2,
      timeouts: 2,
      averageComplexity: 7,
    });
    expect(populationFigures(result('mulstringfuzz', 1, 0, []), longRuns)).toBeUndefined();
  });

  it('have no timeouts until every formula had a long run', () => {
    const results = [result('mulstringfuzz', 1, 50, ['a', 'unknown']), result('mulstringfuzz', 2, 50, ['a'])];
    expect(populationTable(results, longRuns)).toMatchObject([
      { campaigns: 2, figures: { totalLines: [50, 50], timeouts: [1] } },
    ]);
  });

  it('have the p-value of each difference to the default variant', () => {
    const results = [1, 2, 3, 4].flatMap((repeat) => [
      result('stringfuzz', repeat, repeat, ['b']),
      result('mulstringfuzz', repeat, 100 + repeat, ['b']),
    ]);
    const rows = populationTable(results, longRuns);
    expect(rows.map(({ variant, campaigns }) => [variant, campaigns])).toEqual([
      ['stringfuzz', 4],
      ['mulstringfuzz', 4],
    ]);
    // All four values are above all other four: 2 of the 70 ways to divide eight ranks.
    expect(rows[0]?.luck?.totalLines).toBeCloseTo(2 / 70);
    expect(rows[0]?.luck?.timeouts).toBe(1);
    expect(rows[1]?.luck).toBeUndefined();
  });

  it('appear next to the published columns', () => {
    expect(publishedPopulations).toHaveLength(7);
    const text = multiObjectiveText({
      settings: {
        ...{
          culprit: '1',
          versions: ['old', 'new'],
          population: 40,
          repeats: 1,
          forMs: 60_000,
          longMs: 60_000,
        },
        ...{ workers: 2, timeoutMs: 5000 },
      },
      counts: 'lines',
      rows: populationTable([result('mulstringfuzz', 1, 50, ['a', 'b'])], longRuns),
      results: [],
      sizes: sizeTable([{ population: 20, results: [converging] }], new Map()),
      longRuns,
      notes: [],
      out: 'a study',
      page: undefined,
    });
    expect(text).toMatch(/^ +20 +1 +300 ms *$/m);
    expect(text).toContain("Figures: culprit report 'a study' --html figures.html");
    expect(text).toMatch(/^mulstringfuzz +1 +50\.0 +15\.0 +1\.50 +1\.0 +7\.00$/m);
    expect(text).toMatch(/^mulstringfuzz-no-complexity +50 +22161\.1 +16434\.2 +8\.98 +12\.0 +95\.50$/m);
  });
});

describe('page and text of the multi-objective study', () => {
  const study = (results: readonly PopulationResult[], longMs: number | undefined, runs = longRuns) => ({
    settings: {
      ...{ culprit: '1', versions: ['old', 'new'], population: 40, repeats: 3, forMs: 60_000, longMs },
      ...{ workers: 1, timeoutMs: 5000 },
    },
    ...{ counts: 'lines' as const, rows: populationTable(results, runs), results, sizes: [], longRuns: runs },
    ...{ notes: [], out: 'a study', page: undefined },
  });
  const forms = (of: ReturnType<typeof study>): readonly string[] => [
    multiObjectivePage(of),
    multiObjectiveText(of),
  ];

  it.each([
    ['nothing', study([], undefined), 'No formula had a long run yet.'],
    ['no long run', study([result('stringfuzz', 1, 5, ['a'])], undefined, new Map()), 'No formula had'],
    [
      'some long runs',
      study([result('stringfuzz', 1, 5, ['a', 'd'])], 60_000),
      'So far, 1 of 2 formulas of the final populations ran for up to 1 m 0 s on new.',
    ],
    [
      'all long runs',
      study([result('stringfuzz', 1, 5, ['a'])], 60_000),
      'Every formula of the final populations then ran',
    ],
    ['an empty campaign', study([result('mulstringfuzz', 1, 0, [])], 60_000), 'There is no population yet.'],
  ])('report the progress with %s', (_, of, sentence) => {
    for (const form of forms(of)) {
      expect(form).toContain(sentence);
      expect(form).not.toMatch(/undefined|NaN|within 0/);
      // Without the default variant there is nothing to compare with.
      expect(form).not.toContain('In brackets');
    }
  });

  it('report the number of campaigns per row and explain numbers in brackets', () => {
    const results = [
      result('stringfuzz', 1, 5, ['a']),
      result('mulstringfuzz', 1, 9, ['b']),
      result('mulstringfuzz', 2, 9, ['c']),
    ];
    for (const form of forms(study(results, 60_000))) expect(form).toContain('In brackets');
    expect(multiObjectiveText(study(results, 60_000))).toMatch(/^mulstringfuzz +2 +9\.0 /m);
  });
});

describe('runLong', () => {
  const text = '(declare-const x String)\n(assert (= x "a"))\n(check-sat)\n';
  const version = simulatedVersion('new');
  const [small, large] = [1e9, 2e9];
  const { signal } = new AbortController();
  const inFolder = (out: string) => {
    const runner = new SimulatedRunner(() => ended('sat', 7));
    const run = (memoryBytes: number) =>
      runLong(runner, { out, texts: [text], version, limitMs: 60_000, memoryBytes, workers: 1, signal });
    return { runner, run };
  };

  it('stores runs, and repeats them under another memory limit', async () => {
    const out = temporaryFolder('long');
    const { runner, run } = inFolder(out);
    for (const memoryBytes of [small, small, large, large, small])
      expect(withoutFault(await run(memoryBytes)).get(text)).toMatchObject({ memoryBytes });
    expect(runner.requests.map(({ limits }) => limits.memoryBytes)).toEqual([small, large]);
    expect(withoutFault(await readLongRuns(out, 'new')).byText.get(text)).toMatchObject({
      memoryBytes: large,
    });
  });

  it('reads runs of older versions without a memory limit, but repeats them', async () => {
    const out = temporaryFolder('long');
    const old = { text, version: 'new', limitMs: 60_000, outcome: 'timeout', spentMs: 60_000 };
    writeFileSync(join(out, 'long-runs.ndjson'), `${JSON.stringify(old)}\n`);
    expect(withoutFault(await readLongRuns(out, 'new')).byText.get(text)).toEqual(old);
    const { runner, run } = inFolder(out);
    expect(withoutFault(await run(small)).get(text)).toMatchObject({ outcome: 'sat' });
    expect(runner.requests).toHaveLength(1);
  });
});

describe('figures of the multi-objective study', () => {
  it('Fig. 3 counts unfinished formulas in the whole', () => {
    const times = longTimes([converging], longRuns);
    expect(times).toEqual({ endedMs: [10], unfinished: 2 });
    expect(shareWithin(times, 1000)).toBeCloseTo(1 / 3);
    expect(shareWithin(times, 5)).toBe(0);
    expect(shareWithin(longTimes([], longRuns), 1000)).toBeUndefined();
    // A formula that crashes the target at once was not solved quickly.
    const crashed = new Map([long('a', 'crash'), long('b', 'unknown'), long('c', 'memout')]);
    expect(longTimes([converging], crashed)).toEqual({ endedMs: [10], unfinished: 2 });
  });

  it('Fig. 4 averages over campaigns; one with fewer generations counts with its last', () => {
    const short: PopulationResult = {
      ...converging,
      convergence: [{ generation: 2, atMs: 5, meanMs: 600 }],
    };
    expect(convergenceOf([converging, short])).toEqual([
      { at: 1, value: 0.1 },
      { at: 2, value: 0.4 },
      { at: 3, value: 0.79 },
      { at: 4, value: 0.8 },
    ]);
  });

  it('Fig. 5 has the Pareto front, and the formulas behind it', () => {
    const [a, b, c] = converging.members;
    if (a === undefined || b === undefined || c === undefined) throw new Error('three members');
    const simple = { ...a, text: 'simple', complexity: 1 };
    const front = frontOf([{ ...converging, members: [a, b, c, c, simple] }]);
    expect(front.map(({ text, isFirst }) => [text, isFirst])).toEqual([
      ['c', true],
      ['simple', true],
      ['b', false],
      ['a', false],
    ]);
  });

  it('Fig. 6 has the time at which a population converged, and its timeouts', () => {
    expect(convergedMs(converging)).toBe(300);
    expect(convergedMs({ ...converging, convergence: converging.convergence.slice(0, 1) })).toBeUndefined();
    const sizes = [
      { population: 40, results: [converging] },
      { population: 20, results: [] },
    ];
    expect(sizeTable(sizes, longRuns)).toEqual([
      { population: 20, campaigns: 0, convergedMs: [], timeouts: [] },
      { population: 40, campaigns: 1, convergedMs: [300], timeouts: [2] },
    ]);
    expect(relativeTo([3], [2])).toBe(1.5);
    for (const base of [[], [0]]) expect(relativeTo([3], base)).toBeUndefined();
  });

  it('Fig. 6 needs no second campaign for the usual size', () => {
    const populations = [20, 40];
    expect(sizesToRun({ variants: ['mulstringfuzz'], population: 40, populations })).toEqual([20]);
    expect(sizesToRun({ variants: ['stringfuzz'], population: 40, populations: [20] })).toEqual([20, 40]);
    expect(sizesToRun({ variants: ['stringfuzz'], population: 40, populations: [] })).toEqual([]);
  });
});
