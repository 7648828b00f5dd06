/** Survival and parent selection. */

/** A member's front and its crowding on that front. */
export interface Standing {
  readonly front: number;
  readonly crowding: number;
}

/** Negative if `a` is better: on an earlier front, or with more distance on the same front. */
export function compareStandings(a: Standing, b: Standing): number {
  return a.front - b.front || b.crowding - a.crowding || 0;
}

/**
 * Indices of the best members: whole fronts first, then those of the last front with the largest distance. Ties keep
 * their order.
 */
export function survivors(standings: readonly Standing[], size: number): readonly number[] {
  return standings
    .map((_, at) => at)
    .toSorted((a, b) => compare(standings, a, b) || a - b)
    .slice(0, size);
}

function compare(standings: readonly Standing[], a: number, b: number): number {
  const [one, other] = [standings[a], standings[b]];
  // Avoids infinity minus infinity.
  return one === undefined ||
    other === undefined ||
    (one.front === other.front && one.crowding === other.crowding)
    ? 0
    : compareStandings(one, other);
}

/**
 * Binary tournaments on fronts only, for the first generation. Ties go to the first member.
 *
 * @param pick a random number from 0 to below its argument
 */
export function tournaments(
  fronts: readonly number[],
  size: number,
  pick: (below: number) => number,
): readonly number[] {
  return Array.from({ length: size }, () => {
    const [a, b] = [pick(fronts.length), pick(fronts.length)];
    return (fronts[b] ?? 0) < (fronts[a] ?? 0) ? b : a;
  });
}

/**
 * Binary tournaments by front, then by crowding, then at random. Every member takes part equally often, in an order
 * that is shuffled per round.
 */
export function crowdedTournaments(
  standings: readonly Standing[],
  size: number,
  pick: (below: number) => number,
): readonly number[] {
  const winners: number[] = [];
  let waiting: number[] = [];
  while (winners.length < size) {
    if (waiting.length < 2) waiting = shuffled(standings.length, pick);
    const [a, b = a] = [waiting.pop() ?? 0, waiting.pop()];
    const order = compare(standings, a, b);
    winners.push(order < 0 ? a : order > 0 ? b : pick(2) === 0 ? a : b);
  }
  return winners;
}

function shuffled(size: number, pick: (below: number) => number): number[] {
  const numbers = Array.from({ length: size }, (_, at) => at);
  for (let at = size - 1; at > 0; at--) {
    const other = pick(at + 1);
    [numbers[at], numbers[other]] = [numbers[other] ?? 0, numbers[at] ?? 0];
  }
  return numbers;
}
