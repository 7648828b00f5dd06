/** The populations that a search lives on: one for each sequence of trials. */

import type { Lane, Member } from '../strategy.js';

/** Of one sequence; its members change with every generation. */
export interface Population<Individual extends Member> {
  members: readonly Individual[];
}

export class Populations<Individual extends Member> {
  readonly #alive = new Set<Population<Individual>>();

  members(): readonly Individual[] {
    return [...this.#alive].flatMap(({ members }) => members);
  }

  /**
   * A sequence with a population of its own. One that fails takes it along, since another is begun in its place with
   * another population; one that is only ended leaves it as what the search came to.
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
