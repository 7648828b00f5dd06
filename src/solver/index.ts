/**
 * Solver versions: where they come from, how each family is called, limits, measured runs.
 *
 * ```ts
 * import { parseScript } from 'culprit/smtlib';
 * import { Fault, LocalRunner, parseSpecList, resolveVersions, surroundings } from 'culprit/solver';
 *
 * const around = await surroundings();
 * if (around instanceof Fault) throw new Error(around.message);
 * const specs = parseSpecList('z3@4.8.17,z3@5.2.0');
 * if (specs instanceof Fault) throw new Error(specs.message);
 * const resolved = await resolveVersions(specs, around);
 * if (resolved instanceof Fault) throw new Error(resolved.message);
 *
 * const runner = new LocalRunner({ workers: 2 });
 * const formula = parseScript('(declare-const x Int) (assert (> (* x x) 2)) (check-sat)');
 * for (const version of resolved.versions) {
 *   console.log(version.name, await runner.run({ formula, version, limits: { wallMs: 10_000 } }));
 * }
 * await runner.close();
 * ```
 */

export { Fault } from '../machine/fault.js';
export type { Limits } from '../machine/limits.js';
export { type Resolved, resolveVersion, resolveVersions, surroundings } from './catalog/resolve.js';
export {
  type CalibrationOptions,
  calibrate,
  largestNoise,
  measureSkew,
  type VersionStability,
} from './measure/calibrate.js';
export {
  type CompareOptions,
  type Comparison,
  compareVersions,
  judge,
  type Sample,
  summarize,
  type Verdict,
} from './measure/compare.js';
export { checkModel, type Disagreement, disagreementOf, type ModelVerdict } from './measure/disagreement.js';
export { assumedNoise, type Noise, safetyFactor, thresholdMs } from './measure/noise.js';
export type { Answer, Outcome, Run, Runner, RunRequest } from './run/run.js';
export { formulaKey, type RunRecord, requestKey, versionKey } from './run/run-record.js';
export { CachedRunner } from './runners/cached.js';
export { type LocalOptions, LocalRunner } from './runners/local.js';
export { RecordingRunner, ReplayingRunner, readRecords } from './runners/recorded.js';
export { parseSpec, parseSpecList, printSpec, type VersionSpec } from './version/spec.js';
export type { FamilyName, Program, SourceName, Version } from './version/version.js';
