import { type Occurrences, occurrencesIn } from '../occurrences/occurrences.js';
import { replaceAt } from '../occurrences/replace-at.js';
import { canMove, constraintAt } from '../occurrences/scope.js';
import type { Occurrence, TermNode } from '../occurrences/term-node.js';
import { chooseOccurrence } from './choose.js';
import { isOfKind } from './replace-operator.js';
import type { Rule } from './rule.js';

function isWithin(inner: TermNode, outer: TermNode): boolean {
  for (let at: TermNode | undefined = inner; at !== undefined; at = at.parent) if (at === outer) return true;
  return false;
}

function canStandAt(occurrences: Occurrences, from: Occurrence, to: Occurrence): boolean {
  const constraint = constraintAt(to.node);
  return constraint !== 'itself' && isOfKind(from.node.term, constraint) && canMove(occurrences, from, to);
}

const maxPartnersTried = 8;

/** MulStringFuzz's "exchange the same node" (section III.E). */
export const swapSubterms: Rule = {
  summary: 'exchanges two terms of the same sort',
  apply(script, random) {
    const occurrences = occurrencesIn(script);
    if (occurrences === undefined) return undefined;
    const first = chooseOccurrence(
      occurrences,
      random,
      ({ node }) => !node.isPinned && node.parent !== undefined && constraintAt(node) !== 'itself',
    );
    if (first === undefined) return undefined;
    const isPartner = ({ node }: Occurrence): boolean =>
      node.key === first.node.key &&
      node.term !== first.node.term &&
      node.parent !== undefined &&
      !node.isPinned;
    for (let i = 0; i < maxPartnersTried; i++) {
      const second = chooseOccurrence(occurrences, random, isPartner);
      if (second === undefined) return undefined;
      if (isWithin(first.node, second.node) || isWithin(second.node, first.node)) continue;
      if (!canStandAt(occurrences, first, second) || !canStandAt(occurrences, second, first)) continue;
      // Neither contains the other, so the second path stays valid after the first replacement.
      return replaceAt(replaceAt(script, first, second.node.term), second, first.node.term);
    }
    return undefined;
  },
};
