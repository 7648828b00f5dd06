import { type Occurrences, occurrenceAt } from '../occurrences/occurrences.js';
import { type Occurrence, unknownKey } from '../occurrences/term-node.js';
import type { Random } from '../random.js';

/** How many random occurrences are tried before all of them are looked at. */
const tries = 12;

/** Of a known sort, and under an operator that is known: what else may stand there can be told. */
function isUnderstood({ node }: Occurrence): boolean {
  return node.key !== unknownKey && node.parent?.key !== unknownKey;
}

/** A random one of the changeable occurrences that are understood and acceptable, each as likely as the others. */
export function chooseOccurrence(
  occurrences: Occurrences,
  random: Random,
  fits: (occurrence: Occurrence) => boolean,
): Occurrence | undefined {
  if (occurrences.count === 0) return undefined;
  const isAcceptable = (occurrence: Occurrence): boolean => isUnderstood(occurrence) && fits(occurrence);
  for (let i = 0; i < tries; i++) {
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
