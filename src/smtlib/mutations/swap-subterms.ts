import { replaceAt } from '../sites/replace-at.js';
import { askedAt, canMove } from '../sites/scope.js';
import { type Sites, sitesOf } from '../sites/sites.js';
import type { Placed, Spot } from '../sites/spot.js';
import { chooseSpot } from './choose.js';
import { isOfKind } from './replace-operator.js';
import type { Rule } from './rule.js';

function isWithin(inner: Spot, outer: Spot): boolean {
  for (let at: Spot | undefined = inner; at !== undefined; at = at.parent) if (at === outer) return true;
  return false;
}

/** May the term at `from` stand at `to`, as far as its surroundings there are concerned? */
function suits(sites: Sites, from: Placed, to: Placed): boolean {
  const asked = askedAt(to.spot);
  return asked !== 'itself' && isOfKind(from.spot.term, asked) && canMove(sites, from, to);
}

/** How many partners are looked at more closely. */
const tries = 8;

/** MulStringFuzz's "exchange the same node" (section III.E). */
export const swapSubterms: Rule = {
  says: 'exchanges two terms of the same sort',
  apply(script, random) {
    const sites = sitesOf(script);
    if (sites === undefined) return undefined;
    const first = chooseSpot(
      sites,
      random,
      ({ spot }) => !spot.isPinned && spot.parent !== undefined && askedAt(spot) !== 'itself',
    );
    if (first === undefined) return undefined;
    const isPartner = ({ spot }: Placed): boolean =>
      spot.key === first.spot.key &&
      spot.term !== first.spot.term &&
      spot.parent !== undefined &&
      !spot.isPinned;
    for (let i = 0; i < tries; i++) {
      const second = chooseSpot(sites, random, isPartner);
      if (second === undefined) return undefined;
      if (isWithin(first.spot, second.spot) || isWithin(second.spot, first.spot)) continue;
      if (!suits(sites, first, second) || !suits(sites, second, first)) continue;
      // Neither lies in the other, so the way to the second is the same after the first has changed.
      return replaceAt(replaceAt(script, first, second.spot.term), second, first.spot.term);
    }
    return undefined;
  },
};
