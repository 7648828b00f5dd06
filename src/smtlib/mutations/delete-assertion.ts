import { sitesOf } from '../sites/sites.js';
import { assertionsOf, canDelete } from './assertions.js';
import type { Rule } from './rule.js';

export const deleteAssertion: Rule = {
  says: 'takes an assertion out; the last one stays',
  apply(script, random) {
    const sites = sitesOf(script);
    const found = assertionsOf(script);
    if (sites === undefined || found.length < 2) return undefined;
    const at = random.shuffled(found).find((one) => canDelete(sites, one));
    return at === undefined ? undefined : { commands: script.commands.toSpliced(at, 1) };
  },
};
