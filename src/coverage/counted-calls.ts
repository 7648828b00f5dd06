/** Runs of embedded versions that count their calls: also the host that counts can be killed, or hang. */

import { environmentFault, Fault } from '../machine/index.js';
import type { CallCounts, Run } from '../solver/index.js';

export interface CalledRun {
  readonly run: Run;
  readonly called: CallCounts;
}

/** What never reached the solver: that is known to have called nothing. */
const nothingCalled: CallCounts = { functions: [], calls: [] };

/**
 * A run with its counts. Those of a host that was killed from outside, or that hung, went with it: nothing is known then,
 * which is not the same as nothing. A host that is gone is replaced, so it is worth asking once more.
 *
 * @param ask runs the formula, counted
 */
export async function runWithCalls(ask: () => Promise<Run>): Promise<CalledRun | Fault> {
  const first = calledIn(await ask());
  if (!(first instanceof Fault)) return first;
  return calledIn(await ask());
}

function calledIn(run: Run): CalledRun | Fault {
  const called = run.called ?? (run.outcome === 'unsupported' ? nothingCalled : undefined);
  return called === undefined
    ? environmentFault('the run left no counts: its solver was ended from outside, or hung, twice in a row')
    : { run, called };
}
