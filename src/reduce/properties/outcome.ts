/** Keeps an outcome on one version: an answer, a timeout, a crash, or an error with the same message. */

import type { Limits } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import type { Outcome, Run, Runner, Version } from '../../solver/index.js';
import type { Property } from '../property.js';
import { lastingKey } from '../version-key.js';

export interface OutcomeQuestion {
  readonly version: Version;
  readonly limits: Limits;
  readonly outcome: Outcome;
  /** Part of an error's message, or the signal of a crash. */
  readonly says?: string | undefined;
}

export class SameOutcome implements Property {
  readonly says: string;
  readonly key: string | undefined;

  constructor(
    private readonly runner: Runner,
    private readonly question: OutcomeQuestion,
  ) {
    const { version, outcome, says, limits } = question;
    this.says = `${outcome} on ${version.name}${says === undefined ? '' : ` with ${JSON.stringify(says)}`}`;
    this.key = lastingKey([version], ['outcome', outcome, says, limits]);
  }

  async holds(formula: Script, _isStrict: boolean, signal: AbortSignal): Promise<boolean> {
    const run = await this.#run(formula, signal);
    const { outcome, says } = this.question;
    return run.outcome === outcome && (says === undefined || wordsOf(run).includes(says));
  }

  async whyNot(formula: Script, signal: AbortSignal): Promise<string> {
    const run = await this.#run(formula, signal);
    const words = wordsOf(run);
    return `it is not ${this.says} but ${run.outcome}${words === '' ? '' : `: ${words}`}`;
  }

  #run(formula: Script, signal: AbortSignal): Promise<Run> {
    const { version, limits } = this.question;
    return this.runner.run({ formula, version, limits }, signal);
  }
}

export function wordsOf(run: Run): string {
  switch (run.outcome) {
    case 'crash':
      return run.signal;
    case 'error':
    case 'unsupported':
      return run.message;
    default:
      return '';
  }
}

/**
 * The part of a message that does not depend on the formula: no position, and only the text before the first quoted
 * name, number or bracket.
 */
export function lastingWords(message: string): string {
  const withoutPlace = message.replace(/^line \d+ column \d+: /, '');
  return withoutPlace.split(/['"`|\d(]/, 1)[0]?.trim() ?? '';
}
