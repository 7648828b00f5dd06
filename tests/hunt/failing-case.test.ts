import { describe, expect, it } from 'vitest';
import { decidedCase, failingCases, locationsOf } from '../../src/hunt/failing-case.js';
import type { AnomalyRecord } from '../../src/hunt/index.js';
import type { Run } from '../../src/solver/index.js';

const says = (answer: 'sat' | 'unsat'): Run => ({ outcome: answer, answers: [answer], wallMs: 1 });
const crash: Run = { outcome: 'crash', signal: 'SIGSEGV', answers: [], wallMs: 1 };
const late: Run = { outcome: 'timeout', answers: [], wallMs: 1 };

let id = 0;
function anomaly(
  kind: AnomalyRecord['kind'],
  runs: readonly Run[],
  text = 'a formula',
  claim?: number,
): AnomalyRecord {
  const wrong = claim === undefined ? undefined : { version: claim, model: '', refutedBy: [] };
  return { id: ++id, kind, atMs: 0, text, runs, claim: wrong };
}

/** The relevant fields of cases. */
function told(anomalies: readonly AnomalyRecord[]) {
  return failingCases(anomalies).map(({ anomaly: { kind, text }, version, isAssumed, references }) => ({
    ...{ kind, text, version, isAssumed, references },
  }));
}

describe('failingCases', () => {
  it('selects the smallest formula of each kind on each failing version', () => {
    const found = told([
      anomaly('crash', [says('sat'), crash], 'longer'),
      anomaly('crash', [says('sat'), crash], 'short'),
      anomaly('crash', [crash, says('sat')], 'another'),
      anomaly('lost', [says('sat'), late]),
      anomaly('memout', [says('sat'), { outcome: 'memout', answers: [], wallMs: 1 }]),
    ]);
    expect(found).toEqual([
      { kind: 'crash', text: 'short', version: 1, isAssumed: false, references: [0] },
      { kind: 'crash', text: 'another', version: 0, isAssumed: false, references: [1] },
    ]);
  });

  it('selects three cases at most', () => {
    const runs = [crash, crash, crash, crash, says('sat')];
    expect(told([anomaly('crash', runs)])).toHaveLength(3);
  });

  it('prefers references that answer, and excludes versions that fail too', () => {
    const [found] = told([anomaly('crash', [says('sat'), late, crash, crash, says('unsat')])]);
    expect(found?.references).toEqual([4, 0, 1]);
  });

  it('assumes that the newest version of a disagreement is wrong, and marks this as an assumption', () => {
    expect(told([anomaly('disagreement', [says('sat'), says('unsat'), says('sat')])])).toMatchObject([
      { version: 2, isAssumed: true, references: [1] },
    ]);
    // A version without an answer is on no side.
    expect(told([anomaly('disagreement', [says('sat'), says('unsat'), late])])).toMatchObject([
      { version: 1, isAssumed: true, references: [0, 2] },
    ]);
  });

  it('lists a disagreement once, with the version that a wrong model identifies', () => {
    const runs = [says('sat'), says('unsat')];
    const assumed = anomaly('disagreement', runs, 'x');
    const shown = [anomaly('disagreement', runs, 'longer'), anomaly('wrong-model', runs, 'longer', 0)];
    expect(told([assumed, ...shown])).toMatchObject([
      { kind: 'disagreement', text: 'x', version: 1, isAssumed: true },
      { kind: 'disagreement', text: 'longer', version: 0, isAssumed: false, references: [1] },
    ]);
  });

  it('decidedCase blames the unsat side once a model holds', () => {
    const [found] = failingCases([anomaly('disagreement', [says('unsat'), says('sat')])]);
    expect(found).toMatchObject({ version: 1, isAssumed: true });
    expect(found && decidedCase(found)).toMatchObject({ version: 0, isAssumed: false, references: [1] });
  });

  it('returns nothing for a contradictory journal', () => {
    expect(told([anomaly('disagreement', []), anomaly('crash', []), anomaly('wrong-model', [])])).toEqual([]);
    expect(told([anomaly('disagreement', [late]), anomaly('wrong-model', [late], 'x', 4)])).toMatchObject([
      { kind: 'wrong-model', version: 4 },
    ]);
  });

  it('locationsOf keeps a larger formula’s result until a smaller one has its own', () => {
    const [large, small] = [
      anomaly('crash', [says('sat'), crash], 'a large one'),
      anomaly('crash', [says('sat'), crash], 'small'),
    ];
    const located = (about: AnomalyRecord, message: string) => ({
      ...{ event: 'located' as const, at: 1, oddity: about.id, version: 1, isAssumed: false, on: 'z3' },
      result: { kind: 'fault' as const, message },
    });
    const first = located(large, 'first');
    expect(locationsOf([large, small], [])).toMatchObject([{ anomaly: small, result: undefined }]);
    expect(locationsOf([large, small], [first])).toMatchObject([
      { anomaly: large, result: { message: 'first' } },
    ]);
    expect(locationsOf([large, small], [first, located(small, 'second')])).toMatchObject([
      { anomaly: small, result: { message: 'second' } },
    ]);
  });
});
