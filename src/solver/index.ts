/**
 * Solver versions: where they come from, how each family is called, limits, measured runs.
 *
 * ```ts
 * import { parseScript } from 'culprit/smtlib';
 * import { Fault, limitsFor, openRunner, parseSpecList, resolveVersions, surroundings } from 'culprit/solver';
 *
 * const around = await surroundings();
 * if (around instanceof Fault) throw new Error(around.message);
 * const specs = parseSpecList('z3@4.8.17,z3@5.2.0');
 * if (specs instanceof Fault) throw new Error(specs.message);
 * const resolved = await resolveVersions(specs, around);
 * if (resolved instanceof Fault) throw new Error(resolved.message);
 *
 * const runner = openRunner({ workers: 2 });
 * const formula = parseScript('(declare-const x Int) (assert (> (* x x) 2)) (check-sat)');
 * for (const version of resolved.versions) {
 *   console.log(version.name, await runner.run({ formula, version, limits: limitsFor(10_000) }));
 * }
 * await runner.close();
 * ```
 */

export { Fault, type Limits, limitsFor, timeoutOf } from '../machine/index.js';
export { rankProbability } from '../statistics/index.js';
export { findProblem } from './catalog/check.js';
export { inventory, type LocalVersion, localNames, programLocation } from './catalog/inventory.js';
export { solverNeeds } from './catalog/needs.js';
export { type ReleaseSource, releaseSources, releasesBetween } from './catalog/releases-between.js';
export { removeVersion } from './catalog/remove.js';
export { type Resolved, resolveVersion, resolveVersions, surroundings } from './catalog/resolve.js';
export { absoluteProgram, runnablesOf } from './catalog/runnables.js';
export { isAllowedOption, leftOutFor } from './families/allowed.js';
export { familyArguments } from './families/family.js';
export { textFor } from './families/formula-text.js';
export { families } from './families/index.js';
export { askedSlowness, type SlownessRequest } from './measure/asked-slowness.js';
export {
  type CalibrationOptions,
  calibrate,
  publishedThresholdMs,
  type Skew,
  type VersionStability,
} from './measure/calibrate.js';
export { calibrateMachine, randomFormulas } from './measure/calibrate-machine.js';
export { readCalibration } from './measure/calibration-file.js';
export { type ClaimVerdict, checkClaim } from './measure/claimed-model.js';
export {
  type CompareOptions,
  type Comparison,
  compareVersions,
  judge,
  type Sample,
  type SpeedVerdict,
  summarize,
} from './measure/compare.js';
export { checkModel, type Disagreement, disagreementOf, type ModelVerdict } from './measure/disagreement.js';
export { measureEarly, measureFully, type RunOn, runPast } from './measure/measure-early.js';
export {
  type MeasuredFormula,
  type ModelCheck,
  measureFormula,
} from './measure/measure-formula.js';
export { assumedNoise, isBusyNoise, type Noise, safetyFactor, thresholdMs } from './measure/noise.js';
export {
  confirmUnderSeeds,
  type Robustness,
  robustnesses,
  robustnessOf,
  type SeedVerdict,
  usualSeeds,
} from './measure/seeds.js';
export {
  confirmingNoise,
  findingRule,
  isAnswer,
  isLonger,
  isUnanswered,
  noiseSchema,
  paperSlowness,
  quickRule,
  type Runs,
  type Slowdown,
  type Slowness,
  score,
  slowdownIn,
  slownessSchema,
  thresholdOver,
  timeSequence,
} from './measure/slowness.js';
export {
  type Answer,
  type CallCounts,
  type FailedCheck,
  type Outcome,
  type Run,
  type Runner,
  type RunRequest,
  spentMs,
  type WarmableRunner,
  type WorkCounts,
} from './run/run.js';
export { formulaKey, runSchema, versionKey } from './run/run-record.js';
export { openRunner, type RunnerOptions } from './runners/chain.js';
export { namedProgram } from './sources/path.js';
export type { BuiltCommit, SolverSurroundings } from './sources/source.js';
export { spokenDialect } from './sources/spoken-dialect.js';
export { solversSchema } from './version/configuration.js';
export { dialectOf } from './version/dialects.js';
export {
  type BuildVariant,
  countingVariant,
  engineOf,
  type KnownFamily,
  parseSpec,
  parseSpecList,
  printSpec,
  type VersionSpec,
} from './version/spec.js';
export type { FamilyName, Program, SourceName, Version } from './version/version.js';
export { functionNames } from './wasm/function-names.js';
