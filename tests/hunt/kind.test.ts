import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Blame,
  type Busy,
  busyWith,
  groupByBlame,
  type Kind,
  kindKey,
  kindOf,
  tellingOperators,
} from '../../src/hunt/kind.js';
import type { Script } from '../../src/smtlib/tree.js';
import { type Runs, slowdownIn } from '../../src/solver/slowness.js';
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

describe('what a solver is busy with', () => {
  const busy = (work: Readonly<Record<string, number>> | undefined) =>
    busyWith([ended('sat', 10), { ...timedOut(2000), ...(work === undefined ? {} : { work }) }]);

  it('is the highest of its counters', () => {
    expect(busy({ 'seq-add-axiom': 15912, 'seq-num-reductions': 14842 })).toEqual({
      counter: 'seq-add-axiom',
      isAlone: false,
    });
    expect(busy({ 'seq-num-reductions': 7, 'seq-add-axiom': 7 })?.counter).toBe('seq-add-axiom');
  });

  it('is a loop where nothing else comes near', () => {
    expect(busy({ 'seq-branch': 27974, 'seq-add-axiom': 51 })).toEqual({
      counter: 'seq-branch',
      isAlone: true,
    });
    expect(busy({ 'seq-branch': 3 })?.isAlone).toBe(true);
  });

  it('is not known of a solver that does not tell', () => {
    expect(busy(undefined)).toBeUndefined();
    expect(busy({})).toBeUndefined();
  });
});

describe('slowdowns grouped by what they are blamed on', () => {
  const grouped = (...kinds: readonly Kind[]) =>
    groupByBlame(kinds, (one) => one).map((group) => group.items);
  const blamed = (...kinds: readonly Kind[]) => [...new Blame(kinds).operators];

  it('join where they share an operator, the most shared first', () => {
    expect(grouped(kind('a b c'), kind('a d'), kind('d e'), kind('a'))).toEqual([
      [kind('a b c'), kind('a d'), kind('a')],
      [kind('d e')],
    ]);
    expect(blamed(kind('a b c'), kind('a d'), kind('d e'), kind('a'))).toEqual(['a', 'd']);
  });

  it('are not blamed on what holds formulas together, unless there is nothing else', () => {
    expect(blamed(kind('< a'), kind('< b'), kind('< c'))).toEqual(['a', 'b', 'c']);
    expect(blamed(kind('< str.++'), kind('<'))).toEqual(['<']);
  });

  it('stay apart where they began at different versions, whatever the answer', () => {
    expect(grouped(kind('a'), kind('a', 'unsat'), kind('a', 'sat', 2))).toHaveLength(2);
  });

  const only = (counter: string): Busy => ({ counter, isAlone: true });
  const mostly = (counter: string): Busy => ({ counter, isAlone: false });

  it('stay apart where the solver is busy with different things', () => {
    const [branching, reducing] = [kind('a'), kind('a')].map((one, at) => ({
      ...one,
      busy: mostly(at === 0 ? 'seq-branch' : 'seq-num-reductions'),
    })) as [Kind, Kind];
    expect(grouped(branching, reducing, kind('a'))).toEqual([[branching], [reducing], [kind('a')]]);
  });

  it('join where the solver goes round in one loop, whatever the operators', () => {
    const loops = [kind('a b'), kind('c'), kind('')].map((one) => ({ ...one, busy: only('seq-branch') }));
    const other = { ...kind('a'), busy: mostly('seq-branch') };
    expect(grouped(...loops, other)).toEqual([loops, [other]]);
  });

  it('are covered by what known ones are blamed on', () => {
    const known = new Blame([
      { ...kind('a'), busy: only('seq-branch') },
      { ...kind('b c'), busy: mostly('seq-add-axiom') },
      kind('d'),
    ]);
    expect(known.covers(['z'], only('seq-branch'))).toBe(true);
    expect(known.covers([], only('seq-branch'))).toBe(true);
    expect(known.covers(['a'], mostly('seq-branch'))).toBe(false);
    expect(known.covers(['b'], mostly('seq-add-axiom'))).toBe(true);
    expect(known.covers(['z'], mostly('seq-add-axiom'))).toBe(false);
    expect(known.covers(['d', 'z'], undefined)).toBe(true);
    expect(known.covers(['b'], undefined)).toBe(false);
  });

  it('of plain logic are a group of their own', () => {
    expect(grouped(kind(''), kind('a'), kind(''))).toEqual([[kind('a')], [kind(''), kind('')]]);
  });

  const anyKind = fc
    .record({
      answer: fc.constantFrom('sat', 'unsat'),
      operators: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 }),
      since: fc.integer({ min: 1, max: 2 }),
      busy: fc.option(fc.record({ counter: fc.constantFrom('x', 'y'), isAlone: fc.boolean() }), {
        nil: undefined,
      }),
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
