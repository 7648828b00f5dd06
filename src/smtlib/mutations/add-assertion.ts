import { sitesOf } from '../sites/sites.js';
import { assertion, chooseAssertion, insertAfter, rootPlace } from './assertions.js';
import { depthOf, generatorAt, grammarIn } from './ground.js';
import type { Rule } from './rule.js';

export const addAssertion: Rule = {
  says: 'asserts a generated term',
  apply(script, random, options = {}) {
    const sites = sitesOf(script);
    const after = chooseAssertion(script, random);
    if (sites === undefined || after === undefined) return undefined;
    const grammar = grammarIn(sites, options);
    const terms = generatorAt(sites, rootPlace(sites, after), random, options, grammar);
    const term = terms.term(grammar.numbers.get('Bool') as number, depthOf(options) + 1);
    return term === undefined ? undefined : insertAfter(script, after, assertion(term));
  },
};
