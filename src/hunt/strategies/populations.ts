/** The populations of an evolutionary search, one per lane. */

import type { Lane, Member } from '../strategy.js';

/** One lane's population; its members change with every generation. */
export interface Population<Individual extends Member> {
  members: readonly Individual[];
}

export class Populations<Individual extends Member> {
  readonly #alive = new Set<Population<Individual>>();

  members(): readonly Individual[] {
    return [...this.#alive].flatMap(({ members }) => members);
  }

  /**
   * A lane with its own population. If it throws, the population is discarded, since a new lane replaces it; if it is
   * ended, the population remains as the search's result.
   */
  *lane(live: (own: Population<Individual>) => Lane): Lane {
    const own: Population<Individual> = { members: [] };
    this.#alive.add(own);
    try {
      return yield* live(own);
    } catch (error) {
      this.#alive.delete(own);
      throw error;
    }
  }
}
