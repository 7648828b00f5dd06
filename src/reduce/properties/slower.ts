/** Keeps a formula slower on a newer version than on older ones. */

import { limitsFor } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import {
  compareVersions,
  confirmingNoise,
  findingRule,
  isAnswer,
  quickRule,
  type Run,
  type Runner,
  type Runs,
  runPast,
  type Slowness,
  slowdownIn,
  spentMs,
  thresholdOver,
  type Version,
} from '../../solver/index.js';
import type { Property } from '../property.js';
import { stableKey } from '../stable-key.js';

export interface SlowerQuestion {
  readonly newest: Version;
  /** At least one of them must stay fast. */
  readonly others: readonly Version[];
  readonly slowness: Slowness;
  readonly memoryBytes: number;
}

/** A solver needs some time to start, however small the formula. */
const leastReferenceMs = 120;

/** Factor on a fixed threshold for the strict rule. */
const strictFactor = 1.1;

/** A run of this many times the slowdown limit is slow for certain. */
const certainFactor = 2;

function strictRule(slowness: Slowness): Slowness {
  const { thresholdMs } = slowness;
  if (thresholdMs === undefined) return findingRule(slowness);
  const higherMs = Math.min(strictFactor * thresholdMs, slowness.timeoutMs / strictFactor);
  return { ...slowness, thresholdMs: Math.max(thresholdMs, higherMs) };
}

/** Limit for an older version, as a multiple of its time on the last formula that held. */
const referenceSlack = 3;

const sureRepeats = { least: 2, most: 5 } as const;

export class Slower implements Property {
  readonly summary: string;
  readonly key: string | undefined;
  #patienceMs: number;
  /** The rule for the result. Its threshold is higher than requested, so that later runs confirm the slowdown. */
  #strictRule: Slowness;
  #hasHeld = false;
  /** Time of the fastest older version on the last formula that held. */
  #referenceMs: number | undefined;

  constructor(
    private readonly runner: Runner,
    private readonly question: SlowerQuestion,
  ) {
    const { newest, others, slowness, memoryBytes } = question;
    this.summary = `slower on ${newest.name} than on ${others.map((version) => version.name).join(', ')}`;
    this.key = stableKey([...others, newest], ['slower', slowness, memoryBytes]);
    this.#patienceMs = slowness.timeoutMs;
    this.#strictRule = strictRule(slowness);
  }

  async holds(formula: Script, isStrict: boolean, signal: AbortSignal): Promise<boolean> {
    const { slowness } = this.question;
    const rule = isStrict ? this.#strictRule : quickRule(slowness);
    const runs = await this.#measure(formula, rule, signal);
    let slowdown = slowdownIn(runs, rule);
    if (slowdown === undefined && isStrict && !this.#hasHeld) {
      // An original formula just above the threshold is accepted by the requested rule.
      slowdown = slowdownIn(runs, slowness);
      if (slowdown !== undefined) this.#strictRule = slowness;
    }
    if (slowdown === undefined) return false;
    this.#hasHeld ||= isStrict;
    this.#referenceMs = slowdown.referenceMs;
    const mostMs = Math.max(leastReferenceMs, referenceSlack * slowdown.referenceMs);
    this.#patienceMs = Math.min(this.#patienceMs, mostMs);
    return true;
  }

  async explainFailure(formula: Script, signal: AbortSignal): Promise<string> {
    const { slowness, newest, others } = this.question;
    this.#patienceMs = slowness.timeoutMs;
    const runs = await this.#measure(formula, slowness, signal);
    const endings = [...others, newest].map((version, at) => `${version.name}: ${endingOf(runs[at])}`);
    return `the formula is not ${this.summary} (${endings.join(', ')})`;
  }

  async confirm(formula: Script, signal: AbortSignal): Promise<boolean> {
    const { newest, others, slowness, memoryBytes } = this.question;
    const { verdict } = await compareVersions(this.runner, formula, [...others, newest], {
      limits: limitsFor(this.#enoughMs(), memoryBytes),
      noise: confirmingNoise(slowness),
      thresholdMs: slowness.thresholdMs,
      repeats: sureRepeats,
      fresh: true,
      signal,
    });
    return verdict.kind === 'slower';
  }

  /** A longer time would not change the verdict. */
  #enoughMs(): number {
    const { slowness } = this.question;
    if (this.#referenceMs === undefined) return slowness.timeoutMs;
    const slowFromMs = this.#referenceMs + thresholdOver(this.#strictRule, this.#referenceMs);
    return Math.min(slowness.timeoutMs, certainFactor * slowFromMs);
  }

  /** Runs the older versions first, with a tight limit: if none of them is fast, the newest version is not run. */
  async #measure(formula: Script, rule: Slowness, signal: AbortSignal): Promise<Runs> {
    const { newest, others } = this.question;
    const runs: (Run | undefined)[] = [];
    for (const version of others) {
      runs.push(await this.#run(formula, version, this.#patienceMs, signal));
    }
    const answered = runs.filter(isAnswer);
    if (answered.length === 0) return [...runs, undefined];
    const referenceMs = Math.min(...answered.map(spentMs));
    const slowFromMs = referenceMs + thresholdOver(rule, referenceMs);
    const last = await runPast(slowFromMs, rule.timeoutMs, (limitMs) =>
      this.#run(formula, newest, limitMs, signal),
    );
    return [...runs, last];
  }

  #run(formula: Script, version: Version, limitMs: number, signal: AbortSignal): Promise<Run> {
    const { memoryBytes } = this.question;
    return this.runner.run({ formula, version, limits: limitsFor(limitMs, memoryBytes) }, signal);
  }
}

function endingOf(run: Run | undefined): string {
  if (run === undefined) return 'not run';
  const took = `${Math.round(spentMs(run))} ms`;
  return run.outcome === 'timeout' ? `no answer within ${took}` : `${run.outcome} after ${took}`;
}
