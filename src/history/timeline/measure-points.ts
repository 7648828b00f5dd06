/** A case run on versions one after the other, as the points of a timeline. */

import { Fault, type Limits, timeoutOf, usageFault } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import { type Runner, spentMs, type Version } from '../../solver/index.js';
import { effortWithin } from '../measuring/effort-limits.js';
import { observationOf } from '../measuring/measurer.js';
import type { Point } from './timeline.js';

/** A version by the name it has on a timeline, or why there is none: a commit that does not build. */
export interface NamedVersion {
  readonly name: string;
  readonly version: Version | Fault;
}

export interface PointOptions {
  readonly by: 'time' | 'effort';
  /** Runs of each version. */
  readonly repeat: number;
  readonly limits: Limits;
  readonly seed?: number | undefined;
  readonly signal: AbortSignal;
  readonly onRun?: (name: string) => void;
}

/** What was seen of a version so far. */
interface SeenVersion extends NamedVersion {
  readonly samples: number[];
  outcome?: string;
  ms?: number;
  effort?: number;
  /** Why it is not run any more. */
  fault?: Fault;
}

/**
 * The versions run in turns, so that whatever drifts on the machine drifts for all of them. Ended early, it gives what
 * it has.
 */
export async function measurePoints(
  runner: Runner,
  formula: Script,
  versions: readonly NamedVersion[],
  { by, repeat, limits, seed, signal, onRun }: PointOptions,
): Promise<readonly Point[]> {
  /** By effort, what the first that answers would do in its time: nobody need do more. */
  let mostEffort: number | undefined;
  const all = versions.map((named): SeenVersion => ({ ...named, samples: [] }));
  for (let round = 0; round < repeat; round++) {
    for (const seen of all) {
      const { name, version, fault, samples } = seen;
      if (version instanceof Fault || fault !== undefined) continue;
      onRun?.(name);
      const run = await unlessAborted(signal, () =>
        runner.run({ formula, version, limits, seed, mostEffort }, signal),
      );
      if (run === undefined) return all.map(pointOf);
      seen.outcome = run.outcome;
      if (run.effort !== undefined) seen.effort = run.effort;
      seen.ms = spentMs(run);
      if (by === 'effort') mostEffort ??= effortWithin(timeoutOf(limits), run);
      const observation = observationOf(run, timeoutOf(limits), by, mostEffort);
      if (observation.kind === 'unmeasured') seen.fault = observation.fault;
      else samples.push(...observation.samples);
    }
  }
  return all.map(pointOf);
}

/** Undefined if it was ended from outside. */
async function unlessAborted<Value>(
  signal: AbortSignal,
  job: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await job();
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

function pointOf({ name, version, samples, outcome, ms, effort, fault }: SeenVersion): Point {
  const unmeasured =
    version instanceof Fault
      ? version
      : (fault ?? (samples.length === 0 ? usageFault('it was not run') : undefined));
  return {
    name,
    outcome,
    ms,
    effort,
    observation:
      unmeasured === undefined ? { kind: 'measured', samples } : { kind: 'unmeasured', fault: unmeasured },
  };
}
