export {
  type BegunBisection,
  beginBisection,
  resumeBisection,
  shellCommand,
} from './begin-bisection.js';
export { type BlameCase, type BlameRequest, beginBlame, blameFolder, blameFolderIn } from './begin-blame.js';
export type { Bisection, Culprit } from './bisect.js';
export { blame } from './blame.js';
export { type CommitRange, commitRange } from './commit-range.js';
export type { Dossier } from './dossier.js';
export { examinedBisection, finishedBisection } from './finished.js';
export { levelOf } from './levels.js';
export { bisectLocally, type LocalProgress } from './local-bisection.js';
export type { Place } from './measure-points.js';
export { measureTimelines, placesBetween } from './measure-timelines.js';
export type { BisectSettings } from './settings.js';
export type { ChangePoint, Point, Timeline } from './timeline.js';
