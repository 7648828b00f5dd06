/** A timeline: a case's level at each release or commit, and its change points (SPRFinder, Fig. 7 and 8). */

import { rankProbability } from '../../statistics/index.js';
import { chance, levelOf, type Observation, type Sensitivity } from '../measuring/levels.js';

export interface Point {
  /** A release or a commit. */
  readonly name: string;
  /** The last run's outcome, processor time and effort. */
  readonly outcome?: string | undefined;
  readonly ms?: number | undefined;
  readonly effort?: number | undefined;
  readonly observation: Observation;
}

export interface ChangePoint {
  /** Indices of the points before and after. */
  readonly before: number;
  readonly at: number;
  readonly direction: 'slower' | 'quicker';
  readonly from: number;
  readonly to: number;
  /** One minus the probability that chance orders the samples on both sides this way. */
  readonly confidence: number;
  /** The number of samples on each side. */
  readonly samples: readonly [before: number, after: number];
}

export interface Timeline {
  readonly points: readonly Point[];
  readonly changes: readonly ChangePoint[];
  /** How often it became slow; undefined with fewer than two measured points. */
  readonly slowdowns: number | undefined;
}

export function timeline(points: readonly Point[], sensitivity: Sensitivity): Timeline {
  const changes = changePoints(points, sensitivity);
  const told = points.filter(({ observation }) => observation.kind === 'measured').length;
  const slowdowns = changes.filter(({ direction }) => direction === 'slower').length;
  return { points, changes, slowdowns: told < 2 ? undefined : slowdowns };
}

function changePoints(
  points: readonly Point[],
  { least, noise, share }: Sensitivity,
): readonly ChangePoint[] {
  const told = points.flatMap(({ observation }, at) =>
    observation.kind === 'measured'
      ? [{ at, samples: observation.samples, level: levelOf(observation.samples) }]
      : [],
  );
  const levels = told.map(({ level }) => level);
  const span = levels.length === 0 ? 0 : Math.max(...levels) - Math.min(...levels);
  const significance = Math.max(least, share * span);
  const steps = told.flatMap((after, number) => {
    const before = told[number - 1];
    if (before === undefined) return [];
    const difference = Math.abs(after.level - before.level);
    const isStep = difference >= significance && difference > chance(before.samples, after.samples, noise);
    return isStep ? [{ number, before, after }] : [];
  });
  return steps.map(({ number, before, after }, i): ChangePoint => {
    const [start, end] = [steps[i - 1]?.number ?? 0, steps[i + 1]?.number ?? told.length];
    const left = told.slice(start, number).flatMap(({ samples }) => samples);
    const right = told.slice(number, end).flatMap(({ samples }) => samples);
    const isSlower = after.level > before.level;
    return {
      before: before.at,
      at: after.at,
      direction: isSlower ? 'slower' : 'quicker',
      from: before.level,
      to: after.level,
      confidence: 1 - (isSlower ? rankProbability(left, right) : rankProbability(right, left)),
      samples: [left.length, right.length],
    };
  });
}
