/** Measures timelines of cases over versions or commits. */

import { availableParallelism } from 'node:os';
import { artifactsFor, type BuilderRequest, localBuilds } from '../../builds/index.js';
import { Fault } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import { type Runner, readCalibration } from '../../solver/index.js';
import { sensitivityFor } from '../measuring/levels.js';
import type { CommitRange } from '../range/commit-range.js';
import { namedCommits } from '../range/named-commits.js';
import { type Quickness, type QuicknessRequest, quickness } from '../range/quickness.js';
import { measurePoints, type NamedVersion, type PointOptions } from './measure-points.js';
import { sampledCommits } from './sampled-commits.js';
import { type Timeline, timeline } from './timeline.js';

export interface SampledRange extends CommitRange {
  /** The step between sampled commits; both ends are always included. */
  readonly every: number;
  readonly builder: BuilderRequest;
  readonly quickness: QuicknessRequest;
  readonly signal: AbortSignal;
  readonly onBuild: (at: number, all: number, commit: string) => void;
}

/** Builds sampled commits between two named ones. */
export async function versionsBetween(
  range: SampledRange,
): Promise<{ readonly versions: readonly NamedVersion[]; readonly quickness: Quickness } | Fault> {
  const { every, signal, onBuild } = range;
  const commits = await namedCommits(range, range.builder, signal);
  if (commits instanceof Fault) return commits;
  const quick = quickness(range.quickness, commits.builder);
  if (quick instanceof Fault) return quick;
  const builder = { ...commits.builder, recipe: quick.recipe };
  const jobs = availableParallelism();
  const versions = await sampledCommits({
    ...commits,
    builder,
    every,
    builds: localBuilds(),
    jobs,
    signal,
    onBuild,
    collectArtifacts: artifactsFor(quick),
  });
  return versions instanceof Fault ? versions : { versions, quickness: quick };
}

export interface NamedTimeline {
  readonly name: string;
  readonly line: Timeline;
}

export interface TimelineJob extends Omit<PointOptions, 'onRun'> {
  readonly formulas: readonly { readonly name: string; readonly formula: Script }[];
  readonly versions: readonly NamedVersion[];
  /** The smallest relevant difference, in the unit measured. */
  readonly threshold: number | undefined;
  readonly onRun: (formula: string, version: string) => void;
  readonly onTimeline: (timeline: NamedTimeline) => void;
}

/** An abort returns the timelines so far. */
export async function measureTimelines(
  runner: Runner,
  { formulas, versions, threshold, onRun, onTimeline, ...options }: TimelineJob,
): Promise<readonly NamedTimeline[]> {
  const { relative: relativeNoise } = await readCalibration();
  const sensitivity = sensitivityFor(options.by, { threshold, relativeNoise });
  const timelines: NamedTimeline[] = [];
  for (const { name, formula } of formulas) {
    if (options.signal.aborted) break;
    const points = await measurePoints(runner, formula, versions, {
      ...options,
      onRun: (version) => onRun(name, version),
    });
    const measured = { name, line: timeline(points, sensitivity) };
    timelines.push(measured);
    onTimeline(measured);
  }
  return timelines;
}
