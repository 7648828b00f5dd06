/** Finds the releases at which findings became slow: a count of causes that no strategy is tuned to. */

import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { measureFormulas } from '../../campaign/index.js';
import { observationOf, sensitivityFor, timeline } from '../../history/index.js';
import { amounts, Fault, limitsFor, makeFolder, usageFault } from '../../machine/index.js';
import { readScript, type Script } from '../../smtlib/index.js';
import { type Run, type Runner, readCalibration, type Version, versionKey } from '../../solver/index.js';
import { canonicalText } from './causes.js';

/** Level of a formula on one release, as effort or milliseconds; null if the run gives no measurement. */
const pointSchema = z.object({
  release: z.string(),
  outcome: z.string(),
  level: amounts.measure.nullable(),
});

const timelineSchema = z.object({
  /** Keys of the releases; a timeline over other releases does not match. */
  releases: z.array(z.string()),
  text: z.string(),
  by: z.enum(['effort', 'time']),
  /** The limit of a run. */
  most: amounts.measure,
  points: z.array(pointSchema),
});

/** The timeline of a formula over the releases, the oldest first. */
export type ReleaseTimeline = z.infer<typeof timelineSchema>;

/** A release at which a formula became slower or quicker. */
export interface ReleaseStep {
  /** The last measured release before it. */
  readonly before: string;
  readonly release: string;
  readonly direction: 'slower' | 'quicker';
  readonly from: number;
  readonly to: number;
}

export interface ReleaseTimelinesJob {
  /** The folder of the stored timelines; stored ones are not measured again. */
  readonly out: string;
  readonly texts: readonly string[];
  readonly releases: readonly Version[];
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  /** Formulas measured at once; effort does not depend on it. */
  readonly workers: number;
  readonly signal: AbortSignal;
  /** Called before the first run and after each result, with the numbers of finished and of all formulas. */
  readonly onTimeline?: ((done: number, of: number) => void) | undefined;
}

const fileName = 'releases.ndjson';
const timePerEffort = 4;

/**
 * The timeline of each formula, by its text. Effort is compared under an effort limit, which machine load does not
 * affect. Time is compared if the solver does not count effort. If aborted, it returns the finished timelines.
 */
export async function measureReleaseTimelines(
  runner: Runner,
  {
    out,
    texts,
    releases,
    timeoutMs,
    memoryBytes,
    workers,
    signal,
    onTimeline: onCourse,
  }: ReleaseTimelinesJob,
): Promise<ReadonlyMap<string, ReleaseTimeline> | Fault> {
  await makeFolder(out);
  const keys = releases.map(versionKey);
  return measureFormulas({
    path: join(out, fileName),
    texts: texts.map(canonicalText),
    read: (value) => timelineSchema.safeParse(value).data,
    matches: (course) => isDeepStrictEqual(course.releases, keys),
    measure: async (text): Promise<ReleaseTimeline | undefined> => {
      const formula = readScript(text);
      // A campaign parses all formulas it finds, so its files were edited.
      if (formula instanceof Fault) return undefined;
      const course = await measureTimeline(runner, formula, releases, { timeoutMs, memoryBytes, signal });
      return course && { releases: keys, text, ...course };
    },
    workers,
    signal,
    onDone: onCourse,
  });
}

/** Undefined if aborted. */
async function measureTimeline(
  runner: Runner,
  formula: Script,
  releases: readonly Version[],
  { timeoutMs, memoryBytes, signal }: Pick<ReleaseTimelinesJob, 'timeoutMs' | 'memoryBytes' | 'signal'>,
): Promise<Pick<ReleaseTimeline, 'by' | 'most' | 'points'> | undefined> {
  // A version that counts effort differently may take longer by this factor.
  const limits = limitsFor(timePerEffort * timeoutMs, memoryBytes);
  const points: ReleaseTimeline['points'] = [];
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

/** The effort limit is this multiple of the oldest version's effort, but at least `leastLimit`. */
const slowFactor = 20;
const leastLimit = 500_000;

/** Depends on effort only, so that the timeline is the same on every machine; undefined without effort. */
function effortLimitAfter({ outcome, effort }: Run): number | undefined {
  const isCounted = (outcome === 'sat' || outcome === 'unsat') && effort !== undefined;
  return isCounted ? Math.max(leastLimit, slowFactor * effort) : undefined;
}

/** Ignores steps that change the level by less than this factor. */
const leastRatio = 2;

/** Steps that make up at least a fifth of the total difference, as in `culprit timeline`. */
export function stepsOf(course: ReleaseTimeline, relativeNoise: number): readonly ReleaseStep[] {
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

export async function stepsByText(
  courses: ReadonlyMap<string, ReleaseTimeline>,
): Promise<ReadonlyMap<string, readonly ReleaseStep[]>> {
  const { relative } = await readCalibration();
  return new Map([...courses].map(([text, course]) => [text, stepsOf(course, relative)]));
}

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

/** The releases at which each formula became slower, in the form of blamed commits. */
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
