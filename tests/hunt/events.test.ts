import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formulaMark, parseEvent, runAsWritten } from '../../src/hunt/events.js';
import type { Run } from '../../src/solver/index.js';
import { ended, formulaOf, timedOut } from '../simulated/solver.js';

describe('runAsWritten', () => {
  it('keeps tenths of milliseconds, effort and answers only', () => {
    const run: Run = {
      ...ended('sat', 12.3456),
      cpuMs: 9.87,
      effort: 41,
      peakMemoryBytes: 1e6,
      model: '(define-fun x () Int 1)',
    };
    expect(runAsWritten(run)).toEqual({
      outcome: 'sat',
      wallMs: 12.3,
      cpuMs: 9.9,
      effort: 41,
      answers: ['sat'],
    });
  });

  it('keeps the signal of a crash and the beginning of an error message', () => {
    expect(runAsWritten(ended('crash', 1))).toMatchObject({ outcome: 'crash', signal: 'SIGSEGV' });
    const flood = { outcome: 'error', wallMs: 1, answers: [], message: 'x'.repeat(100_000) } as const;
    expect(runAsWritten(flood)).toMatchObject({ outcome: 'error', message: 'x'.repeat(200) });
  });

  it('survives a round trip unchanged', () => {
    const run = fc.oneof(
      fc.double({ min: 0, max: 1e6, noNaN: true }).map((ms) => timedOut(ms)),
      fc.double({ min: 0, max: 1e6, noNaN: true }).map((ms) => ({ ...ended('unsat', ms), cpuMs: ms / 3 })),
      fc.string().map((message): Run => ({ outcome: 'error', wallMs: 1, answers: [], message })),
    );
    fc.assert(
      fc.property(run, (measured) => {
        const runs = [runAsWritten(measured), null];
        const event = { event: 'tried', at: 1, lane: 0, formula: 'abc', runs };
        expect(parseEvent(JSON.parse(JSON.stringify(event)))).toEqual(event);
        expect(runAsWritten(runs[0] as Run)).toEqual(runs[0]);
      }),
    );
  });
});

describe('parseEvent', () => {
  it.each([
    undefined,
    null,
    7,
    {},
    { event: 'tried' },
    { event: 'feasted', at: 1 },
    { event: 'tried', at: '1', lane: 0, formula: '', runs: [] },
    { event: 'tried', at: 1, lane: 0, formula: '', runs: [{ outcome: 'perhaps', wallMs: 1, answers: [] }] },
  ])('rejects %j', (value) => {
    expect(parseEvent(value)).toBeUndefined();
  });

  it('formulaMark is equal for equal texts', () => {
    expect(formulaMark(formulaOf('(assert (= x "a"))'))).toBe(formulaMark(formulaOf('(assert  (= x "a") )')));
    expect(formulaMark(formulaOf('(assert (= x "a"))'))).not.toBe(
      formulaMark(formulaOf('(assert (= x "b"))')),
    );
    expect(formulaMark(formulaOf('(assert true)'))).toHaveLength(12);
  });
});
