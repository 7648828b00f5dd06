import { describe, expect, it } from 'vitest';
import { type FailureKind, Judge } from '../../src/locate/failure.js';
import { Fault } from '../../src/machine/index.js';
import type { Run } from '../../src/solver/index.js';
import { ended, formulaOf, simulatedVersion, timedOut } from '../simulated/solver.js';

const formula = formulaOf('(assert (= x "a"))');
const { signal } = new AbortController();

/** A judge whose references answer like this, in order. */
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

describe('what is wrong with a run', () => {
  it.each<[string, Run, readonly Run[], FailureKind]>([
    ['a verdict that another denies', unsat, [sat], 'verdict'],
    ['one that the second denies where the first gives up', unsat, [unknown, sat], 'verdict'],
    ['a crash', ended('crash', 10), [], 'crash'],
    ['a complaint', ended('error', 10), [sat], 'error'],
    ['a check of its own that failed, whatever it answers', checked(sat), [], 'assertion'],
    ['something it cannot do', { ...ended('error', 10), outcome: 'unsupported' } as Run, [sat], 'error'],
    ['a formula that another answers in time', timedOut(1000), [sat], 'slow'],
  ])('is %s', async (_, own, references, kind) => {
    const failure = await judgeBeside(...references).failureOf(formula, own, signal);
    expect(failure).toMatchObject({ kind });
  });

  it.each<[string, Run, readonly Run[], string]>([
    ['both say the same', sat, [sat], 'wrong does not fail on the formula: it says sat, and right0 says sat'],
    ['nobody is there to tell', unsat, [], 'name a solver that is right'],
    ['nobody answers', unsat, [unknown, timedOut(1000)], 'none of right0, right1 answers the formula'],
  ])('is nothing that can be told where %s', async (_, own, references, says) => {
    const failure = await judgeBeside(...references).failureOf(formula, own, signal);
    expect(failure).toBeInstanceOf(Fault);
    expect((failure as Fault).message).toContain(says);
  });
});

describe('whether another formula fails in the same way', () => {
  const judged = (kind: FailureKind, own: Run, ...references: readonly Run[]) =>
    judgeBeside(...references).judge({ kind, says: '' }, formula, own, signal);

  it('is told by the reference where the verdict is wrong', async () => {
    expect(await judged('verdict', sat, sat)).toBe('passes');
    expect(await judged('verdict', unsat, sat)).toBe('fails');
    expect(await judged('verdict', unknown, sat)).toBe('unclear');
    expect(await judged('verdict', sat, unknown)).toBe('unclear');
    expect(await judged('verdict', ended('crash', 10), sat)).toBe('unclear');
  });

  it('is told by itself where it crashes or complains, unless it is wrong for all that', async () => {
    for (const kind of ['crash', 'error'] as const) {
      expect(await judged(kind, ended(kind, 10))).toBe('fails');
      expect(await judged(kind, sat)).toBe('passes');
      expect(await judged(kind, unknown)).toBe('passes');
      expect(await judged(kind, unsat, sat)).toBe('fails');
      expect(await judged(kind, timedOut(1000))).toBe('unclear');
    }
  });

  it('is told by what it says where a check of its own failed', async () => {
    expect(await judged('assertion', checked(sat))).toBe('fails');
    expect(await judged('assertion', sat)).toBe('passes');
    expect(await judged('assertion', unknown)).toBe('passes');
    expect(await judged('assertion', unsat, sat)).toBe('fails');
    expect(await judged('assertion', ended('error', 10))).toBe('unclear');
  });

  it('is told by time where it is slow', async () => {
    expect(await judged('slow', timedOut(1000), sat)).toBe('fails');
    expect(await judged('slow', timedOut(1000), unknown)).toBe('unclear');
    expect(await judged('slow', ended('sat', 100), sat)).toBe('passes');
    expect(await judged('slow', ended('sat', 800), sat)).toBe('unclear');
  });

  it('is compared question by question', async () => {
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
