import { describe, expect, it } from 'vitest';
import { type ComparedView, type CoveredRun, coverageJson } from '../../src/report/coverage/coverage.js';
import { callView, lineView } from './made-coverage.js';

const asRun = (view: ReturnType<typeof lineView>, formula: string): ComparedView<CoveredRun> => ({
  ...view,
  of: { formula, version: 'z3@1', outcome: 'sat' },
});

describe('coverage comparison in JSON', () => {
  it('is absent without a second run', () => {
    expect(coverageJson(asRun(lineView('z3@1', {}), 'a.smt2'))).not.toHaveProperty('compared');
  });

  it('lists files, functions and lines that only one run executes', () => {
    const one = asRun(lineView('z3@1', { 'a.cpp': { 1: 5, 2: 0, 3: 1 }, 'b.cpp': { 1: 1 } }), 'a.smt2');
    const other = asRun(lineView('z3@1', { 'a.cpp': { 1: 9, 2: 4, 3: 0 }, 'b.cpp': { 1: 0 } }), 'b.smt2');
    expect(coverageJson(other, one).compared).toEqual({
      formula: 'a.smt2',
      version: 'z3@1',
      onlyThis: { files: [], functions: {}, lines: { 'a.cpp': { 2: 4 } } },
      onlyOther: { files: ['b.cpp'], functions: {}, lines: { 'a.cpp': { 3: 1 }, 'b.cpp': { 1: 1 } } },
      grown: [],
    });
  });

  it('lists functions that are called more often, the largest growth first', () => {
    const before = asRun(callView('z3@1', { a: 9, b: 1, c: 4, gone: 3 }), 'a.smt2');
    const after = asRun(callView('z3@2', { a: 3, b: 5, c: 90, fresh: 7 }), 'a.smt2');
    expect(coverageJson(after, before).compared).toMatchObject({
      onlyThis: { functions: { fresh: 7 } },
      onlyOther: { functions: { gone: 3 } },
      grown: [
        { name: 'c', before: 4, after: 90 },
        { name: 'fresh', before: 0, after: 7 },
        { name: 'b', before: 1, after: 5 },
      ],
    });
  });
});
