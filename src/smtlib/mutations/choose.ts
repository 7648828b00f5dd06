import type { Random } from '../../machine/index.js';
import { type Occurrences, occurrenceAt } from '../occurrences/occurrences.js';
import { type Occurrence, unknownKey } from '../occurrences/term-node.js';

/** Random draws before all occurrences are examined. */
const maxDraws = 12;

/** Returns true if the sort of the term and of its parent are known, so that replacements can be checked. */
function hasKnownSorts({ node }: Occurrence): boolean {
  return node.key !== unknownKey && node.parent?.key !== unknownKey;
}

/** A random occurrence, uniform over those that are changeable, of known sort, and accepted by `fits`. */
export function chooseOccurrence(
  occurrences: Occurrences,
  random: Random,
  fits: (occurrence: Occurrence) => boolean,
): Occurrence | undefined {
  if (occurrences.count === 0) return undefined;
  const isAcceptable = (occurrence: Occurrence): boolean => hasKnownSorts(occurrence) && fits(occurrence);
  for (let i = 0; i < maxDraws; i++) {
    const occurrence = occurrenceAt(occurrences, random.below(occurrences.count));
    if (isAcceptable(occurrence)) return occurrence;
  }
  const found: Occurrence[] = [];
  for (const command of occurrences.changeable) {
    for (const node of occurrences.commands[command]?.nodes ?? []) {
      const occurrence = { command, node };
      if (isAcceptable(occurrence)) found.push(occurrence);
    }
  }
  return found.length === 0 ? undefined : random.pick(found);
}
