import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/locate/failure.js';
import {
  type Candidate,
  type TrialResult,
  witnessStrategies,
  witnessStrategyNames,
} from '../../src/locate/witnesses.js';
import { Random } from '../../src/machine/index.js';
import { checkScript, parseScript, printScript } from '../../src/smtlib/index.js';

const formula = parseScript(
  '(declare-const x Int) (declare-const y Int) (assert (< (+ x 1) y)) (assert (> (* 2 x) y)) (check-sat)',
);
const text = printScript(formula);

/** The candidates of a search whose results are given by `judge`. */
function followed(
  name: keyof typeof witnessStrategies,
  most: number,
  judge: (candidate: Candidate) => Judgement,
  seed = 1,
): readonly Candidate[] {
  const written = [{ text: '(check-sat)', change: 'empty.smt2' }];
  const { total: of, lane } = witnessStrategies[name]({ formula, written, most });
  const search = lane(Random.fromSeed(seed));
  const found: Candidate[] = [];
  for (let told: TrialResult | undefined; found.length < of; ) {
    const { value, done } = search.next(told);
    if (done || value === undefined) break;
    found.push(value);
    told = { judgement: judge(value), similarity: 1 / found.length };
  }
  return found;
}

const passes = (): Judgement => 'passes';

describe('witness strategies', () => {
  it.each(witnessStrategyNames)('%s generates well-sorted formulas, identical for equal seeds', (name) => {
    const found = followed(name, 30, passes);
    expect(found.length).toBeGreaterThan(0);
    for (const { text: other } of found) expect(checkScript(parseScript(other))).toBeUndefined();
    expect(followed(name, 30, passes)).toEqual(found);
  });

  it('enumeration tries each formula at one change once, without the original, up to the limit', () => {
    const all = followed('enumeration', 10_000, passes).map((candidate) => candidate.text);
    expect(new Set(all).size).toBe(all.length);
    expect(all).not.toContain(text);
    expect(followed('enumeration', 5, passes).map((candidate) => candidate.text)).toEqual(all.slice(0, 5));
  });

  it('nearest continues at two changes unless there are enough witnesses', () => {
    const near = followed('nearest', 10_000, passes);
    const once = new Set(followed('enumeration', 10_000, passes).map((candidate) => candidate.text));
    const isNear = ({ text: other, change }: Candidate) => once.has(other) || !change.includes('; ');
    expect(near.every(isNear)).toBe(true);
    expect(near.map((candidate) => candidate.change)).toContain('(assert (< (+ x 1) y)) to nothing');
    const far = followed('nearest', near.length + 40, () => 'fails');
    expect(far.slice(0, near.length)).toEqual(near);
    expect(far).toHaveLength(near.length + 40);
    expect(far.slice(near.length).some(isNear)).toBe(false);
    expect(new Set(far.map((candidate) => candidate.text)).size).toBe(far.length);
  });

  it('random changes a failing formula further, and restarts after a witness', () => {
    const once = new Set(followed('enumeration', 10_000, passes).map((candidate) => candidate.text));
    const near = followed('random', 40, passes).filter((candidate) => once.has(candidate.text));
    expect(near).toHaveLength(40);
    const far = followed('random', 40, () => 'fails').filter((candidate) => !once.has(candidate.text));
    expect(far.length).toBeGreaterThan(10);
  });

  it('genetic breeds rules that led to witnesses', () => {
    const isNegated = ({ change }: Candidate): boolean => change.includes('(> (* 2 x) y) to (<');
    const found = followed('genetic', 200, (candidate) => (isNegated(candidate) ? 'passes' : 'fails'));
    const share = (some: readonly Candidate[]): number => some.filter(isNegated).length / some.length;
    expect(share(found.slice(100))).toBeGreaterThan(2 * share(found.slice(0, 20)));
  });

  it('markov-chain prefers changes that led to witnesses', () => {
    const isConstant = ({ change }: Candidate): boolean => /^\(?-? ?\d+\)? to/.test(change);
    const shareOf = (name: 'random' | 'markov-chain'): number => {
      const found = followed(name, 400, (candidate) => (isConstant(candidate) ? 'passes' : 'unclear'));
      return found.filter(isConstant).length / found.length;
    };
    expect(shareOf('markov-chain')).toBeGreaterThan(1.3 * shareOf('random'));
  });
});
