import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { covers, groupByKind, type Kind, kindKey, kindOf, tellingOperators } from '../../src/hunt/kind.js';
import { type Runs, slowdownIn } from '../../src/hunt/slowness.js';
import type { Script } from '../../src/smtlib/tree.js';
import { ended, formulaOf, slowness, timedOut } from './simulated.js';

const kind = (operators: string, answer = 'sat', since = 1): Kind => ({
  answer,
  operators: operators.split(' ').filter((one) => one !== ''),
  since,
});

const kindIn = (formula: Script, runs: Runs): Kind | undefined => {
  const slowdown = slowdownIn(runs, slowness);
  return slowdown === undefined ? undefined : kindOf(formula, runs, slowdown, slowness);
};

describe('the operators that tell something', () => {
  it('are not those every formula has', () => {
    const formula = formulaOf('(assert (and (not (= (str.len x) 3)) (or (= x "a") (distinct x "b"))))');
    expect([...tellingOperators(formula)]).toEqual(['str.len']);
  });

  it('are the same where solvers turn one into the other', () => {
    for (const comparison of ['<', '<=', '>', '>='])
      expect([...tellingOperators(formulaOf(`(assert (${comparison} (str.len x) 3))`))].toSorted()).toEqual([
        '<',
        'str.len',
      ]);
  });
});

describe('the kind of a slowdown', () => {
  const formula = formulaOf('(assert (< (str.len (str.replace x "a" "b")) 3))');

  it('is what the quick version answers and the operators in order', () => {
    expect(kindIn(formula, [ended('unsat', 10), timedOut(2000)])).toEqual(
      kind('< str.len str.replace', 'unsat'),
    );
  });

  it('knows since which of three versions it is slow', () => {
    const [quick, slow] = [ended('sat', 10), ended('sat', 900)];
    expect(kindIn(formula, [quick, slow, slow])?.since).toBe(1);
    expect(kindIn(formula, [quick, timedOut(2000), slow])?.since).toBe(1);
    expect(kindIn(formula, [quick, quick, slow])?.since).toBe(2);
    // It was slow once, was mended, and is slow again.
    expect(kindIn(formula, [slow, quick, slow])?.since).toBe(2);
    expect(kindIn(formula, [quick, undefined, slow])?.since).toBe(1);
  });
});

describe('a kind covers a slowdown', () => {
  it('with the same answer and at least its operators', () => {
    expect(covers(kind('a b'), 'sat', new Set(['a', 'b', 'c']))).toBe(true);
    expect(covers(kind('a b'), 'sat', new Set(['a', 'b']))).toBe(true);
    expect(covers(kind('a b'), 'sat', new Set(['a', 'c']))).toBe(false);
    expect(covers(kind('a b'), 'unsat', new Set(['a', 'b']))).toBe(false);
  });

  it('without operators only if that one has none either', () => {
    expect(covers(kind(''), 'sat', new Set(['a']))).toBe(false);
    expect(covers(kind(''), 'sat', new Set())).toBe(true);
  });
});

describe('slowdowns grouped by kind', () => {
  const grouped = (...kinds: readonly Kind[]) => groupByKind(kinds, (one) => one);

  it('join where one has the operators of another and some more, the smallest leading', () => {
    expect(grouped(kind('a b c'), kind('a b'), kind('d'))).toEqual([
      [kind('d')],
      [kind('a b'), kind('a b c')],
    ]);
  });

  it('stay apart where their answers or beginnings differ', () => {
    expect(grouped(kind('a'), kind('a', 'unsat'), kind('a', 'sat', 2))).toHaveLength(3);
    expect(grouped(kind('a'), kind('a b', 'unsat'), kind('a b', 'sat', 2))).toHaveLength(3);
  });

  it('stay apart where neither has all the operators of the other', () => {
    expect(grouped(kind('a b'), kind('b c'), kind('c a'))).toHaveLength(3);
  });

  const anyKind = fc
    .record({
      answer: fc.constantFrom('sat', 'unsat'),
      operators: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 }),
      since: fc.integer({ min: 1, max: 2 }),
    })
    .map((one) => ({ ...one, operators: one.operators.toSorted() }));

  it('are all in one group each, with those of the same kind', () => {
    fc.assert(
      fc.property(fc.array(anyKind), (kinds) => {
        const groups = grouped(...kinds);
        expect(groups.flat().map(kindKey).toSorted()).toEqual(kinds.map(kindKey).toSorted());
        for (const key of new Set(kinds.map(kindKey)))
          expect(groups.filter((group) => group.some((one) => kindKey(one) === key))).toHaveLength(1);
      }),
    );
  });

  it('are as many groups in whatever order they were found', () => {
    fc.assert(
      fc.property(
        fc
          .array(anyKind)
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([kinds, shuffled]) => {
          expect(grouped(...shuffled)).toHaveLength(grouped(...kinds).length);
        },
      ),
    );
  });
});
