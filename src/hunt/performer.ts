/** Measures a hunt's formulas on real solvers. */

import {
  type CoverageRunner,
  type Executed,
  grownWork,
  growth,
  type PackedCounts,
  packedText,
} from '../coverage/index.js';
import { Fault, limitsFor, ThrownFault, YieldTimer } from '../machine/index.js';
import { type Property, reduceFormula, Slower, VerdictCache } from '../reduce/index.js';
import { printScript, type Script } from '../smtlib/index.js';
import {
  checkClaim,
  compareVersions,
  confirmingNoise,
  findingRule,
  isAnswer,
  measureEarly,
  measureFully,
  quickRule,
  type Runner,
  type RunOn,
  type Runs,
  type Slowness,
  slowdownIn,
  spentMs,
  type Version,
} from '../solver/index.js';
import type { Reduction, Task } from './candidates.js';
import { nothingMeasured, shrunkToCore } from './core.js';
import { asWritten, type EventOf, formulaMark, runAsWritten, type WrongModel } from './events.js';
import { FormulaFailure } from './failures.js';
import type { Trial } from './strategy.js';

/** Measurements without time and identity. */
export type Shrunk = Pick<EventOf<'shrunk'>, 'text' | 'telling' | 'runs'>;
export type Confirmed = Pick<
  EventOf<'confirmed'>,
  'samples' | 'verdict' | 'referenceMs' | 'newestMs' | 'wrongModels'
>;
export type Tried = Pick<EventOf<'tried'>, 'runs' | 'wrongModels' | 'executed' | 'grown'>;

export type Reduced = Pick<
  EventOf<'reduced'>,
  'text' | 'isMinimal' | 'samples' | 'referenceMs' | 'newestMs' | 'grown'
>;

export interface ReductionProgress {
  /** Sizes in characters: at first, and of the smallest formula so far. */
  readonly from: number;
  readonly size: number;
  readonly tried: number;
}

export interface Reducing {
  /** How many candidates to test in parallel. */
  readonly jobs: number;
  readonly onProgress?: ((progress: ReductionProgress) => void) | undefined;
}

export interface Performer {
  try(trial: Trial, signal: AbortSignal): Promise<Tried>;
  shrink(task: Task & { task: 'shrink' }, signal: AbortSignal): Promise<Shrunk>;
  confirm(task: Task & { task: 'confirm' }, signal: AbortSignal): Promise<Confirmed>;
  reduce(task: Reduction, reducing: Reducing, signal: AbortSignal): Promise<Reduced>;
}

/** Measures coverage. */
export type CoverageSource = Pick<CoverageRunner, 'add' | 'run' | 'runPacked' | 'namesOf'>;

type MeasuredTrial = Pick<Trial, 'formula' | 'measuring' | 'likelyReferenceMs'>;

/** The most runs for shrinking one formula. */
const shrinkTries = 400;

/** Runs of each version for a confirmation. */
const confirmRepeats = { least: 2, most: 5 } as const;

/** One in this many fully measured formulas has its models checked, which costs additional runs. */
const spotCheck = 25;

/** As many functions as a report shows. */
const mostGrown = 10;

/** The fastest older version; the oldest if none answered. */
function quickestIn(samples: EventOf<'confirmed'>['samples']): number {
  const times = samples
    .slice(0, -1)
    .map((runs) => (runs.some(isAnswer) ? Math.min(...runs.map(spentMs)) : Number.POSITIVE_INFINITY));
  return Math.max(0, times.indexOf(Math.min(...times)));
}

/** Depends on the formula only, so that interruptions do not change the campaign. */
function isSpotCheckDue(formula: Script): boolean {
  return Number.parseInt(formulaMark(formula).slice(0, 8), 16) % spotCheck === 0;
}

/** Versions answer sat and unsat; checking the models can decide. */
function isContradictory(runs: Runs): boolean {
  const says = (answer: 'sat' | 'unsat'): boolean => runs.some((run) => run?.outcome === answer);
  return says('sat') && says('unsat');
}

export class SolverPerformer implements Performer {
  constructor(
    private readonly runner: Runner,
    private readonly versions: readonly Version[],
    private readonly slowness: Slowness,
    private readonly memoryBytes: number,
    /** Coverage of versions that count it, for strategies and reports. */
    private readonly coverage?: CoverageSource | undefined,
    /** Count coverage of every fully measured formula, even if the strategy does not request it. */
    private readonly isCounting = false,
  ) {}

  async try(trial: Trial, signal: AbortSignal): Promise<Tried> {
    const isCounted = trial.isCounted || (this.isCounting && trial.measuring === 'full');
    let executed: PackedCounts | undefined;
    const told = isCounted ? (counts: PackedCounts) => (executed = counts) : undefined;
    const runs = await this.#measure(trial, signal, told);
    const grown =
      trial.isCompared && executed ? await this.#grownOver(trial.formula, runs, executed, signal) : undefined;
    const isSpotCheck = trial.measuring === 'full' && isSpotCheckDue(trial.formula);
    const isAsked = trial.measuring === 'checked' || isSpotCheck || isContradictory(runs);
    const wrong = isAsked ? await this.#wrongModels(trial.formula, runs, signal) : [];
    return {
      runs: asWritten(runs),
      ...(executed === undefined ? {} : { executed: packedText(executed) }),
      ...(grown === undefined ? {} : { grown: packedText(grown) }),
      ...(wrong.length === 0 ? {} : { wrongModels: wrong }),
    };
  }

  get #coverageSource(): CoverageSource {
    if (this.coverage === undefined)
      throw new Error('a strategy that asks what is executed needs a version that counts it');
    return this.coverage;
  }

  /** Coverage by which the newest version exceeds the fastest older one, if the formula is slow and both count. */
  async #grownOver(
    formula: Script,
    runs: Runs,
    executed: PackedCounts,
    signal: AbortSignal,
  ): Promise<PackedCounts | undefined> {
    const slowdown = slowdownIn(runs, this.slowness);
    const [version, newest] = [slowdown && this.versions[slowdown.reference], this.versions.at(-1)];
    if (version === undefined || newest === undefined) return undefined;
    const counting = this.#coverageSource;
    if (!(await countAlike(counting, version, newest))) return undefined;
    const limits = limitsFor(this.slowness.timeoutMs, this.memoryBytes);
    const before = await counting.runPacked({ formula, version, limits }, signal);
    if (before instanceof Fault) return undefined;
    const grown = grownWork(
      { executed: before.executed, names: counting.namesOf(version) },
      { executed, names: counting.namesOf(newest) },
    );
    return grown.total > 0 ? grown : undefined;
  }

  /** Requests a model from every version that answers sat; returns the wrong ones. */
  async #wrongModels(formula: Script, runs: Runs, signal: AbortSignal): Promise<WrongModel[]> {
    const found: WrongModel[] = [];
    const limits = limitsFor(this.slowness.timeoutMs, this.memoryBytes);
    for (const [at, version] of this.versions.entries()) {
      if (runs[at]?.outcome !== 'sat') continue;
      const verdict = await checkClaim(this.runner, formula, version, this.versions, limits, signal);
      if (verdict.kind !== 'wrong') continue;
      found.push({
        version: at,
        model: verdict.model,
        refutedBy: [...verdict.refutedBy],
        ...(verdict.isEvaluated ? {} : { isByOthers: true }),
      });
    }
    return found;
  }

  async shrink({ formula, runs }: Task & { task: 'shrink' }, signal: AbortSignal): Promise<Shrunk> {
    const shrinking = shrunkToCore({ formula, runs }, this.slowness, shrinkTries);
    const yieldTimer = new YieldTimer(signal);
    let runsOfStep = nothingMeasured;
    for (;;) {
      const step = computed(() => shrinking.next(runsOfStep));
      if (step.done) {
        const { formula: core, cause, runs: coreRuns } = step.value;
        return computed(() => ({
          text: printScript(core),
          telling: cause === core ? undefined : printScript(cause),
          runs: asWritten(coreRuns),
        }));
      }
      if (yieldTimer.isDue) await yieldTimer.yieldNow();
      runsOfStep = step.value === undefined ? nothingMeasured : await this.#measure(step.value, signal);
    }
  }

  /** Runs the versions in turns, without state from other formulas, until the verdict is certain. */
  async confirm({ formula }: Pick<Task, 'formula'>, signal: AbortSignal): Promise<Confirmed> {
    const { timeoutMs, thresholdMs } = this.slowness;
    const { samples, verdict } = await compareVersions(this.runner, formula, this.versions, {
      limits: limitsFor(timeoutMs, this.memoryBytes),
      noise: confirmingNoise(this.slowness),
      thresholdMs,
      repeats: confirmRepeats,
      fresh: true,
      signal,
    });
    const compared = verdict.kind === 'incomparable' ? undefined : verdict;
    const first = samples.map(({ runs }) => runs[0]);
    const wrong = await this.#wrongModels(formula, first, signal);
    return {
      samples: samples.map((sample) => sample.runs.map(runAsWritten)),
      verdict: verdict.kind,
      referenceMs: compared?.referenceMs,
      newestMs: compared?.newestMs,
      ...(wrong.length === 0 ? {} : { wrongModels: wrong }),
    };
  }

  /** Reduces the formula with the full reducer, then compares the versions' coverage on the result. */
  async reduce(task: Reduction, reducing: Reducing, signal: AbortSignal): Promise<Reduced> {
    const { formula, ...reduced } = await this.#reduced(task, reducing, signal);
    const grown = await this.#grownIn(formula, reduced.samples ?? [], signal);
    return { text: printScript(formula), ...reduced, grown };
  }

  /** Reduces with the rule for findings, so that the result is a finding too. */
  async #reduced(
    { formula }: Reduction,
    { jobs, onProgress }: Reducing,
    signal: AbortSignal,
  ): Promise<Omit<Reduced, 'text' | 'grown'> & { readonly formula: Script }> {
    const newest = this.versions.at(-1);
    if (newest === undefined) throw new Error('there is no version to reduce a formula for');
    const others = this.versions.slice(0, -1);
    const { slowness, memoryBytes } = this;
    const slower = new Slower(this.runner, { newest, others, slowness, memoryBytes });
    const sure = new Map<Script, Confirmed>();
    let outside: unknown;
    /** Marks errors of solvers, for which the formula is not responsible. */
    const fromOutside = <Value>(job: Promise<Value>): Promise<Value> =>
      job.catch((error: unknown) => {
        outside = error;
        throw error;
      });
    const property: Property = {
      summary: slower.summary,
      key: slower.key,
      holds: (candidate, isStrict, stop) => fromOutside(slower.holds(candidate, isStrict, stop)),
      explainFailure: (candidate, stop) => fromOutside(slower.explainFailure(candidate, stop)),
      confirm: async (candidate, stop) => {
        const confirmed = await fromOutside(this.confirm({ formula: candidate }, stop));
        sure.set(candidate, confirmed);
        return confirmed.verdict === 'slower';
      },
    };
    const from = printScript(formula).length;
    const tell = ({ size, tried }: Pick<ReductionProgress, 'size' | 'tried'>): void =>
      onProgress?.({ from, size, tried });
    tell({ size: from, tried: 0 });
    try {
      const known = await VerdictCache.open(property);
      const reduction = { jobs, known, signal, onProgress: tell };
      let reduced = await reduceFormula(formula, property, reduction);
      // The formula was slow when confirmed, so one measurement that says otherwise may be noise.
      if (reduced instanceof Fault) reduced = await reduceFormula(formula, property, reduction);
      // An aborted reduction is not confirmed. The next attempt reuses its cached verdicts.
      signal.throwIfAborted();
      if (reduced instanceof Fault || !reduced.isSure) return { formula, isMinimal: false };
      const { samples, referenceMs, newestMs } = sure.get(reduced.formula) ?? {};
      return { formula: reduced.formula, isMinimal: reduced.isMinimal, samples, referenceMs, newestMs };
    } catch (error) {
      if (signal.aborted || error === outside) throw error;
      throw new FormulaFailure(error);
    }
  }

  /**
   * Functions that the newest version calls more often than the fastest older one; undefined if one does not count.
   */
  async #grownIn(
    formula: Script,
    samples: EventOf<'confirmed'>['samples'],
    signal: AbortSignal,
  ): Promise<Reduced['grown']> {
    const { coverage, versions } = this;
    const [reference, newest] = [versions[quickestIn(samples)], versions.at(-1)];
    if (coverage === undefined || reference === undefined || newest === undefined) return undefined;
    const limits = limitsFor(this.slowness.timeoutMs, this.memoryBytes);
    if (!(await countAlike(coverage, reference, newest))) return undefined;
    const executed: Executed[] = [];
    for (const version of [reference, newest]) {
      const covered = await coverage.run({ formula, version, limits }, signal);
      if (covered instanceof Fault) return undefined;
      executed.push(covered.executed);
    }
    const [before, after] = executed;
    return before && after && growth(before, after).slice(0, mostGrown);
  }

  /** @param told receives the newest version's coverage in its last run */
  #measure(
    { formula, measuring, likelyReferenceMs }: MeasuredTrial,
    signal: AbortSignal,
    told?: (executed: PackedCounts) => void,
  ): Promise<Runs> {
    const run: RunOn<Version> = async (version, limitMs, how) => {
      const request = {
        formula,
        version,
        limits: limitsFor(limitMs, this.memoryBytes),
        work: how === 'work',
        glance: how === 'glance',
      };
      if (told === undefined || version !== this.versions.at(-1))
        return runAsWritten(await this.runner.run(request, signal));
      const counted = await this.#coverageSource.runPacked(request, signal);
      if (counted instanceof Fault) throw new ThrownFault(counted);
      told(counted.executed);
      return runAsWritten(counted.run);
    };
    const { versions } = this;
    switch (measuring) {
      case 'full':
        return measureFully(versions, run, this.slowness.timeoutMs);
      case 'quick':
        return measureEarly(versions, run, quickRule(this.slowness), { likelyReferenceMs });
      case 'sure':
        return measureEarly(versions, run, findingRule(this.slowness), { likelyReferenceMs });
      default:
        return measureEarly(versions, run, this.slowness, {
          isThorough: measuring === 'checked',
          isLikelyHard: measuring === 'others-first',
        });
    }
  }
}

/** Both versions count, and the same unit (lines or calls), so that names are comparable. */
async function countAlike(counting: CoverageSource, one: Version, other: Version): Promise<boolean> {
  for (const version of [one, other]) if ((await counting.add(version)) !== undefined) return false;
  return counting.namesOf(one).counts === counting.namesOf(other).counts;
}

/** Errors in pure computation are failures on the formula. */
function computed<Value>(job: () => Value): Value {
  try {
    return job();
  } catch (error) {
    throw new FormulaFailure(error);
  }
}
