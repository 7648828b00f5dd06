import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DominantCounter,
  dominantCounter,
  groupByKind,
  type Kind,
  KnownKinds,
  kindKey,
  kindOf,
  significantOperators,
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

describe('significantOperators', () => {
  it('excludes core-theory operators', () => {
    const formula = formulaOf('(assert (and (not (= (str.len x) 3)) (or (= x "a") (distinct x "b"))))');
    expect([...significantOperators(formula)]).toEqual(['str.len']);
  });

  it('unifies operators that solvers rewrite into one another', () => {
    for (const comparison of ['<', '<=', '>', '>='])
      expect(
        [...significantOperators(formulaOf(`(assert (${comparison} (str.len x) 3))`))].toSorted(),
      ).toEqual(['<', 'str.len']);
  });
});

describe('kindOf', () => {
  const formula = formulaOf('(assert (< (str.len (str.replace x "a" "b")) 3))');

  it('gives the fast version’s answer and the sorted operators', () => {
    expect(kindIn(formula, [ended('unsat', 10), timedOut(2000)])).toEqual(
      kind('< str.len str.replace', 'unsat'),
    );
  });

  it('gives the first of three versions that is slow', () => {
    const [quick, slow] = [ended('sat', 10), ended('sat', 900)];
    expect(kindIn(formula, [quick, slow, slow])?.since).toBe(1);
    expect(kindIn(formula, [quick, timedOut(2000), slow])?.since).toBe(1);
    expect(kindIn(formula, [quick, quick, slow])?.since).toBe(2);
    // Slow, then fixed, then slow again.
    expect(kindIn(formula, [slow, quick, slow])?.since).toBe(2);
    expect(kindIn(formula, [quick, undefined, slow])?.since).toBe(1);
  });
});

describe('dominantCounter', () => {
  const busy = (work: Readonly<Record<string, number>> | undefined) =>
    dominantCounter([ended('sat', 10), { ...timedOut(2000), ...(work === undefined ? {} : { work }) }]);

  it('gives the first counter', () => {
    expect(busy({ 'seq-add-axiom': 15912, 'seq-num-reductions': 14842 })).toEqual({
      counter: 'seq-add-axiom',
      isAlone: false,
    });
    expect(busy({ 'seq-branch': 930, 'seq-num-reductions': 2252 })?.counter).toBe('seq-branch');
  });

  it('reports a loop if no other counter comes close', () => {
    expect(busy({ 'seq-branch': 27974, 'seq-add-axiom': 51 })).toEqual({
      counter: 'seq-branch',
      isAlone: true,
    });
    expect(busy({ 'seq-branch': 3 })?.isAlone).toBe(true);
  });

  it('is undefined for a solver without counters', () => {
    expect(busy(undefined)).toBeUndefined();
    expect(busy({})).toBeUndefined();
  });
});

describe('groupByKind', () => {
  const grouped = (...kinds: readonly Kind[]) =>
    groupByKind(kinds, (kind) => kind).map((group) => group.items);

  it('joins kinds if one contains all operators of the other', () => {
    expect(grouped(kind('a b c'), kind('a d'), kind('d e'), kind('a'))).toEqual([
      [kind('a b c'), kind('a d'), kind('a')],
      [kind('d e')],
    ]);
    expect(grouped(kind('a b'), kind('b c'), kind('a b c'))).toEqual([
      [kind('a b'), kind('a b c')],
      [kind('b c')],
    ]);
  });

  it('ignores connecting operators unless there are no others', () => {
    expect(grouped(kind('< a'), kind('a str.++'), kind('< b'))).toHaveLength(2);
    expect(grouped(kind('< str.++'), kind('<'))).toHaveLength(1);
  });

  it('separates kinds by first slow version and by answer', () => {
    expect(grouped(kind('a'), kind('a', 'unsat'), kind('a', 'sat', 2))).toHaveLength(3);
  });

  const only = (counter: string): DominantCounter => ({ counter, isAlone: true });
  const mostly = (counter: string): DominantCounter => ({ counter, isAlone: false });

  it('joins kinds with the same loop, whatever the operators and the answer', () => {
    const loops = [kind('a b'), kind('c', 'unsat'), kind('')].map((plain) => ({
      ...plain,
      busy: only('seq-branch'),
    }));
    const others = [{ ...kind('a'), busy: mostly('seq-branch') }, kind('a')];
    expect(grouped(...loops, ...others)).toEqual([loops, others]);
    expect(groupByKind(loops, (loop) => loop)).toMatchObject([{ loop: 'seq-branch', operators: ['a'] }]);
  });

  it('recognizes known kinds by their groups', () => {
    const known = new KnownKinds([
      { ...kind('a'), busy: only('seq-branch') },
      kind('b c'),
      kind('d', 'unsat'),
    ]);
    expect(known.includes({ ...kind('z'), busy: only('seq-branch') })).toBe(true);
    expect(known.includes({ ...kind('z'), busy: only('seq-add-axiom') })).toBe(false);
    expect(known.includes({ ...kind('a'), busy: mostly('seq-branch') })).toBe(false);
    expect(known.includes(kind('a b c d'))).toBe(true);
    expect(known.includes(kind('b d'))).toBe(false);
    expect(known.includes(kind('d', 'unsat'))).toBe(true);
    expect(known.isLikely(new Set(['d', 'x']))).toBe(true);
    expect(known.isLikely(new Set(['b', 'x']))).toBe(false);
    expect(known.sets).toEqual([['b', 'c'], ['d']]);
    expect(known.avoidableSets).toEqual([['b', 'c'], ['d'], ['a']]);
  });

  it('does not count a known kind with fewer operators as new', () => {
    const known = new KnownKinds([kind('a b c'), kind('d', 'unsat'), { ...kind('e f'), busy: only('x') }]);
    expect(known.isRefinedBy(kind('a b'))).toBe(true);
    expect(known.isRefinedBy(kind('a b c'))).toBe(true);
    expect(known.isRefinedBy(kind('a d'))).toBe(false);
    expect(known.isRefinedBy(kind('a', 'unsat'))).toBe(false);
    expect(known.isRefinedBy(kind('e'))).toBe(false);
    expect(known.isRefinedBy({ ...kind('a'), busy: only('x') })).toBe(false);
  });

  it('avoids loops by the smallest operator sets that led into them', () => {
    const loop = (operators: string): Kind => ({ ...kind(operators), busy: only('x') });
    const known = new KnownKinds([loop('a'), loop('a b'), loop('b c')]);
    expect(known.avoidableSets).toEqual([['a'], ['b', 'c']]);
    expect(known.sets).toEqual([]);
  });

  it('keeps plain logic as a group of its own', () => {
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

  it('puts each item in one group, with all items of the same kind', () => {
    fc.assert(
      fc.property(fc.array(anyKind), (kinds) => {
        const groups = grouped(...kinds);
        expect(groups.flat().map(kindKey).toSorted()).toEqual(kinds.map(kindKey).toSorted());
        for (const key of new Set(kinds.map(kindKey)))
          expect(groups.filter((group) => group.some((member) => kindKey(member) === key))).toHaveLength(1);
      }),
    );
  });

  it('gives the same number of groups in any order', () => {
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
