/** Rules that remove quantified variables. */

import type { Occurrences } from '../occurrences/occurrences.js';
import { symbolsOf } from '../occurrences/scope.js';
import type { Occurrence } from '../occurrences/term-node.js';
import { sortKey } from '../printing/sort-key.js';
import { name, type Quantified, type SortedName, type Term } from '../tree.js';
import { type TermRule, whenItPays } from './rule.js';
import { substituted } from './substitute.js';
import { usableAt } from './terms.js';
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

/** Constants to try for one variable. */
const mostConstants = 2;

function constantsOf(
  occurrences: Occurrences,
  occurrence: Occurrence,
  { sort }: SortedName,
): readonly Term[] {
  const isUsable = usableAt(occurrences, occurrence, sortKey(sort));
  return occurrences.declarations.constants
    .filter(isUsable)
    .slice(0, mostConstants)
    .map((declared) => name(declared.name));
}

export const instantiateQuantifier: TermRule = {
  says: 'a variable of a quantifier is replaced by a plain value or a constant',
  terms(occurrences, occurrence) {
    const { node } = occurrence;
    const { term } = node;
    if (!isQuantifier(term)) return [];
    return term.variables.flatMap((variable, at) =>
      [
        ...plainValues(variable.sort, occurrences.script).filter(isValue),
        ...constantsOf(occurrences, occurrence, variable),
      ].flatMap((value) =>
        whenItPays(node, () => {
          const body = substituted(term.body, new Map([[variable.name, value]]));
          return body && over(term, term.variables.toSpliced(at, 1), body);
        }),
      ),
    );
  },
};
