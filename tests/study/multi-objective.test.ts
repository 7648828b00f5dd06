import { describe, expect, it } from 'vitest';
import {
  type LongRun,
  type PopulationResult,
  populationFigures,
  populationTable,
} from '../../src/study/multi-objective.js';
import { multiObjectiveText } from '../../src/study/multi-objective-text.js';
import { publishedPopulations } from '../../src/study/published-multi-objective.js';

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

describe('the columns of Table I', () => {
  it('are of the last population, but for the lines in all', () => {
    expect(populationFigures(result('mulstringfuzz', 1, 50, ['a', 'b', 'c']), longRuns)).toEqual({
      totalLines: 50,
      averageLines: 20,
      averageTimeScore: 2,
      timeouts: 2,
      averageComplexity: 7,
    });
    expect(populationFigures(result('mulstringfuzz', 1, 0, []), longRuns)).toBeUndefined();
  });

  it('come with how likely a difference to the default is by luck', () => {
    const results = [1, 2, 3, 4].flatMap((repeat) => [
      result('stringfuzz', repeat, repeat, ['b']),
      result('mulstringfuzz', repeat, 100 + repeat, ['b']),
    ]);
    const rows = populationTable(results, longRuns);
    expect(rows.map(({ variant, campaigns }) => [variant, campaigns])).toEqual([
      ['stringfuzz', 4],
      ['mulstringfuzz', 4],
    ]);
    // All of four above all of four: two of the seventy ways to deal eight ranks.
    expect(rows[0]?.luck?.totalLines).toBeCloseTo(2 / 70);
    expect(rows[0]?.luck?.timeouts).toBe(1);
    expect(rows[1]?.luck).toBeUndefined();
  });

  it('stand beside the published ones', () => {
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
      longRuns,
    });
    expect(text).toMatch(/^mulstringfuzz +50\.0 +15\.0 +1\.50 +1\.0 +7\.00$/m);
    expect(text).toMatch(/^mulstringfuzz-no-complexity +22161\.1 +16434\.2 +8\.98 +12\.0 +95\.50$/m);
  });
});
