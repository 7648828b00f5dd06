import { describe, expect, it } from 'vitest';
import { anomaliesIn as anomaliesBy } from '../../src/hunt/anomaly.js';
import type { Run, Runs } from '../../src/solver/index.js';
import { ended, slowness, timedOut } from '../simulated/solver.js';

const anomaliesIn = (runs: Runs) => anomaliesBy(runs, slowness);

describe('anomaliesIn', () => {
  it('finds nothing in ordinary runs', () => {
    for (const runs of [
      [ended('sat', 1), ended('sat', 900)],
      [ended('unsat', 1), timedOut(2000)],
      [ended('unknown', 1), ended('sat', 1)],
      [undefined, ended('sat', 1)],
      [],
    ])
      expect(anomaliesIn(runs)).toEqual([]);
  });

  it('reports a disagreement if one version answers sat and another unsat', () => {
    expect(anomaliesIn([ended('sat', 1), ended('unsat', 1), ended('sat', 1)])).toEqual([
      { kind: 'disagreement', sat: [0, 2], unsat: [1] },
    ]);
  });

  it('reports a disagreement on any check-sat command, whatever the last answer is', () => {
    const answers = (...all: readonly ('sat' | 'unsat' | 'unknown')[]): Run => ({
      outcome: all.at(-1) ?? 'unknown',
      wallMs: 1,
      answers: all,
    });
    expect(anomaliesIn([answers('sat', 'sat'), answers('unsat', 'sat')])).toEqual([
      { kind: 'disagreement', sat: [0], unsat: [1] },
    ]);
    expect(anomaliesIn([answers('sat', 'unsat'), answers('sat', 'unsat')])).toEqual([]);
    // A run that timed out still answered its first check-sat.
    expect(anomaliesIn([answers('sat', 'sat'), { ...timedOut(5), answers: ['unsat'] }])).toMatchObject([
      { kind: 'disagreement', sat: [0], unsat: [1] },
    ]);
  });

  it('reports a crash with its signal', () => {
    expect(anomaliesIn([ended('sat', 1), ended('crash', 1)])).toEqual([
      { kind: 'crash', version: 1, message: 'SIGSEGV' },
    ]);
  });

  it('reports memory exhaustion on any version', () => {
    expect(anomaliesIn([ended('memout', 1), ended('sat', 1)])).toEqual([
      { kind: 'memout', version: 0, message: '' },
    ]);
  });

  it('reports an error if another version handles the formula', () => {
    for (const other of [ended('sat', 1), ended('unknown', 1), timedOut(2000)])
      expect(anomaliesIn([ended('error', 1), other])).toEqual([
        { kind: 'error', version: 0, message: 'line 1: unexpected' },
      ]);
  });

  it('ignores an error that all versions report', () => {
    expect(anomaliesIn([ended('error', 1), ended('error', 1)])).toEqual([]);
    expect(anomaliesIn([undefined, ended('error', 1)])).toEqual([]);
  });

  it('reports a lost answer if the newest version gives up and an older one answers', () => {
    expect(anomaliesIn([ended('unsat', 1), ended('unknown', 1)])).toEqual([{ kind: 'lost', version: 1 }]);
    expect(anomaliesIn([timedOut(100), ended('unknown', 1)])).toEqual([]);
  });

  it('reports a long run as an anomaly, not a slowdown, if an older version gave up at once', () => {
    const unanswered = [{ kind: 'unanswered', version: 1 }];
    expect(anomaliesIn([ended('unknown', 5), timedOut(2000)])).toEqual(unanswered);
    expect(anomaliesIn([ended('unknown', 5), ended('sat', 900)])).toEqual(unanswered);
    // Below the threshold both are equally fast.
    expect(anomaliesIn([ended('unknown', 5), ended('sat', 100)])).toEqual([]);
    // Another older version answers quickly, so this is a slowdown.
    expect(anomaliesIn([ended('unknown', 5), ended('sat', 9), timedOut(2000)])).toEqual([]);
    // A run that only waited for the processor proves nothing.
    expect(anomaliesIn([ended('unknown', 5), { ...timedOut(2000), cpuMs: 10 }])).toEqual([]);
  });

  it('lists disagreements first', () => {
    const kinds = anomaliesIn([
      ended('crash', 1),
      ended('sat', 1),
      ended('unsat', 1),
      ended('error', 1),
      ended('unknown', 1),
    ]).map(({ kind }) => kind);
    expect(kinds).toEqual(['disagreement', 'crash', 'error', 'lost']);
  });
});
