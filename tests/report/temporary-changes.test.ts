import { expect, it } from 'vitest';
import { caseId } from '../../src/campaign/index.js';
import type { Culprit } from '../../src/history/index.js';
import { culpritsByCommit } from '../../src/report/bisection/bisection.js';
import { temporaryChanges } from '../../src/report/bisection/temporary-changes.js';

/** A step of a case from one tested commit to the next. */
function step(at: number, before: string, commit: string, from: number, to: number): Culprit {
  return {
    case: caseId(at),
    commit,
    before,
    others: [],
    direction: to > from ? 'slower' : 'quicker',
    beforeLevel: from,
    afterLevel: to,
    isVerified: true,
  };
}

const lasting = step(0, 'a', 'b', 10, 1000);
const dip = [step(0, 'x', 'y', 1000, 20), step(0, 'y', 'z', 20, 1000)] as const;

it('temporaryChanges separates reverted changes from lasting ones', () => {
  const passing = temporaryChanges([lasting, ...dip]);
  expect([lasting, ...dip].map((culprit) => passing.get(culprit))).toEqual([
    undefined,
    'at this commit only',
    'back to the level before it',
  ]);
});

it('temporaryChanges ignores steps of another case, at other commits, or to another level', () => {
  expect(temporaryChanges([dip[0], { ...dip[1], case: caseId(1) }]).size).toBe(0);
  expect(temporaryChanges([dip[0], { ...dip[1], before: 'w' }]).size).toBe(0);
  expect(temporaryChanges([dip[0], { ...dip[1], afterLevel: 300 }]).size).toBe(0);
  expect(temporaryChanges([lasting, step(0, 'b', 'c', 1000, 3000)]).size).toBe(0);
});

it('culpritsByCommit lists a lasting culprit before any number of temporary ones', () => {
  const others = dip.map((culprit) => ({ ...culprit, case: caseId(1) }));
  expect(culpritsByCommit([...dip, ...others, lasting]).map(([commit]) => commit)[0]).toBe('b');
});
