import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Busy,
  busyWith,
  groupByKind,
  type Kind,
  KnownKinds,
  kindKey,
  kindOf,
  tellingOperators,
} from '../../src/hunt/kind.js';
import type { Script } from '../../src/smtlib/index.js';
import { type Runs, slowdownIn } from '../../src/solver/index.js';
import { ended, formulaOf, slowness, timedOut } from '../simulated/solver.js';

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

  it('is the first of its counters', () => {
    expect(busy({ 'seq-add-axiom': 15912, 'seq-num-reductions': 14842 })).toEqual({
      counter: 'seq-add-axiom',
      isAlone: false,
    });
    expect(busy({ 'seq-branch': 930, 'seq-num-reductions': 2252 })?.counter).toBe('seq-branch');
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

describe('slowdowns grouped by kind', () => {
  const grouped = (...kinds: readonly Kind[]) =>
    groupByKind(kinds, (kind) => kind).map((group) => group.items);

  it('join where one needs all operators of another and more', () => {
    expect(grouped(kind('a b c'), kind('a d'), kind('d e'), kind('a'))).toEqual([
      [kind('a b c'), kind('a d'), kind('a')],
      [kind('d e')],
    ]);
    expect(grouped(kind('a b'), kind('b c'), kind('a b c'))).toEqual([
      [kind('a b'), kind('a b c')],
      [kind('b c')],
    ]);
  });

  it('are not told apart by what holds formulas together, unless there is nothing else', () => {
    expect(grouped(kind('< a'), kind('a str.++'), kind('< b'))).toHaveLength(2);
    expect(grouped(kind('< str.++'), kind('<'))).toHaveLength(1);
  });

  it('stay apart where they began at different versions or the answer is another', () => {
    expect(grouped(kind('a'), kind('a', 'unsat'), kind('a', 'sat', 2))).toHaveLength(3);
  });

  const only = (counter: string): Busy => ({ counter, isAlone: true });
  const mostly = (counter: string): Busy => ({ counter, isAlone: false });

  it('join where the solver goes round in one loop, whatever the operators and the answer', () => {
    const loops = [kind('a b'), kind('c', 'unsat'), kind('')].map((plain) => ({
      ...plain,
      busy: only('seq-branch'),
    }));
    const others = [{ ...kind('a'), busy: mostly('seq-branch') }, kind('a')];
    expect(grouped(...loops, ...others)).toEqual([loops, others]);
    expect(groupByKind(loops, (loop) => loop)).toMatchObject([{ loop: 'seq-branch', operators: ['a'] }]);
  });

  it('are known again by what makes known ones', () => {
    const known = new KnownKinds([
      { ...kind('a'), busy: only('seq-branch') },
      kind('b c'),
      kind('d', 'unsat'),
    ]);
    expect(known.holds({ ...kind('z'), busy: only('seq-branch') })).toBe(true);
    expect(known.holds({ ...kind('z'), busy: only('seq-add-axiom') })).toBe(false);
    expect(known.holds({ ...kind('a'), busy: mostly('seq-branch') })).toBe(false);
    expect(known.holds(kind('a b c d'))).toBe(true);
    expect(known.holds(kind('b d'))).toBe(false);
    expect(known.holds(kind('d', 'unsat'))).toBe(true);
    expect(known.isLikely(new Set(['d', 'x']))).toBe(true);
    expect(known.isLikely(new Set(['b', 'x']))).toBe(false);
    expect(known.sets).toEqual([['b', 'c'], ['d']]);
    expect(known.wellTrodden).toEqual([['b', 'c'], ['d'], ['a']]);
  });

  it('are no new ones where they are told by fewer operators than before', () => {
    const known = new KnownKinds([kind('a b c'), kind('d', 'unsat'), { ...kind('e f'), busy: only('x') }]);
    expect(known.isSharpenedBy(kind('a b'))).toBe(true);
    expect(known.isSharpenedBy(kind('a b c'))).toBe(true);
    expect(known.isSharpenedBy(kind('a d'))).toBe(false);
    expect(known.isSharpenedBy(kind('a', 'unsat'))).toBe(false);
    expect(known.isSharpenedBy(kind('e'))).toBe(false);
    expect(known.isSharpenedBy({ ...kind('a'), busy: only('x') })).toBe(false);
  });

  it('that lead into a loop are avoided by the smallest sets that were seen to', () => {
    const loop = (operators: string): Kind => ({ ...kind(operators), busy: only('x') });
    const known = new KnownKinds([loop('a'), loop('a b'), loop('b c')]);
    expect(known.wellTrodden).toEqual([['a'], ['b', 'c']]);
    expect(known.sets).toEqual([]);
  });

  it('of plain logic are a group of their own', () => {
    expect(grouped(kind(''), kind('a'), kind(''))).toEqual([[kind(''), kind('')], [kind('a')]]);
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
    .map((drawn) => ({ ...drawn, operators: drawn.operators.toSorted() }));

  it('are all in one group each, with those of the same kind', () => {
    fc.assert(
      fc.property(fc.array(anyKind), (kinds) => {
        const groups = grouped(...kinds);
        expect(groups.flat().map(kindKey).toSorted()).toEqual(kinds.map(kindKey).toSorted());
        for (const key of new Set(kinds.map(kindKey)))
          expect(groups.filter((group) => group.some((member) => kindKey(member) === key))).toHaveLength(1);
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
