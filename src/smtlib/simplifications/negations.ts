/** Rules that remove negations. */

import { askedAt } from '../occurrences/scope.js';
import { apply, identifier, type Term } from '../tree.js';
import type { TermRule } from './rule.js';

/** Relations and their negations. */
const opposites: ReadonlyMap<string, string> = new Map(
  [
    ['=', 'distinct'],
    ['<', '>='],
    ['<=', '>'],
    ['bvult', 'bvuge'],
    ['bvule', 'bvugt'],
    ['bvslt', 'bvsge'],
    ['bvsle', 'bvsgt'],
  ].flatMap(([one = '', other = '']): [string, string][] => [
    [one, other],
    [other, one],
  ]),
);

export const negateRelation: TermRule = {
  says: 'a negated relation becomes the opposite one, as (not (< a b)) does (>= a b)',
  terms(_, { node }) {
    const { term } = node;
    if (term.kind !== 'apply' || term.fn.symbol !== 'not' || askedAt(node) !== 'term') return [];
    const [inner] = term.args;
    if (inner?.kind !== 'apply' || inner.args.length !== 2 || inner.fn.indices.length > 0) return [];
    const opposite = opposites.get(inner.fn.symbol);
    return opposite === undefined ? [] : [apply(identifier(opposite), ...inner.args)];
  },
};

export const dropTruthValue: TermRule = {
  says: 'an equation with a truth value becomes what it says of the other side',
  terms(_, { node }) {
    const { term } = node;
    if (term.kind !== 'apply' || term.args.length !== 2 || askedAt(node) !== 'term') return [];
    const isSame = term.fn.symbol === '=';
    if (!isSame && term.fn.symbol !== 'xor' && term.fn.symbol !== 'distinct') return [];
    return [term.args, term.args.toReversed()].flatMap(([value, other]): Term[] => {
      if (value?.kind !== 'name' || other === undefined) return [];
      const { symbol } = value.id;
      if (symbol !== 'true' && symbol !== 'false') return [];
      return isSame === (symbol === 'true') ? [other] : [apply(identifier('not'), other)];
    });
  },
};
