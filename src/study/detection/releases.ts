/** When findings became slow, told by the releases between two versions: a count of causes no strategy is tuned to. */

import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { measureFormulas } from '../../campaign/index.js';
import { observationOf, sensitivityFor, timeline } from '../../history/index.js';
import { amounts, Fault, limitsFor, makeFolder, usageFault } from '../../machine/index.js';
import { readScript, type Script } from '../../smtlib/index.js';
import { type Run, type Runner, readCalibration, type Version, versionKey } from '../../solver/index.js';
import { sameText } from './causes.js';

/** How slow a formula is on one release: `level` is effort or milliseconds; null where it says nothing. */
const pointSchema = z.object({
  release: z.string(),
  outcome: z.string(),
  level: amounts.measure.nullable(),
});

const courseSchema = z.object({
  /** What the releases were: a course over others is none of these. */
  releases: z.array(z.string()),
  text: z.string(),
  by: z.enum(['effort', 'time']),
  /** Where a run was ended. */
  most: amounts.measure,
  points: z.array(pointSchema),
});

/** A formula over the releases, the oldest first. */
export type ReleaseCourse = z.infer<typeof courseSchema>;

/** Where it became slower or quicker. */
export interface ReleaseStep {
  /** The last release before it that says anything. */
  readonly before: string;
  readonly release: string;
  readonly direction: 'slower' | 'quicker';
  readonly from: number;
  readonly to: number;
}

export interface CoursesJob {
  /** Where the courses are kept: those that are there are not measured again. */
  readonly out: string;
  readonly texts: readonly string[];
  readonly releases: readonly Version[];
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  /** Formulas at once; effort does not depend on it. */
  readonly workers: number;
  readonly signal: AbortSignal;
  /** Told before the first is run, and when one has ended, how many are known and how many there are. */
  readonly onCourse?: ((done: number, of: number) => void) | undefined;
}

const fileName = 'releases.ndjson';
const timePerEffort = 4;

/**
 * The course of each formula, by the formula's text. Effort is compared under a limit on effort, which no other load on
 * the machine changes; where a solver does not count it, time. Ended early, it gives what it has.
 */
export async function measureCourses(
  runner: Runner,
  { out, texts, releases, timeoutMs, memoryBytes, workers, signal, onCourse }: CoursesJob,
): Promise<ReadonlyMap<string, ReleaseCourse> | Fault> {
  await makeFolder(out);
  const keys = releases.map(versionKey);
  return measureFormulas({
    path: join(out, fileName),
    texts: texts.map(sameText),
    read: (value) => courseSchema.safeParse(value).data,
    matches: (course) => isDeepStrictEqual(course.releases, keys),
    measure: async (text): Promise<ReleaseCourse | undefined> => {
      const formula = readScript(text);
      // What a campaign found it can read; somebody has changed its files.
      if (formula instanceof Fault) return undefined;
      const course = await courseOf(runner, formula, releases, { timeoutMs, memoryBytes, signal });
      return course && { releases: keys, text, ...course };
    },
    workers,
    signal,
    onDone: onCourse,
  });
}

/** Undefined if it was ended from outside. */
async function courseOf(
  runner: Runner,
  formula: Script,
  releases: readonly Version[],
  { timeoutMs, memoryBytes, signal }: Pick<CoursesJob, 'timeoutMs' | 'memoryBytes' | 'signal'>,
): Promise<Pick<ReleaseCourse, 'by' | 'most' | 'points'> | undefined> {
  // A version that counts its work otherwise may take so many times as long for it.
  const limits = limitsFor(timePerEffort * timeoutMs, memoryBytes);
  const points: ReleaseCourse['points'] = [];
  let mostEffort: number | undefined;
  try {
    for (const [at, version] of releases.entries()) {
      const isCounted = at > 0 && mostEffort !== undefined;
      const run = await runner.run(
        { formula, version, limits: isCounted ? limits : limitsFor(timeoutMs, memoryBytes), mostEffort },
        signal,
      );
      if (at === 0) mostEffort = effortLimitAfter(run);
      const by = mostEffort === undefined ? 'time' : 'effort';
      const seen = observationOf(run, timeoutMs, by, mostEffort);
      const level = seen.kind === 'measured' ? (seen.samples[0] ?? null) : null;
      points.push({ release: version.name, outcome: run.outcome, level });
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
  return mostEffort === undefined
    ? { by: 'time', most: timeoutMs, points }
    : { by: 'effort', most: mostEffort, points };
}

/** So many times the effort of the oldest version is slow for sure, and so much at least. */
const slowFactor = 20;
const leastLimit = 500_000;

/** Told by the effort alone, so that the course is the same on every machine; undefined where there is none. */
function effortLimitAfter({ outcome, effort }: Run): number | undefined {
  const isCounted = (outcome === 'sat' || outcome === 'unsat') && effort !== undefined;
  return isCounted ? Math.max(leastLimit, slowFactor * effort) : undefined;
}

/** A release that does not double it, or halve it, is not what made the difference. */
const leastRatio = 2;

/** The steps of a course that make up a fifth of all its difference at least, as those of `culprit timeline`. */
export function stepsOf(course: ReleaseCourse, relativeNoise: number): readonly ReleaseStep[] {
  const points = course.points.map(({ release, level }) => ({
    name: release,
    observation:
      level === null
        ? { kind: 'unmeasured' as const, fault: usageFault('it says nothing') }
        : { kind: 'measured' as const, samples: [level] },
  }));
  const { changes } = timeline(points, sensitivityFor(course.by, { threshold: undefined, relativeNoise }));
  const telling = changes.filter(({ from, to }) => Math.max(from, to) >= leastRatio * Math.min(from, to));
  return telling.map(({ before, at, direction, from, to }) => ({
    before: points[before]?.name ?? '',
    release: points[at]?.name ?? '',
    direction,
    from,
    to,
  }));
}

/** The steps of each formula, by its text. */
export async function stepsByText(
  courses: ReadonlyMap<string, ReleaseCourse>,
): Promise<ReadonlyMap<string, readonly ReleaseStep[]>> {
  const { relative } = await readCalibration();
  return new Map([...courses].map(([text, course]) => [text, stepsOf(course, relative)]));
}

/** The formulas that became slower at a release, each with its step there. */
export function stepsOfRelease(
  steps: ReadonlyMap<string, readonly ReleaseStep[]>,
  release: string,
): ReadonlyMap<string, ReleaseStep> {
  return new Map(
    [...steps].flatMap(([text, own]) => {
      const step = own.find((one) => one.direction === 'slower' && one.release === release);
      return step === undefined ? [] : [[text, step] as const];
    }),
  );
}

/** For each formula the releases at which it became slower, to be counted as commits are. */
export function slowReleases(
  steps: ReadonlyMap<string, readonly ReleaseStep[]>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...steps].map(([text, own]) => [
      text,
      own.filter(({ direction }) => direction === 'slower').map(({ release }) => release),
    ]),
  );
}
