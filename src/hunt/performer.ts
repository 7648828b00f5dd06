/** Does what a hunt asks for, on real solvers. */

import { Breath } from '../machine/index.js';
import { printScript } from '../smtlib/index.js';
import {
  compareVersions,
  confirmingNoise,
  findingRule,
  limitsFor,
  measureEarly,
  measureFully,
  quickRule,
  type Runner,
  type RunOn,
  type Runs,
  type Slowness,
  type Version,
} from '../solver/index.js';
import type { Task } from './candidates.js';
import { nothingMeasured, shrunkToCore } from './core.js';
import { asWritten, type EventOf, runAsWritten, type WrittenRuns } from './events.js';
import { FormulaFailure } from './failures.js';
import type { Trial } from './strategy.js';

/** What a measurement holds besides when and for whom it was made. */
export type Shrunk = Pick<EventOf<'shrunk'>, 'text' | 'telling' | 'runs'>;
export type Confirmed = Pick<EventOf<'confirmed'>, 'samples' | 'verdict' | 'referenceMs' | 'newestMs'>;

export interface Performer {
  try(trial: Trial, signal: AbortSignal): Promise<WrittenRuns>;
  shrink(task: Task & { task: 'shrink' }, signal: AbortSignal): Promise<Shrunk>;
  confirm(task: Task & { task: 'confirm' }, signal: AbortSignal): Promise<Confirmed>;
}

/** What to measure, and how. */
type MeasuredTrial = Pick<Trial, 'formula' | 'measuring' | 'likelyReferenceMs'>;

/** The most runs spent on shrinking one formula. */
const shrinkTries = 400;

/** Runs of each version before a finding may be called one, and the most there may be. */
const confirmRepeats = { least: 2, most: 5 } as const;

export class SolverPerformer implements Performer {
  constructor(
    private readonly runner: Runner,
    private readonly versions: readonly Version[],
    private readonly slowness: Slowness,
    private readonly memoryBytes: number,
  ) {}

  async try(trial: Trial, signal: AbortSignal): Promise<WrittenRuns> {
    return asWritten(await this.#measure(trial, signal));
  }

  async shrink({ formula, runs }: Task & { task: 'shrink' }, signal: AbortSignal): Promise<Shrunk> {
    const shrinking = shrunkToCore({ formula, runs }, this.slowness, shrinkTries);
    const breath = new Breath(signal);
    let runsOfStep = nothingMeasured;
    for (;;) {
      const step = computed(() => shrinking.next(runsOfStep));
      if (step.done) {
        const { formula: core, telling, runs: coreRuns } = step.value;
        return computed(() => ({
          text: printScript(core),
          telling: telling === core ? undefined : printScript(telling),
          runs: asWritten(coreRuns),
        }));
      }
      if (breath.isDue) await breath.taken();
      runsOfStep = step.value === undefined ? nothingMeasured : await this.#measure(step.value, signal);
    }
  }

  /** Where nothing is left of other formulas, the versions in turns, until the verdict is sure. */
  async confirm({ formula }: Task & { task: 'confirm' }, signal: AbortSignal): Promise<Confirmed> {
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
    return {
      samples: samples.map((sample) => sample.runs.map(runAsWritten)),
      verdict: verdict.kind,
      referenceMs: compared?.referenceMs,
      newestMs: compared?.newestMs,
    };
  }

  #measure({ formula, measuring, likelyReferenceMs }: MeasuredTrial, signal: AbortSignal): Promise<Runs> {
    const run: RunOn<Version> = async (version, limitMs, how) =>
      runAsWritten(
        await this.runner.run(
          {
            formula,
            version,
            limits: limitsFor(limitMs, this.memoryBytes),
            work: how === 'work',
            glance: how === 'glance',
          },
          signal,
        ),
      );
    const { versions } = this;
    switch (measuring) {
      case 'full':
        return measureFully(versions, run, this.slowness.timeoutMs);
      case 'quick':
        return measureEarly(versions, run, quickRule(this.slowness), { likelyReferenceMs });
      case 'sure':
        return measureEarly(versions, run, findingRule(this.slowness), { likelyReferenceMs });
      default:
        return measureEarly(versions, run, this.slowness, { isThorough: measuring === 'checked' });
    }
  }
}

/** Whatever goes wrong without a solver, a file or a clock goes wrong because of the formula. */
function computed<Value>(job: () => Value): Value {
  try {
    return job();
  } catch (error) {
    throw new FormulaFailure(error);
  }
}
