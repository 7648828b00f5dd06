/** A process of the failing test beside its like in the old version. */

import { Fault } from '../../machine/index.js';
import type { Replay, RunRecord } from '../../symbolic/index.js';
import { type FailurePoint, failurePoint } from './failure-point.js';
import { replayed } from './traced-run.js';

/** What a process does, what its like in the old version does, and where it fails. */
export interface FailingRun {
  readonly run: Replay;
  readonly before: Replay | undefined;
  /** Undefined where it does what it did. */
  readonly failure: FailurePoint | undefined;
}

/** A process that does not come to an end is followed for some time longer than the old version took, which tells as much. */
const longer = { times: 2, more: 100_000 };

export async function failingRun(
  record: RunRecord,
  like: RunRecord | undefined,
  signal: AbortSignal,
): Promise<FailingRun | Fault> {
  const before = like === undefined ? undefined : await replayed(like, signal);
  if (before instanceof Fault) return before;
  const run = await replayed(record, signal);
  if (run instanceof Fault) return run;
  const failure = failurePoint(before, run);
  if (before === undefined || !failure?.isStuck) return { run, before, failure };
  const part = await replayed(record, signal, before.instances * longer.times + longer.more);
  return part instanceof Fault ? part : { run: part, before, failure: failurePoint(before, part) };
}
