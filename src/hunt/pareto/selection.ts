/** Who lives on and who has children. */

/** Where a member stands: its front, and how alone it is there. */
export interface Standing {
  readonly front: number;
  readonly crowding: number;
}

/** The better of two: on an earlier front, or more alone on the same one; 0 where they are the same. */
export function compareStandings(a: Standing, b: Standing): number {
  return a.front - b.front || b.crowding - a.crowding || 0;
}

/**
 * So many of the best: whole fronts first, of the last one those that stand most alone. Gives their numbers; who is as
 * good as another stays in its order.
 */
export function survivors(standings: readonly Standing[], size: number): readonly number[] {
  return standings
    .map((_, at) => at)
    .toSorted((a, b) => compare(standings, a, b) || a - b)
    .slice(0, size);
}

function compare(standings: readonly Standing[], a: number, b: number): number {
  const [one, other] = [standings[a], standings[b]];
  // Two that are infinitely alone are as alone as each other.
  return one === undefined ||
    other === undefined ||
    (one.front === other.front && one.crowding === other.crowding)
    ? 0
    : compareStandings(one, other);
}

/**
 * Tournaments of two on fronts alone, as for the first generation: two members at random, the better one wins, the first
 * where neither is.
 *
 * @param pick a number from 0 to below the one given
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
 * Tournaments of two by dominance, then by how alone they are, then by chance; everybody takes part as often as everybody
 * else, in an order that is shuffled for each round.
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
