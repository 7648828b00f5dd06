/** What forced what in a failing run, as far as it is worth asking a solver. */

import { Fault } from '../../machine/index.js';
import { Reasoner } from '../../symbolic/index.js';
import type { Change } from '../changes/change.js';
import type { CauseSearch, CauseTree, FoundCause } from './cause-search.js';
import type { TracedCauses } from './traced-causes.js';

/** How much was asked. */
export interface Reasoning {
  readonly causes: number;
  readonly questions: number;
  readonly solverMs: number;
}

/** Further back from the failure there is nothing a reader would follow. */
const mostCauses = 300;
/** For a tree after the search, so many causes without a change of those to blame. */
const mostForTree = 40;

export class CauseChains {
  #causes = 0;

  private constructor(
    private readonly traced: TracedCauses,
    private readonly reasoner: Reasoner,
  ) {}

  static async open(traced: TracedCauses): Promise<CauseChains | Fault> {
    const reasoner = await Reasoner.open();
    return reasoner instanceof Fault ? reasoner : new CauseChains(traced, reasoner);
  }

  close(): Promise<void> {
    return this.reasoner.close();
  }

  get reasoning(): Reasoning {
    const { questions, spentMs } = this.reasoner;
    return { causes: this.#causes, questions, solverMs: spentMs };
  }

  /** One after the other, back from the failure. */
  async *causes(): AsyncGenerator<FoundCause> {
    const search = this.traced.search(this.reasoner);
    let count = 0;
    for await (const cause of search?.causes() ?? []) {
      this.#causes++;
      yield cause;
      if (++count >= mostCauses) return;
    }
  }

  /** From the failure back to changes, by the decisions on their way. */
  async treeOf(changes: readonly Change[], limitMs: number): Promise<CauseTree | undefined> {
    const search: CauseSearch | undefined = this.traced.search(this.reasoner);
    if (search === undefined) return undefined;
    const left = new Set(changes);
    const began = performance.now();
    let count = 0;
    for await (const cause of search.causes(this.traced.isOnTheWay(changes))) {
      this.#causes++;
      for (const change of cause.changes) left.delete(change);
      if (left.size === 0 || ++count >= mostForTree || performance.now() - began > limitMs) break;
    }
    return search.tree(changes);
  }
}
