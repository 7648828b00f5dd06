/**
 * A line of commits and what became slower on it: bisection of many cases at once, timelines, triage of the commits to
 * blame, and `blame`, which does all of it in a folder that can be left and resumed.
 */

export {
  type BegunBisection,
  beginBisection,
  resumeBisection,
  shellCommand,
} from './begin-bisection.js';
export {
  type BegunBlame,
  type BlameCase,
  type BlameRequest,
  beginBlame,
  blameFolder,
  blameFolderIn,
  whyNotBlamed,
} from './begin-blame.js';
export type { Bisection, Culprit } from './bisection.js';
export { bisectionSchema } from './bisection-file.js';
export { blame } from './blame.js';
export { type CommitRange, commitRange } from './commit-range.js';
export { type CourseClass, courseClass, courseClasses, slowdownsIn } from './course-class.js';
export type { Dossier } from './dossier.js';
export { type FailingFormula, NothingSlower } from './failing-formula.js';
export { type ExaminedBisection, examinedBisection, finishedBisection } from './finished.js';
export { levelOf, type Sensitivity, sensitivityFor } from './levels.js';
export { bisectLocally, type LocalProgress } from './local-bisection.js';
export type { NamedVersion } from './measure-points.js';
export { measureTimelines, versionsBetween } from './measure-timelines.js';
export { observationOf } from './measurer.js';
export type { Quickness } from './quickness.js';
export { type RecordedHistory, recordedHistory } from './recorded-history.js';
export {
  type BisectStrategy,
  type CommitHistory,
  type CostModel,
  type Course,
  type Replay,
  replay,
} from './replay.js';
export type { BisectSettings } from './settings.js';
export { type Standing, standingOf } from './standing.js';
export { type ChangePoint, type Point, type Timeline, timeline } from './timeline.js';
export { triage } from './triage.js';
export {
  type Class,
  classes,
  type Intention,
  intentions,
  triageRulesIn,
  triageSchema,
} from './triage-rules.js';
