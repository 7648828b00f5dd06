/** What a report shows is as small as can be: of each kind the best formula, reduced when the hunt is over. */

import type { CaseId } from '../campaign/index.js';
import { printScript } from '../smtlib/index.js';
import type { Reduction } from './candidates.js';
import type { EventOf, Measurement } from './events.js';
import { FormulaFailure } from './failures.js';
import type { Hunt } from './hunt.js';
import type { Performer, Reducing, ReductionProgress } from './performer.js';
import type { HuntSettings } from './settings.js';

/** The reduction of a finding on its way. */
export interface HuntReduction extends ReductionProgress {
  readonly slowdown: CaseId;
  /** How many more are waiting. */
  readonly left: number;
}

export interface ReductionStage {
  readonly hunt: Hunt;
  readonly settings: Pick<HuntSettings, 'workers'>;
  readonly performer: Performer;
  /** Stops it. What is reduced is written down by then, and the other findings stand as they are. */
  readonly signal: AbortSignal;
  /** The campaign's clock. */
  readonly at: () => number;
  /** Writes down what was reduced. */
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
      // Workers that find nothing to do of their own help the others.
      const jobs = Math.max(1, Math.floor(settings.workers / (inHand + hunt.unreducedCount)));
      const { slowdown } = task;
      const onProgress = (progress: ReductionProgress): void =>
        onReducing?.({ slowdown, left: hunt.unreducedCount, ...progress });
      const done = await reduced(task, { jobs, onProgress }, stage).finally(() => inHand--);
      if (done !== undefined) await measured(done);
    }
  });
  await settled(reducers);
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
      // It stays as it is.
      return { text: printScript(task.formula), isMinimal: false };
    });
    return { event: 'reduced', at: at(), slowdown: task.slowdown, ...made };
  } catch (error) {
    hunt.giveBack(task);
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Waits for all of them before one that failed is heard: none may go on behind the campaign's back. */
export async function settled(work: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(work);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
