import { assertionsOf, canDelete } from '../occurrences/assertions.js';
import { occurrencesIn } from '../occurrences/occurrences.js';
import type { Rule } from './rule.js';

export const deleteAssertion: Rule = {
  summary: 'deletes an assertion, except the last',
  apply(script, random) {
    const occurrences = occurrencesIn(script);
    const found = assertionsOf(script);
    if (occurrences === undefined || found.length < 2) return undefined;
    const at = random.shuffled(found).find((candidate) => canDelete(occurrences, candidate));
    return at === undefined ? undefined : { commands: script.commands.toSpliced(at, 1) };
  },
};
