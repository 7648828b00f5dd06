/** A case run on versions one after the other, as the points of a timeline. */

import type { Limits } from '../machine/index.js';
import type { Script } from '../smtlib/index.js';
import type { Runner, Version } from '../solver/index.js';
import { observationOf } from './measurer.js';
import type { Point } from './timeline.js';

/** A version, or why there is none: a commit that does not build. */
export type Place =
  | { readonly name: string; readonly version: Version }
  | { readonly name: string; readonly why: string };

export interface PointOptions {
  readonly by: 'time' | 'effort';
  /** Runs of each version. */
  readonly repeat: number;
  readonly limits: Limits;
  readonly seed?: number | undefined;
  readonly signal: AbortSignal;
  readonly onRun?: (name: string) => void;
}

interface Seen {
  readonly samples: number[];
  outcome?: string;
  ms?: number;
  effort?: number;
  why?: string;
}

/**
 * The versions run in turns, so that whatever drifts on the machine drifts for all of them. Ended early, it gives what
 * it has.
 */
export async function measurePoints(
  runner: Runner,
  formula: Script,
  places: readonly Place[],
  { by, repeat, limits, seed, signal, onRun }: PointOptions,
): Promise<readonly Point[]> {
  const seen = places.map((): Seen => ({ samples: [] }));
  for (let round = 0; round < repeat; round++) {
    for (const [at, place] of places.entries()) {
      const one = seen[at] as Seen;
      if ('why' in place || one.why !== undefined) continue;
      onRun?.(place.name);
      const run = await unlessAborted(signal, () =>
        runner.run({ formula, version: place.version, limits, seed }, signal),
      );
      if (run === undefined) return pointsOf(places, seen);
      one.outcome = run.outcome;
      if (run.effort !== undefined) one.effort = run.effort;
      one.ms = run.wallMs;
      const observation = observationOf(run, limits.wallMs, by);
      if (observation.kind === 'silent') one.why = observation.why;
      else one.samples.push(...observation.samples);
    }
  }
  return pointsOf(places, seen);
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

function pointsOf(places: readonly Place[], seen: readonly Seen[]): readonly Point[] {
  return places.map((place, at): Point => {
    const { samples, outcome, ms, effort, why } = seen[at] as Seen;
    const silent =
      'why' in place ? place.why : (why ?? (samples.length === 0 ? 'it was not run' : undefined));
    return {
      name: place.name,
      outcome,
      ms,
      effort,
      observation: silent === undefined ? { kind: 'measured', samples } : { kind: 'silent', why: silent },
    };
  });
}
