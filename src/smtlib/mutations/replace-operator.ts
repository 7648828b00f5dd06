import { itemAt } from '../collections.js';
import { type Grammar, type Production, shapeKey } from '../generating/grammar.js';
import type { ArgumentKind } from '../generating/vocabulary.js';
import { isLiteral, isNonzero } from '../occurrences/literal-terms.js';
import { occurrencesIn } from '../occurrences/occurrences.js';
import { replaceAt } from '../occurrences/replace-at.js';
import { constraintAt } from '../occurrences/scope.js';
import type { TermNode } from '../occurrences/term-node.js';
import type { Application, Identifier, Term } from '../tree.js';
import { chooseOccurrence } from './choose.js';
import type { Rule } from './rule.js';
import { grammarIn } from './term-context.js';

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
    a.indices.every((index, i) => {
      const other = b.indices[i];
      return other !== undefined && 'text' in index && 'text' in other && index.text === other.text;
    })
  );
}

/** The operators that can replace a node's operator over the same arguments. */
export function alternatives(grammar: Grammar, node: TermNode): readonly Production[] {
  const { term } = node;
  if (term.kind !== 'apply') return [];
  const parameters: number[] = [];
  for (const argument of node.below) {
    const number = grammar.numbers.get(argument.key);
    if (number === undefined) return [];
    parameters.push(number);
  }
  const result = grammar.numbers.get(node.key);
  const same = result === undefined ? undefined : grammar.byShape.get(shapeKey(parameters, result));
  return (
    same?.filter(
      (production) =>
        !isSameFunction(production.fn, term.fn) &&
        production.kinds.every((kind, i) => isOfKind(itemAt(term.args, i), kind)),
    ) ?? []
  );
}

/** MulStringFuzz's "replace type" (section III.E). */
export const replaceOperator: Rule = {
  summary: 'replaces an operator by one of the same type over the same arguments',
  apply(script, random, options = {}) {
    const occurrences = occurrencesIn(script);
    if (occurrences === undefined) return undefined;
    const grammar = grammarIn(occurrences, options);
    const occurrence = chooseOccurrence(
      occurrences,
      random,
      ({ node }) =>
        node.term.kind === 'apply' && alternatives(grammar, node).length > 0 && constraintAt(node) === 'term',
    );
    if (occurrence === undefined) return undefined;
    const { fn } = random.pick(alternatives(grammar, occurrence.node));
    return replaceAt(script, occurrence, {
      kind: 'apply',
      fn,
      args: (occurrence.node.term as Application).args,
    });
  },
};
