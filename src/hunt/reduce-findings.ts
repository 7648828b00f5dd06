/** After the hunt, reduces the smallest formula of each kind for the report. */

import type { CaseId } from '../campaign/index.js';
import { printScript } from '../smtlib/index.js';
import type { Reduction } from './candidates.js';
import type { EventOf, Measurement } from './events.js';
import { FormulaFailure } from './failures.js';
import type { Hunt } from './hunt.js';
import type { Performer, Reducing, ReductionProgress } from './performer.js';
import type { HuntSettings } from './settings.js';

/** Progress of one reduction. */
export interface HuntReduction extends ReductionProgress {
  readonly slowdown: CaseId;
  /** How many more formulas are waiting. */
  readonly left: number;
}

export interface ReductionStage {
  readonly hunt: Hunt;
  readonly settings: Pick<HuntSettings, 'workers'>;
  readonly performer: Performer;
  /** Stops the stage. Finished reductions are stored by then; other findings stay unreduced. */
  readonly signal: AbortSignal;
  /** The campaign's clock. */
  readonly at: () => number;
  /** Stores a reduction. */
  readonly measured: (measurement: Measurement) => Promise<void>;
  readonly onReducing?: ((progress: HuntReduction) => void) | undefined;
}

export async function reduceFindings(stage: ReductionStage): Promise<void> {
  const { hunt, settings, signal, measured, onReducing } = stage;
  let inHand = 0;
  const reducers = Array.from({ length: settings.workers }, async () => {
    while (!signal.aborted) {
      const task = hunt.takeReduction();
      if (task === undefined) return;
      inHand++;
      // Idle workers become parallel jobs of the remaining reductions.
      const jobs = Math.max(1, Math.floor(settings.workers / (inHand + hunt.unreducedCount)));
      const { slowdown } = task;
      const onProgress = (progress: ReductionProgress): void =>
        onReducing?.({ slowdown, left: hunt.unreducedCount, ...progress });
      const done = await reduced(task, { jobs, onProgress }, stage).finally(() => inHand--);
      if (done !== undefined) await measured(done);
    }
  });
  await settleAll(reducers);
}

async function reduced(
  task: Reduction,
  reducing: Reducing,
  { hunt, performer, signal, at }: ReductionStage,
): Promise<EventOf<'reduced'> | undefined> {
  try {
    const made = await performer.reduce(task, reducing, signal).catch((error: unknown) => {
      if (!(error instanceof FormulaFailure)) throw error;
      hunt.failures.add(error);
      // The formula stays unreduced.
      return { text: printScript(task.formula), isMinimal: false };
    });
    return { event: 'reduced', at: at(), slowdown: task.slowdown, ...made };
  } catch (error) {
    hunt.giveBack(task);
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Waits for all promises before throwing the first error, so that no work continues in the background. */
export async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(work);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
