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
  /** What differs from run to run by itself was left out. */
  readonly isUnsteady?: boolean;
}

/** A process that does not come to an end is followed for some time longer than the old version took, which tells as much. */
const longer = { times: 2, more: 100_000 };

/** The like of a process when the old version is tested once more; undefined where that is not to be had. */
export type RecordAgain = () => Promise<RunRecord | undefined>;

/** What answers otherwise every time it is asked: the clock, the system's random numbers, the number of the process. */
const unsteady =
  /^(?:_*(?:time|times|clock|gettimeofday|clock_gettime|timespec_get|ftime|getrusage|getrandom|getentropy|arc4random\w*|getpid|getppid|gettid|mkstemp|tmpnam|tempnam)(?:64)?|_ZNSt6chrono.*3nowEv|_ZNSt13random_device.*)$/;

function isUnsteady(run: Replay): boolean {
  return [...run.namesOutside].some((name) => unsteady.test(name));
}

export async function failingRun(
  record: RunRecord,
  like: RunRecord | undefined,
  signal: AbortSignal,
  recordAgain: RecordAgain = async () => undefined,
): Promise<FailingRun | Fault> {
  const before = like === undefined ? undefined : await replayed(like, signal);
  if (before instanceof Fault) return before;
  const run = await replayed(record, signal);
  if (run instanceof Fault) return run;
  const failure = failurePoint(before, run);
  if (failure !== undefined && before !== undefined && isUnsteady(before)) {
    const record = await recordAgain();
    const again = record === undefined ? undefined : await replayed(record, signal);
    // What is not known then stays as it was seen once.
    if (again !== undefined && !(again instanceof Fault))
      return { run, before, failure: failurePoint(before, run, again), isUnsteady: true };
  }
  if (before === undefined || !failure?.isStuck) return { run, before, failure };
  const part = await replayed(record, signal, before.instances * longer.times + longer.more);
  return part instanceof Fault ? part : { run: part, before, failure: failurePoint(before, part) };
}
