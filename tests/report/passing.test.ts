import { expect, it } from 'vitest';
import { caseId } from '../../src/campaign/index.js';
import type { Culprit } from '../../src/history/index.js';
import { blamedCommits } from '../../src/report/bisection/bisection.js';
import { passingCulprits } from '../../src/report/bisection/passing.js';

/** A step of a case from one commit to the next that was looked at. */
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

it('tells what was undone at once from what lasts', () => {
  const passing = passingCulprits([lasting, ...dip]);
  expect([lasting, ...dip].map((culprit) => passing.get(culprit))).toEqual([
    undefined,
    'at this commit only',
    'as before that',
  ]);
});

it('takes steps for lasting that are another case’s, further apart, or lead somewhere else', () => {
  expect(passingCulprits([dip[0], { ...dip[1], case: caseId(1) }]).size).toBe(0);
  expect(passingCulprits([dip[0], { ...dip[1], before: 'w' }]).size).toBe(0);
  expect(passingCulprits([dip[0], { ...dip[1], afterLevel: 300 }]).size).toBe(0);
  expect(passingCulprits([lasting, step(0, 'b', 'c', 1000, 3000)]).size).toBe(0);
});

it('blames what lasts first, however many cases pass', () => {
  const others = dip.map((culprit) => ({ ...culprit, case: caseId(1) }));
  expect(blamedCommits([...dip, ...others, lasting]).map(([commit]) => commit)[0]).toBe('b');
});
