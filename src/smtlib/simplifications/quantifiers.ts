/** Quantifiers with fewer variables, down to none. */

import { symbolsOf } from '../occurrences/scope.js';
import type { Quantified, SortedName, Term } from '../tree.js';
import { type TermRule, whenItPays } from './rule.js';
import { substituted } from './substitute.js';
import { isValue, plainValues } from './values.js';

function over(term: Quantified, variables: readonly SortedName[], body: Term): Term {
  return variables.length === 0 ? body : { kind: term.kind, variables, body };
}

function isQuantifier(term: Term): term is Quantified {
  return term.kind === 'forall' || term.kind === 'exists';
}

export const deleteBoundVariables: TermRule = {
  says: 'a quantifier loses variables its body does not use',
  terms(_, { node }) {
    const { term } = node;
    if (!isQuantifier(term)) return [];
    return whenItPays(node, () => {
      const used = symbolsOf(term.body);
      const kept = term.variables.filter((variable) => used.has(variable.name));
      return kept.length === term.variables.length ? undefined : over(term, kept, term.body);
    });
  },
};

export const instantiateQuantifier: TermRule = {
  says: 'a variable of a quantifier is replaced by a plain value',
  terms({ script }, { node }) {
    const { term } = node;
    if (!isQuantifier(term)) return [];
    return term.variables.flatMap((variable, at) =>
      plainValues(variable.sort, script)
        .filter(isValue)
        .flatMap((value) =>
          whenItPays(node, () => {
            const body = substituted(term.body, new Map([[variable.name, value]]));
            return body && over(term, term.variables.toSpliced(at, 1), body);
          }),
        ),
    );
  },
};
