import type { Random } from '../random.js';
import { type Sites, spotAt } from '../sites/sites.js';
import type { Placed } from '../sites/spot.js';

/** How many random spots are tried before all of them are looked at. */
const tries = 12;

/** A random one of the changeable spots that are acceptable, each as likely as the others. */
export function chooseSpot(
  sites: Sites,
  random: Random,
  isAcceptable: (place: Placed) => boolean,
): Placed | undefined {
  if (sites.count === 0) return undefined;
  for (let i = 0; i < tries; i++) {
    const place = spotAt(sites, random.below(sites.count));
    if (isAcceptable(place)) return place;
  }
  const found: Placed[] = [];
  for (const command of sites.changeable) {
    for (const spot of sites.commands[command]?.spots ?? []) {
      const place = { command, spot };
      if (isAcceptable(place)) found.push(place);
    }
  }
  return found.length === 0 ? undefined : random.pick(found);
}
