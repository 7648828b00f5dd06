/** Runs embedded versions that count their calls, and handles hosts that were killed or hang. */

import { environmentFault, Fault } from '../machine/index.js';
import type { CallCounts, Run } from '../solver/index.js';

export interface CalledRun {
  readonly run: Run;
  readonly called: CallCounts;
}

/** Counts of a run that never reached the solver. */
const nothingCalled: CallCounts = { functions: [], calls: [] };

/**
 * Runs a formula and returns the run with its counts. If the host was killed from outside or hung, its counts are
 * lost, and the result is unknown rather than empty. The host is replaced, so one retry is made.
 *
 * @param ask runs the formula and counts
 */
export async function runWithCalls(ask: () => Promise<Run>): Promise<CalledRun | Fault> {
  const first = countsOfRun(await ask());
  if (!(first instanceof Fault)) return first;
  return countsOfRun(await ask());
}

function countsOfRun(run: Run): CalledRun | Fault {
  const called = run.called ?? (run.outcome === 'unsupported' ? nothingCalled : undefined);
  return called === undefined
    ? environmentFault('the run left no counts: its solver was killed or hung twice in a row')
    : { run, called };
}
