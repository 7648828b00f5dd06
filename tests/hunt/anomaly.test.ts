import { describe, expect, it } from 'vitest';
import { anomaliesIn as anomaliesBy } from '../../src/hunt/anomaly.js';
import type { Run, Runs } from '../../src/solver/index.js';
import { ended, slowness, timedOut } from '../simulated/solver.js';

const anomaliesIn = (runs: Runs) => anomaliesBy(runs, slowness);

describe('anomalies', () => {
  it('are not to be found in ordinary runs', () => {
    for (const runs of [
      [ended('sat', 1), ended('sat', 900)],
      [ended('unsat', 1), timedOut(2000)],
      [ended('unknown', 1), ended('sat', 1)],
      [undefined, ended('sat', 1)],
      [],
    ])
      expect(anomaliesIn(runs)).toEqual([]);
  });

  it('are a disagreement where one says sat and another unsat', () => {
    expect(anomaliesIn([ended('sat', 1), ended('unsat', 1), ended('sat', 1)])).toEqual([
      { kind: 'disagreement', sat: [0, 2], unsat: [1] },
    ]);
  });

  it('are a disagreement on any of several questions, whatever the last answer is', () => {
    const answers = (...all: readonly ('sat' | 'unsat' | 'unknown')[]): Run => ({
      outcome: all.at(-1) ?? 'unknown',
      wallMs: 1,
      answers: all,
    });
    expect(anomaliesIn([answers('sat', 'sat'), answers('unsat', 'sat')])).toEqual([
      { kind: 'disagreement', sat: [0], unsat: [1] },
    ]);
    expect(anomaliesIn([answers('sat', 'unsat'), answers('sat', 'unsat')])).toEqual([]);
    // A run that was ended on the way still answered its first questions.
    expect(anomaliesIn([answers('sat', 'sat'), { ...timedOut(5), answers: ['unsat'] }])).toMatchObject([
      { kind: 'disagreement', sat: [0], unsat: [1] },
    ]);
  });

  it('are a crash, with its signal', () => {
    expect(anomaliesIn([ended('sat', 1), ended('crash', 1)])).toEqual([
      { kind: 'crash', version: 1, message: 'SIGSEGV' },
    ]);
  });

  it('are too much memory, on whichever version', () => {
    expect(anomaliesIn([ended('memout', 1), ended('sat', 1)])).toEqual([
      { kind: 'memout', version: 0, message: '' },
    ]);
  });

  it('are an error of one version where another does its work', () => {
    for (const other of [ended('sat', 1), ended('unknown', 1), timedOut(2000)])
      expect(anomaliesIn([ended('error', 1), other])).toEqual([
        { kind: 'error', version: 0, message: 'line 1: unexpected' },
      ]);
  });

  it('are not an error of every version: that is the formula’s own fault', () => {
    expect(anomaliesIn([ended('error', 1), ended('error', 1)])).toEqual([]);
    expect(anomaliesIn([undefined, ended('error', 1)])).toEqual([]);
  });

  it('are an answer that is lost: the newest version gives up where an older one answers', () => {
    expect(anomaliesIn([ended('unsat', 1), ended('unknown', 1)])).toEqual([{ kind: 'lost', version: 1 }]);
    expect(anomaliesIn([timedOut(100), ended('unknown', 1)])).toEqual([]);
  });

  it('are a long run where an older version gave up at once: never a slowdown, and worth a look', () => {
    const unanswered = [{ kind: 'unanswered', version: 1 }];
    expect(anomaliesIn([ended('unknown', 5), timedOut(2000)])).toEqual(unanswered);
    expect(anomaliesIn([ended('unknown', 5), ended('sat', 900)])).toEqual(unanswered);
    // Below the threshold it is as quick as the other.
    expect(anomaliesIn([ended('unknown', 5), ended('sat', 100)])).toEqual([]);
    // Where another of the older ones answers quickly, it is a slowdown.
    expect(anomaliesIn([ended('unknown', 5), ended('sat', 9), timedOut(2000)])).toEqual([]);
    // Where it only waited for the machine, nothing is known.
    expect(anomaliesIn([ended('unknown', 5), { ...timedOut(2000), cpuMs: 10 }])).toEqual([]);
  });

  it('come with the disagreement first', () => {
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
