/** Keeps a higher effort on a newer version than on older ones; effort is free of machine noise. */

import type { Limits } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import { isAnswer, type Run, type Runner, type Version } from '../../solver/index.js';
import type { Property } from '../property.js';
import { stableKey } from '../stable-key.js';

export interface EffortQuestion {
  readonly newest: Version;
  readonly others: readonly Version[];
  /** The newest version must take this many times the effort of the others, or time out. */
  readonly factor: number;
  readonly least?: number | undefined;
  readonly limits: Limits;
  readonly seed?: number | undefined;
}

export class MoreEffort implements Property {
  readonly summary: string;
  readonly key: string | undefined;

  constructor(
    private readonly runner: Runner,
    private readonly question: EffortQuestion,
  ) {
    const { newest, others, factor, limits } = question;
    this.summary = `${factor} times the effort on ${newest.name} compared with ${others.map((version) => version.name).join(', ')}`;
    this.key = stableKey([...others, newest], ['effort', factor, limits, question.least, question.seed]);
  }

  async holds(formula: Script, _isStrict: boolean, signal: AbortSignal): Promise<boolean> {
    const runs = await this.#measure(formula, signal);
    return this.#isMore(runs);
  }

  async explainFailure(formula: Script, signal: AbortSignal): Promise<string> {
    const { newest, others } = this.question;
    const runs = await this.#measure(formula, signal);
    const endings = [...others, newest].map((version, at) => {
      const run = runs[at];
      return `${version.name}: ${run === undefined ? 'not run' : `${run.outcome}, effort ${run.effort ?? 'not reported'}`}`;
    });
    return `the formula does not take ${this.summary} (${endings.join('; ')})`;
  }

  async #measure(formula: Script, signal: AbortSignal): Promise<readonly (Run | undefined)[]> {
    const { newest, others, limits, seed } = this.question;
    const runs: (Run | undefined)[] = [];
    for (const version of others)
      runs.push(await this.runner.run({ formula, version, limits, seed }, signal));
    const least = leastEffort(runs);
    if (least === undefined) return [...runs, undefined];
    // More effort would not change the verdict.
    const mostEffort = this.#enough(least);
    return [...runs, await this.runner.run({ formula, version: newest, limits, seed, mostEffort }, signal)];
  }

  #isMore(runs: readonly (Run | undefined)[]): boolean {
    const least = leastEffort(runs.slice(0, -1));
    const newest = runs.at(-1);
    if (least === undefined || newest === undefined) return false;
    if (newest.outcome === 'timeout') return true;
    return isAnswer(newest) && newest.effort !== undefined && newest.effort >= this.#enough(least);
  }

  #enough(effort: number): number {
    const { factor, least = 0 } = this.question;
    return Math.ceil(Math.max(factor * effort, effort + least));
  }
}

function leastEffort(runs: readonly (Run | undefined)[]): number | undefined {
  const efforts = runs.filter(isAnswer).flatMap((run) => run.effort ?? []);
  return efforts.length === 0 ? undefined : Math.min(...efforts);
}
