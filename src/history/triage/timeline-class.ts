/**
 * Classifies how a case's level develops over a history (SPRFinder, Fig. 5), with an additional class for gradual
 * slowdowns.
 */

import type { LevelTimeline } from '../bisection/replay.js';

export const timelineClasses = [
  'monotonic, single-dominant',
  'monotonic, multi-dominant',
  'non-monotonic, single-dominant',
  'non-monotonic, multi-dominant',
  'no dominating commit',
] as const;

export type TimelineClass = (typeof timelineClasses)[number];

type Dominated = Exclude<TimelineClass, 'no dominating commit'>;

/** A change between consecutive measured commits. */
export interface LevelChange {
  readonly before: number;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export interface ClassifiedTimeline {
  readonly class: TimelineClass;
  /** The dominating rises: each at least a third of the difference between the ends. */
  readonly dominating: readonly LevelChange[];
}

/** A fall below this share of the span is a fluctuation. */
const fluctuation = 0.05;

/**
 * The class of a timeline; undefined if its end is not slower. A rise dominates if it is at least a third of the
 * difference between the ends, the threshold of Algorithm 2; a fall counts if it exceeds a fluctuation.
 *
 * @param least the smallest relevant difference
 */
export function classifyTimeline(timeline: LevelTimeline, least: number): ClassifiedTimeline | undefined {
  const changes = changesOf(timeline);
  const levels = timeline.filter((level) => level !== undefined);
  const [first, last] = [levels[0], levels.at(-1)];
  if (first === undefined || last === undefined || last - first < least) return undefined;
  const dominating = changes.filter(({ from, to }) => to - from >= Math.max(least, (last - first) / 3));
  const span = Math.max(...levels) - Math.min(...levels);
  const isMonotonic = !changes.some(({ from, to }) => from - to >= Math.max(least, fluctuation * span));
  const dominated: Dominated = `${isMonotonic ? '' : 'non-'}monotonic, ${dominating.length > 1 ? 'multi' : 'single'}-dominant`;
  return { class: dominating.length === 0 ? 'no dominating commit' : dominated, dominating };
}

/** The rises that made a case slow: the commits it exposes (Fig. 7). */
export function slowdownsIn(timeline: LevelTimeline, least: number): readonly LevelChange[] {
  const levels = timeline.filter((level) => level !== undefined);
  if (levels.length === 0) return [];
  const span = Math.max(...levels) - Math.min(...levels);
  return changesOf(timeline).filter(({ from, to }) => to - from >= Math.max(least, span / 3));
}

function changesOf(timeline: LevelTimeline): readonly LevelChange[] {
  const changes: LevelChange[] = [];
  let before: { readonly at: number; readonly level: number } | undefined;
  for (const [at, level] of timeline.entries()) {
    if (level === undefined) continue;
    if (before !== undefined && before.level !== level)
      changes.push({ before: before.at, at, from: before.level, to: level });
    before = { at, level };
  }
  return changes;
}
