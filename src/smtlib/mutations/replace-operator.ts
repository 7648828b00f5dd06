import { type Grammar, type Production, shapeKey } from '../generating/grammar.js';
import type { ArgumentKind } from '../generating/vocabulary.js';
import { isLiteral, isNonzero } from '../sites/literal-terms.js';
import { replaceAt } from '../sites/replace-at.js';
import { askedAt } from '../sites/scope.js';
import { sitesOf } from '../sites/sites.js';
import type { Spot } from '../sites/spot.js';
import type { Application, Identifier, Term } from '../tree.js';
import { chooseSpot } from './choose.js';
import { grammarIn } from './ground.js';
import type { Rule } from './rule.js';

/** May the term stand where an operator asks for an argument of this kind? */
export function isOfKind(term: Term, kind: ArgumentKind): boolean {
  switch (kind) {
    case 'term':
      return true;
    case 'literal':
      return isLiteral(term);
    case 'nonzero':
      return isNonzero(term);
  }
}

export function isSameFunction(a: Identifier, b: Identifier): boolean {
  return (
    a.symbol === b.symbol &&
    a.indices.length === b.indices.length &&
    a.indices.every((one, i) => {
      const other = b.indices[i];
      return other !== undefined && 'text' in one && 'text' in other && one.text === other.text;
    })
  );
}

/** The operators that can stand over the arguments of a spot's application instead of its own. */
function alternatives(grammar: Grammar, spot: Spot): readonly Production[] {
  const { term } = spot;
  if (term.kind !== 'apply') return [];
  const parameters: number[] = [];
  for (const one of spot.below) {
    const number = grammar.numbers.get(one.key);
    if (number === undefined) return [];
    parameters.push(number);
  }
  const result = grammar.numbers.get(spot.key);
  const same = result === undefined ? undefined : grammar.byShape.get(shapeKey(parameters, result));
  return (
    same?.filter(
      (one) =>
        !isSameFunction(one.fn, term.fn) &&
        one.kinds.every((kind, i) => isOfKind(term.args[i] as Term, kind)),
    ) ?? []
  );
}

/** MulStringFuzz's "replace type" (section III.E). */
export const replaceOperator: Rule = {
  says: 'puts another operator of the same type over the same arguments',
  apply(script, random, options = {}) {
    const sites = sitesOf(script);
    if (sites === undefined) return undefined;
    const grammar = grammarIn(sites, options);
    const place = chooseSpot(
      sites,
      random,
      ({ spot }) =>
        spot.term.kind === 'apply' && alternatives(grammar, spot).length > 0 && askedAt(spot) === 'term',
    );
    if (place === undefined) return undefined;
    const { fn } = random.pick(alternatives(grammar, place.spot));
    return replaceAt(script, place, { kind: 'apply', fn, args: (place.spot.term as Application).args });
  },
};
