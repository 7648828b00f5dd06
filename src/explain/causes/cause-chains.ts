/** Asks the solver what forced the failure, within limits. */

import { Fault } from '../../machine/index.js';
import { Reasoner } from '../../symbolic/index.js';
import type { Change } from '../changes/change.js';
import type { CauseSearch, CauseTree, FoundCause } from './cause-search.js';
import type { TracedCauses } from './traced-causes.js';

/** Statistics of the solver's work. */
export interface Reasoning {
  readonly causes: number;
  readonly questions: number;
  readonly solverMs: number;
}

/** Readers do not follow longer chains. */
const maxCauses = 300;
/** Limit for the tree that is built after the search. */
const maxCausesForTree = 40;

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

  /** In order, back from the failure. */
  async *causes(): AsyncGenerator<FoundCause> {
    const search = this.traced.search(this.reasoner);
    let count = 0;
    for await (const cause of search?.causes() ?? []) {
      this.#causes++;
      yield cause;
      if (++count >= maxCauses) return;
    }
  }

  /** The tree from the failure back to these changes. */
  async treeOf(changes: readonly Change[], limitMs: number): Promise<CauseTree | undefined> {
    const search: CauseSearch | undefined = this.traced.search(this.reasoner);
    if (search === undefined) return undefined;
    const left = new Set(changes);
    const began = performance.now();
    let count = 0;
    for await (const cause of search.causes(this.traced.isOnPathOf(changes))) {
      this.#causes++;
      for (const change of cause.changes) left.delete(change);
      if (left.size === 0 || ++count >= maxCausesForTree || performance.now() - began > limitMs) break;
    }
    return search.tree(changes);
  }
}
