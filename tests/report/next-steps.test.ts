import { describe, expect, it } from 'vitest';
import { blameStep, reduceStep, timelineNextSteps } from '../../src/report/index.js';
import type { NamedTimeline } from '../../src/report/timeline/timeline-json.js';

function line(name: string, levels: readonly number[]): NamedTimeline {
  const names = levels.map((_, at) => `v${at}`);
  return {
    name,
    line: {
      slowdowns: 1,
      points: levels.map((level, at) => ({
        name: names[at] ?? '',
        observation: { kind: 'measured', samples: [level] },
      })),
      changes: [
        {
          before: 0,
          at: 1,
          from: levels[0] ?? 0,
          to: levels[1] ?? 0,
          direction: (levels[1] ?? 0) > (levels[0] ?? 0) ? 'slower' : 'quicker',
          confidence: 0.9,
          samples: [3, 3],
        },
      ],
    },
  };
}

describe('next steps after a timeline', () => {
  it('concern the formula with the largest slowdown and the two versions around it', () => {
    expect(
      timelineNextSteps([line('a.smt2', [10, 20]), line('b c.smt2', [10, 500])], 'time', undefined),
    ).toEqual([
      "Does it hold under other random seeds? culprit confirm 'b c.smt2' --on v0,v1",
      "Reduce it: culprit reduce 'b c.smt2' --slower v1 --than v0 --out 'b c.small.smt2'",
      "Which commit is to blame? culprit blame 'b c.smt2' --repo REPOSITORY --good OLD --bad NEW",
    ]);
  });

  it('name the commits if versions are commits', () => {
    expect(timelineNextSteps([line('a.smt2', [10, 20])], 'effort', '../z3')).toEqual([
      'Which commit is to blame? culprit blame a.smt2 --repo ../z3 --good v0 --bad v1',
    ]);
  });

  it('do not reduce a reduced formula', () => {
    const [, second] = timelineNextSteps([line('a.small.smt2', [10, 20])], 'time', undefined);
    expect(second).toMatch(/^Which commit is to blame\?/);
  });

  it('are empty without a slowdown, or for a formula without a file', () => {
    expect(timelineNextSteps([line('a.smt2', [20, 10])], 'time', undefined)).toEqual([]);
    expect(timelineNextSteps([line('standard input', [10, 20])], 'time', undefined)).toEqual([]);
  });
});

it('reduce step writes to the working directory and never over its input', () => {
  const versions = ['z3@1', 'z3@2', 'z3@3'];
  expect(reduceStep({ formula: 'some/slow.smt2.gz', versions })).toBe(
    'Reduce it: culprit reduce some/slow.smt2.gz --slower z3@3 --than z3@1,z3@2 --out slow.small.smt2',
  );
  expect(blameStep('x.smt2')).toContain('--repo REPOSITORY');
});
