/** Still slower on a newer version than on older ones. */

import type { Script } from '../../smtlib/index.js';
import {
  compareVersions,
  confirmingNoise,
  findingRule,
  isAnswer,
  limitsFor,
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
import { lastingKey } from '../version-key.js';

export interface SlowerQuestion {
  readonly newest: Version;
  /** One of them must stay quick. */
  readonly others: readonly Version[];
  readonly slowness: Slowness;
  readonly memoryBytes: number;
}

/** A solver needs some time to start, however small the formula. */
const leastReferenceMs = 120;

/** A fixed threshold is taken this many times as high where a result has to stand up to it. */
const lasting = 1.1;

/** Twice the time that makes a formula slow says it is slow for sure. */
const amply = 2;

function lastingRule(slowness: Slowness): Slowness {
  const { thresholdMs } = slowness;
  if (thresholdMs === undefined) return findingRule(slowness);
  const higherMs = Math.min(lasting * thresholdMs, slowness.timeoutMs / lasting);
  return { ...slowness, thresholdMs: Math.max(thresholdMs, higherMs) };
}

/** A smaller formula should not take an older version longer than this many times the most it took so far. */
const referenceSlack = 3;

/** Runs of each version before the result may be called slower, and the most there may be. */
const sureRepeats = { least: 2, most: 5 } as const;

export class Slower implements Property {
  readonly says: string;
  readonly key: string | undefined;
  /** What an older version may take for a formula that is worth a run on the newest. */
  #patienceMs: number;
  /** The rule the result must stand up to; by more than was asked, so that it still does another day. */
  #strictRule: Slowness;
  /** Some formula has held by it. */
  #hasHeld = false;
  /** How long the quickest of the older versions took for the last formula that held. */
  #referenceMs: number | undefined;

  constructor(
    private readonly runner: Runner,
    private readonly question: SlowerQuestion,
  ) {
    const { newest, others, slowness, memoryBytes } = question;
    this.says = `slower on ${newest.name} than on ${others.map((version) => version.name).join(', ')}`;
    this.key = lastingKey([...others, newest], ['slower', slowness, memoryBytes]);
    this.#patienceMs = slowness.timeoutMs;
    this.#strictRule = lastingRule(slowness);
  }

  async holds(formula: Script, isStrict: boolean, signal: AbortSignal): Promise<boolean> {
    const { slowness } = this.question;
    const rule = isStrict ? this.#strictRule : quickRule(slowness);
    const runs = await this.#measure(formula, rule, signal);
    let slowdown = slowdownIn(runs, rule);
    if (slowdown === undefined && isStrict && !this.#hasHeld) {
      // A formula that is slow by a hair to begin with is kept as it is.
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

  async whyNot(formula: Script, signal: AbortSignal): Promise<string> {
    const { slowness, newest, others } = this.question;
    this.#patienceMs = slowness.timeoutMs;
    const runs = await this.#measure(formula, slowness, signal);
    const endings = [...others, newest].map((version, at) => `${version.name} ${endingOf(runs[at])}`);
    return `it is not ${this.says}: ${endings.join(', ')}`;
  }

  async isSure(formula: Script, signal: AbortSignal): Promise<boolean> {
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

  /** Beyond this, how slow it is does not matter any more. */
  #enoughMs(): number {
    const { slowness } = this.question;
    if (this.#referenceMs === undefined) return slowness.timeoutMs;
    const slowFromMs = this.#referenceMs + thresholdOver(this.#strictRule, this.#referenceMs);
    return Math.min(slowness.timeoutMs, amply * slowFromMs);
  }

  /** The older versions first, and with a tight limit: what none of them is quick on is not worth a longer run. */
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
  if (run === undefined) return 'was not run';
  const took = `${Math.round(spentMs(run))} ms`;
  return run.outcome === 'timeout' ? `did not answer within ${took}` : `said ${run.outcome} after ${took}`;
}
