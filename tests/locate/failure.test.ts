import { describe, expect, it } from 'vitest';
import { type FailureKind, Judge } from '../../src/locate/failure.js';
import { Fault } from '../../src/machine/index.js';
import type { Run } from '../../src/solver/index.js';
import { ended, formulaOf, simulatedVersion, timedOut } from '../simulated/solver.js';

const formula = formulaOf('(assert (= x "a"))');
const { signal } = new AbortController();

/** A judge whose references give these results, in order. */
function judgeBeside(...references: readonly Run[]): Judge {
  const versions = references.map((_, at) => simulatedVersion(`right${at}`));
  const version = simulatedVersion('wrong');
  const run = async ({ version: asked }: { readonly version: { readonly name: string } }): Promise<Run> =>
    references[versions.findIndex(({ name }) => name === asked.name)] ?? ended('sat', 10);
  const limits = { wallMs: 1000 };
  return new Judge({ run, close: async () => {} }, { version, references: versions, limits, quickMs: 500 });
}

const [sat, unsat, unknown] = [ended('sat', 10), ended('unsat', 10), ended('unknown', 10)];

const checked = (run: Run): Run => ({ ...run, failedCheck: { message: 'Failed to verify: x' } });

describe('Judge.failureOf', () => {
  it.each<[string, Run, readonly Run[], FailureKind]>([
    ['an answer that a reference contradicts', unsat, [sat], 'verdict'],
    [
      'an answer that the second reference contradicts after the first gave up',
      unsat,
      [unknown, sat],
      'verdict',
    ],
    ['a crash', ended('crash', 10), [], 'crash'],
    ['an error message', ended('error', 10), [sat], 'error'],
    ['a failed assertion, whatever the answer', checked(sat), [], 'assertion'],
    ['an unsupported command', { ...ended('error', 10), outcome: 'unsupported' } as Run, [sat], 'error'],
    ['a timeout on a formula that a reference answers', timedOut(1000), [sat], 'slow'],
  ])('classifies %s', async (_, own, references, kind) => {
    const failure = await judgeBeside(...references).failureOf(formula, own, signal);
    expect(failure).toMatchObject({ kind });
  });

  it.each<[string, Run, readonly Run[], string]>([
    [
      'both answers are equal',
      sat,
      [sat],
      'wrong does not fail on the formula: it says sat, and right0 says sat',
    ],
    ['there is no reference', unsat, [], 'name a solver with the right answer'],
    ['no reference answers', unsat, [unknown, timedOut(1000)], 'none of right0, right1 answers the formula'],
  ])('returns a fault if %s', async (_, own, references, says) => {
    const failure = await judgeBeside(...references).failureOf(formula, own, signal);
    expect(failure).toBeInstanceOf(Fault);
    expect((failure as Fault).message).toContain(says);
  });
});

describe('Judge.judge', () => {
  const judged = (kind: FailureKind, own: Run, ...references: readonly Run[]) =>
    judgeBeside(...references).judge({ kind, message: '' }, formula, own, signal);

  it('compares a wrong answer with the reference', async () => {
    expect(await judged('verdict', sat, sat)).toBe('passes');
    expect(await judged('verdict', unsat, sat)).toBe('fails');
    expect(await judged('verdict', unknown, sat)).toBe('unclear');
    expect(await judged('verdict', sat, unknown)).toBe('unclear');
    expect(await judged('verdict', ended('crash', 10), sat)).toBe('unclear');
  });

  it('recognizes a crash or an error without a reference, but still checks other answers', async () => {
    for (const kind of ['crash', 'error'] as const) {
      expect(await judged(kind, ended(kind, 10))).toBe('fails');
      expect(await judged(kind, sat)).toBe('passes');
      expect(await judged(kind, unknown)).toBe('passes');
      expect(await judged(kind, unsat, sat)).toBe('fails');
      expect(await judged(kind, timedOut(1000))).toBe('unclear');
    }
  });

  it('recognizes a failed assertion by its message', async () => {
    expect(await judged('assertion', checked(sat))).toBe('fails');
    expect(await judged('assertion', sat)).toBe('passes');
    expect(await judged('assertion', unknown)).toBe('passes');
    expect(await judged('assertion', unsat, sat)).toBe('fails');
    expect(await judged('assertion', ended('error', 10))).toBe('unclear');
  });

  it('judges a slow version by time', async () => {
    expect(await judged('slow', timedOut(1000), sat)).toBe('fails');
    expect(await judged('slow', timedOut(1000), unknown)).toBe('unclear');
    expect(await judged('slow', ended('sat', 100), sat)).toBe('passes');
    expect(await judged('slow', ended('sat', 800), sat)).toBe('unclear');
  });

  it('compares answers per check-sat command', async () => {
    const answers = (...all: readonly ('sat' | 'unsat' | 'unknown')[]): Run => ({
      ...sat,
      answers: [...all],
    });
    expect(await judged('verdict', answers('sat', 'unsat'), answers('sat', 'unsat'))).toBe('passes');
    expect(await judged('verdict', answers('unsat', 'sat'), answers('sat', 'sat'))).toBe('fails');
    expect(await judged('verdict', answers('sat'), answers('sat', 'sat'))).toBe('unclear');
    expect(await judged('verdict', answers('unknown', 'sat'), answers('sat', 'sat'))).toBe('unclear');
  });
});
