/** Compares a process of the failing test with its counterpart in the old version. */

import { Fault } from '../../machine/index.js';
import type { Replay, RunRecord } from '../../symbolic/index.js';
import { type FailurePoint, failurePoint } from './failure-point.js';
import { replayed } from './traced-run.js';

export interface ComparedRun {
  readonly run: Replay;
  readonly before: Replay | undefined;
  /** Undefined if the outputs are the same. */
  readonly failure: FailurePoint | undefined;
  /** Output that differs between two runs of the old version was ignored. */
  readonly isNondeterministic?: boolean;
}

/**
 * A process that does not end is followed a little longer than the old one, which is sufficient to find the failure.
 */
const followedBeyond = { times: 2, more: 100_000 };

/** Records the old version's process again; undefined if that is impossible. */
export type RecordAgain = () => Promise<RunRecord | undefined>;

/** Functions whose results differ in every run: clock, random numbers, process ids, temporary names. */
const nondeterministicFunctions =
  /^(?:_*(?:time|times|clock|gettimeofday|clock_gettime|timespec_get|ftime|getrusage|getrandom|getentropy|arc4random\w*|getpid|getppid|gettid|mkstemp|tmpnam|tempnam)(?:64)?|_ZNSt6chrono.*3nowEv|_ZNSt13random_device.*)$/;

function isNondeterministic(run: Replay): boolean {
  return [...run.namesOutside].some((name) => nondeterministicFunctions.test(name));
}

export async function comparedRun(
  record: RunRecord,
  like: RunRecord | undefined,
  signal: AbortSignal,
  recordAgain: RecordAgain = async () => undefined,
): Promise<ComparedRun | Fault> {
  const before = like === undefined ? undefined : await replayed(like, signal);
  if (before instanceof Fault) return before;
  const run = await replayed(record, signal);
  if (run instanceof Fault) return run;
  const failure = failurePoint(before, run);
  if (failure !== undefined && before !== undefined && isNondeterministic(before)) {
    const record = await recordAgain();
    const again = record === undefined ? undefined : await replayed(record, signal);
    // Without a second record the first is compared as it is.
    if (again !== undefined && !(again instanceof Fault))
      return { run, before, failure: failurePoint(before, run, again), isNondeterministic: true };
  }
  if (before === undefined || !failure?.isStuck) return { run, before, failure };
  const part = await replayed(record, signal, before.instances * followedBeyond.times + followedBeyond.more);
  return part instanceof Fault ? part : { run: part, before, failure: failurePoint(before, part) };
}
