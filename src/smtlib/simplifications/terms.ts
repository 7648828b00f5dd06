/** Terms replaced by smaller ones. */

import { askedAt, boundAt, canMove } from '../sites/scope.js';
import type { Sites } from '../sites/sites.js';
import type { Placed, Spot } from '../sites/spot.js';
import { apply, identifier, name, type Term } from '../tree.js';
import { chunks } from './chunks.js';
import { plainerThan } from './plainer-operators.js';
import type { TermRule } from './rule.js';
import { isValue, plainValues } from './values.js';

/** How many parts of a term are tried in its place. */
const mostParts = 8;

export const byPart: TermRule = {
  says: 'a term is replaced by one of its sort below it',
  terms(sites, place) {
    const { spot, command } = place;
    if (spot.below.length === 0 || askedAt(spot) !== 'term') return [];
    const parts: Spot[] = [];
    const todo = [...spot.below];
    for (let one = todo.shift(); one !== undefined && parts.length < mostParts; one = todo.shift()) {
      if (one.key === spot.key && canMove(sites, { command, spot: one }, place)) parts.push(one);
      else todo.push(...one.below);
    }
    return parts.map((part) => part.term);
  },
};

export const byValue: TermRule = {
  says: 'a term is replaced by a plain value of its sort',
  terms(sites, { spot }) {
    // A whole assertion that is true says nothing; one that is false says all.
    if (spot.parent === undefined || isValue(spot.term) || askedAt(spot) !== 'term') return [];
    const values = plainValues(spot.sort, sites.script);
    // A constructor without fields weighs as much as a variable.
    return spot.term.kind === 'name' ? values.filter(isValue) : values;
  },
};

export const byVariable: TermRule = {
  says: 'a term is replaced by a variable of its sort',
  terms(sites, place) {
    const { term } = place.spot;
    if (term.kind === 'name' || isValue(term) || askedAt(place.spot) !== 'term') return [];
    const variable = variableAt(sites, place);
    return variable === undefined ? [] : [variable];
  },
};

function variableAt(sites: Sites, place: Placed): Term | undefined {
  const bound = boundAt(sites, place);
  const moment = sites.moments[place.command] as number;
  const found = sites.declarations.constants.find(
    (one) =>
      one.constant?.key === place.spot.key && !bound.has(one.name) && one.from < moment && one.to >= moment,
  );
  return found === undefined ? undefined : name(found.name);
}

/** Operators that take any number of arguments, and how many they need. */
const associative: ReadonlySet<string> = new Set([
  ...['and', 'or', 'xor', '=>', '=', 'distinct', '+', '*', '-', '<', '<=', '>', '>='],
  ...['str.++', 'seq.++', 're.++', 're.union', 're.inter'],
  ...['bvand', 'bvor', 'bvadd', 'bvmul', 'bvxor'],
]);

export const fewerArguments: TermRule = {
  says: 'an operator that takes any number of arguments loses some',
  terms(_, { spot: { term } }) {
    if (term.kind !== 'apply' || !associative.has(term.fn.symbol)) return [];
    // A difference of one is a negation.
    const least = term.fn.symbol === '-' ? 1 : 2;
    const positions = term.args.map((_, at) => at);
    return chunks(positions)
      .filter((gone) => term.args.length - gone.length >= least)
      .map((gone) => ({ ...term, args: term.args.filter((_, at) => !gone.includes(at)) }));
  },
};

export const plainerOperator: TermRule = {
  says: 'an operator is replaced by a plainer one, such as str.replace_all by str.replace',
  terms(_, { spot }) {
    const { term } = spot;
    if (term.kind !== 'apply' || term.fn.indices.length > 0 || askedAt(spot) !== 'term') return [];
    const row = plainerThan(term.fn.symbol);
    if (row === undefined) return [];
    const args = row.keeps === undefined ? term.args : row.keeps.map((at) => term.args[at] as Term);
    return [apply(identifier(row.plainer), ...args)];
  },
};
