/**
 * What kind of course a case takes over a history (SPRFinder, Fig. 5), and those the paper has no name for: courses that
 * become slow by and by.
 */

import type { Course } from '../bisection/replay.js';

export const courseClasses = [
  'monotonic, single-dominant',
  'monotonic, multi-dominant',
  'non-monotonic, single-dominant',
  'non-monotonic, multi-dominant',
  'no dominating commit',
] as const;

export type CourseClass = (typeof courseClasses)[number];

type Dominated = Exclude<CourseClass, 'no dominating commit'>;

/** From one commit that says something to the next. */
export interface Change {
  readonly before: number;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export interface ClassifiedCourse {
  readonly class: CourseClass;
  /** The rises that make it slow: each a third of the difference between the ends, or more. */
  readonly dominating: readonly Change[];
}

/** A fall of less than this share of the whole span is a fluctuation. */
const fluctuation = 0.05;

/**
 * The class of a course; undefined for one that is not slower at its end. A rise dominates if it is at least a third of
 * the difference between the ends, the threshold of Algorithm 2; a fall counts if it is more than a fluctuation.
 *
 * @param least what is less is no difference
 */
export function courseClass(course: Course, least: number): ClassifiedCourse | undefined {
  const changes = changesOf(course);
  const levels = course.filter((level) => level !== undefined);
  const [first, last] = [levels[0], levels.at(-1)];
  if (first === undefined || last === undefined || last - first < least) return undefined;
  const dominating = changes.filter(({ from, to }) => to - from >= Math.max(least, (last - first) / 3));
  const span = Math.max(...levels) - Math.min(...levels);
  const isMonotonic = !changes.some(({ from, to }) => from - to >= Math.max(least, fluctuation * span));
  const dominated: Dominated = `${isMonotonic ? '' : 'non-'}monotonic, ${dominating.length > 1 ? 'multi' : 'single'}-dominant`;
  return { class: dominating.length === 0 ? 'no dominating commit' : dominated, dominating };
}

/** How often a case became slow by what counts: the commits it exposes (Fig. 7). */
export function slowdownsIn(course: Course, least: number): readonly Change[] {
  const levels = course.filter((level) => level !== undefined);
  if (levels.length === 0) return [];
  const span = Math.max(...levels) - Math.min(...levels);
  return changesOf(course).filter(({ from, to }) => to - from >= Math.max(least, span / 3));
}

function changesOf(course: Course): readonly Change[] {
  const changes: Change[] = [];
  let before: { readonly at: number; readonly level: number } | undefined;
  for (const [at, level] of course.entries()) {
    if (level === undefined) continue;
    if (before !== undefined && before.level !== level)
      changes.push({ before: before.at, at, from: before.level, to: level });
    before = { at, level };
  }
  return changes;
}
