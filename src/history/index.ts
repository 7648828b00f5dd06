/**
 * A line of commits and what became slower on it: bisection of many cases at once, timelines, triage of the commits to
 * blame, and `blame`, which does all of it in a folder that can be left and resumed.
 */

export type { Bisection, Culprit } from './bisection.js';
export { readBisection } from './bisection-file.js';
export { type BlameSettings, bisectionFolder, blame, openBlame } from './blame.js';
export { type Dossier, dossiers } from './dossier.js';
export { levelOf, sensitivityFor } from './levels.js';
export { bisectLocally } from './local-bisection.js';
export { measurePoints, type NamedVersion } from './measure-points.js';
export { sampledCommits } from './sampled-commits.js';
export { type BisectSettings, bisectSettingsSchema } from './settings.js';
export { type ChangePoint, type Point, type Timeline, timeline } from './timeline.js';
