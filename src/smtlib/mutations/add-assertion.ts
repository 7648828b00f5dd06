import { assertion, chooseAssertion, insertAfter, rootOccurrence } from '../occurrences/assertions.js';
import { occurrencesIn } from '../occurrences/occurrences.js';
import type { Rule } from './rule.js';
import { depthOf, generatorAt, grammarIn } from './term-context.js';

export const addAssertion: Rule = {
  summary: 'adds an assertion of a generated term',
  apply(script, random, options = {}) {
    const occurrences = occurrencesIn(script);
    const after = chooseAssertion(script, random);
    if (occurrences === undefined || after === undefined) return undefined;
    const grammar = grammarIn(occurrences, options);
    const terms = generatorAt(occurrences, rootOccurrence(occurrences, after), random, options, grammar);
    const bool = grammar.numbers.get('Bool');
    const term = bool === undefined ? undefined : terms.term(bool, depthOf(options) + 1);
    return term === undefined ? undefined : insertAfter(script, after, assertion(term));
  },
};
