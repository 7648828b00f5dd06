/** Rules that remove quantified variables. */

import type { Occurrences } from '../occurrences/occurrences.js';
import { symbolsOf } from '../occurrences/scope.js';
import type { Occurrence } from '../occurrences/term-node.js';
import { sortKey } from '../printing/sort-key.js';
import { name, type Quantified, type SortedName, type Term } from '../tree.js';
import { buildIfCheap, type TermRule } from './rule.js';
import { substitute } from './substitute.js';
import { constantTestAt } from './terms.js';
import { isValue, simpleValues } from './values.js';

function withVariables(term: Quantified, variables: readonly SortedName[], body: Term): Term {
  return variables.length === 0 ? body : { kind: term.kind, variables, body };
}

function isQuantifier(term: Term): term is Quantified {
  return term.kind === 'forall' || term.kind === 'exists';
}

export const deleteBoundVariables: TermRule = {
  summary: 'deletes unused variables of a quantifier',
  terms(_, { node }) {
    const { term } = node;
    if (!isQuantifier(term)) return [];
    return buildIfCheap(node, () => {
      const used = symbolsOf(term.body);
      const kept = term.variables.filter((variable) => used.has(variable.name));
      return kept.length === term.variables.length ? undefined : withVariables(term, kept, term.body);
    });
  },
};

const maxConstants = 2;

function constantsOf(
  occurrences: Occurrences,
  occurrence: Occurrence,
  { sort }: SortedName,
): readonly Term[] {
  const isUsable = constantTestAt(occurrences, occurrence, sortKey(sort));
  return occurrences.declarations.constants
    .filter(isUsable)
    .slice(0, maxConstants)
    .map((declared) => name(declared.name));
}

export const instantiateQuantifier: TermRule = {
  summary: 'replaces a quantified variable by a simple value or a constant',
  terms(occurrences, occurrence) {
    const { node } = occurrence;
    const { term } = node;
    if (!isQuantifier(term)) return [];
    return term.variables.flatMap((variable, at) =>
      [
        ...simpleValues(variable.sort, occurrences.script).filter(isValue),
        ...constantsOf(occurrences, occurrence, variable),
      ].flatMap((value) =>
        buildIfCheap(node, () => {
          const body = substitute(term.body, new Map([[variable.name, value]]));
          return body && withVariables(term, term.variables.toSpliced(at, 1), body);
        }),
      ),
    );
  },
};
