/**
 * A line of commits and the cases that became slower on it: bisection of many cases at once, timelines and triage.
 */

export {
  type BegunBisection,
  beginBisection,
  resumeBisection,
  shellCommand,
} from './bisection/begin-bisection.js';
export type { Bisection, Culprit } from './bisection/bisection.js';
export { bisectionSchema } from './bisection/bisection-file.js';
export { type ExaminedBisection, examinedBisection, finishedBisection } from './bisection/finished.js';
export { bisectLocally, type LocalProgress } from './bisection/local-bisection.js';
export { bisectionFolder } from './bisection/open-bisection.js';
export { type RecordedHistory, recordedHistory } from './bisection/recorded-history.js';
export {
  type BisectStrategy,
  type CommitHistory,
  type CostModel,
  type LevelTimeline,
  type Replay,
  replay,
} from './bisection/replay.js';
export type { BisectSettings } from './bisection/settings.js';
export { verifyingSchema } from './bisection/settings.js';
export { type Standing, standingOf } from './bisection/standing.js';
export { storedCase } from './bisection/stored-case.js';
export { levelOf, type Sensitivity, sensitivityFor } from './measuring/levels.js';
export { observationOf } from './measuring/measurer.js';
export { moreEffort } from './measuring/more-effort.js';
export { type CommitRange, commitRange } from './range/commit-range.js';
export { type NamedCommits, namedCommits } from './range/named-commits.js';
export type { Quickness } from './range/quickness.js';
export { quickness } from './range/quickness.js';
export { runnablesOf } from './range/runnables.js';
export type { NamedVersion } from './timeline/measure-points.js';
export { measureTimelines, versionsBetween } from './timeline/measure-timelines.js';
export { type ChangePoint, type Point, type Timeline, timeline } from './timeline/timeline.js';
export type { Dossier } from './triage/dossier.js';
export { dossiers } from './triage/dossier.js';
export {
  classifyTimeline,
  slowdownsIn,
  type TimelineClass,
  timelineClasses,
} from './triage/timeline-class.js';
export { triage } from './triage/triage.js';
export {
  type Class,
  classes,
  type Intention,
  intentions,
  triageRulesIn,
  triageSchema,
} from './triage/triage-rules.js';
