import { describe, expect, it } from 'vitest';
import { caseId } from '../../src/campaign/index.js';
import { CommandMeasurer, observationOf } from '../../src/history/measuring/measurer.js';
import { ended, timedOut } from '../simulated/solver.js';

const { signal } = new AbortController();

describe('the number in a command’s output', () => {
  it.each([
    ['12 34', 34],
    ['1.5e+06', 1_500_000],
    ['took 2.5e-1 s', 0.25],
    ['-50', -50],
    ['.5', 0.5],
    ['7.', 7],
  ])('is read from %j as %d', async (text, value) => {
    const measurer = new CommandMeasurer({
      commands: [['printf', '%s\\n', '--', text].filter((word) => word !== '--')],
      limitMs: 10_000,
      isPrinted: true,
    });
    expect(await measurer.measure('', caseId(0), signal)).toEqual({ kind: 'measured', samples: [value] });
  });
});

describe('the level of a run', () => {
  it('is its effort by effort, and more than any other for an unfinished run', () => {
    expect(observationOf(ended('sat', 20, 1000), 500, 'effort')).toEqual({
      kind: 'measured',
      samples: [1000],
    });
    expect(observationOf(timedOut(500), 500, 'effort')).toEqual({ kind: 'measured', samples: [1e12] });
    expect(observationOf(ended('sat', 20), 500, 'effort')).toMatchObject({ kind: 'unmeasured' });
  });

  it('is its time, stored with its effort', () => {
    expect(observationOf(ended('sat', 20, 1000), 500)).toEqual({
      kind: 'measured',
      samples: [20],
      effort: 1000,
    });
    expect(observationOf(timedOut(510), 500)).toEqual({ kind: 'measured', samples: [500] });
  });
});
