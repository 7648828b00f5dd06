import { assertion, chooseAssertion, insertAfter, rootOccurrence } from '../occurrences/assertions.js';
import { occurrencesIn } from '../occurrences/occurrences.js';
import { depthOf, generatorAt, grammarIn } from './ground.js';
import type { Rule } from './rule.js';

export const addAssertion: Rule = {
  says: 'asserts a generated term',
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
