/** Rules that remove negations. */

import { constraintAt } from '../occurrences/scope.js';
import { apply, identifier, type Term } from '../tree.js';
import type { TermRule } from './rule.js';

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
  summary: 'replaces a negated relation by its opposite, such as (not (< a b)) by (>= a b)',
  terms(_, { node }) {
    const { term } = node;
    if (term.kind !== 'apply' || term.fn.symbol !== 'not' || constraintAt(node) !== 'term') return [];
    const [inner] = term.args;
    if (inner?.kind !== 'apply' || inner.args.length !== 2 || inner.fn.indices.length > 0) return [];
    const opposite = opposites.get(inner.fn.symbol);
    return opposite === undefined ? [] : [apply(identifier(opposite), ...inner.args)];
  },
};

export const dropTruthValue: TermRule = {
  summary: 'replaces an equation with true or false by its other side or the negation of it',
  terms(_, { node }) {
    const { term } = node;
    if (term.kind !== 'apply' || term.args.length !== 2 || constraintAt(node) !== 'term') return [];
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
