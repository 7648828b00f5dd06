/** Runs a case on several versions and returns the points of a timeline. */

import { Fault, type Limits, timeoutOf, usageFault } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import { type Runner, spentMs, type Version } from '../../solver/index.js';
import { effortWithin } from '../measuring/effort-limits.js';
import { observationOf } from '../measuring/measurer.js';
import type { Point } from './timeline.js';

/** A version with its name on the timeline, or a fault if the commit does not build. */
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

interface SeenVersion extends NamedVersion {
  readonly samples: number[];
  outcome?: string;
  ms?: number;
  effort?: number;
  /** Why it is not run again. */
  fault?: Fault;
}

/**
 * Runs the versions in turns, so that drift on the machine affects all of them. An abort returns the results so far.
 */
export async function measurePoints(
  runner: Runner,
  formula: Script,
  versions: readonly NamedVersion[],
  { by, repeat, limits, seed, signal, onRun }: PointOptions,
): Promise<readonly Point[]> {
  /** By effort: the limit derived from the first version that answers. */
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

/** Undefined if aborted. */
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
      : (fault ?? (samples.length === 0 ? usageFault('the version was not run') : undefined));
  return {
    name,
    outcome,
    ms,
    effort,
    observation:
      unmeasured === undefined ? { kind: 'measured', samples } : { kind: 'unmeasured', fault: unmeasured },
  };
}
