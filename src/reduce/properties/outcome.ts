/** Keeps an outcome on one version: an answer, a timeout, a crash, or an error with the same message. */

import type { Limits } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import type { Outcome, Run, Runner, Version } from '../../solver/index.js';
import type { Property } from '../property.js';
import { stableKey } from '../stable-key.js';

export interface OutcomeQuestion {
  readonly version: Version;
  readonly limits: Limits;
  readonly outcome: Outcome;
  readonly message?: string | undefined;
}

export class SameOutcome implements Property {
  readonly summary: string;
  readonly key: string | undefined;

  constructor(
    private readonly runner: Runner,
    private readonly question: OutcomeQuestion,
  ) {
    const { version, outcome, message, limits } = question;
    this.summary = `${outcome} on ${version.name}${message === undefined ? '' : ` with ${JSON.stringify(message)}`}`;
    this.key = stableKey([version], ['outcome', outcome, message, limits]);
  }

  async holds(formula: Script, _isStrict: boolean, signal: AbortSignal): Promise<boolean> {
    const run = await this.#run(formula, signal);
    const { outcome, message } = this.question;
    return run.outcome === outcome && (message === undefined || messageOf(run).includes(message));
  }

  async explainFailure(formula: Script, signal: AbortSignal): Promise<string> {
    const run = await this.#run(formula, signal);
    const words = messageOf(run);
    return `the outcome is not ${this.summary}, but ${run.outcome}${words === '' ? '' : `: ${words}`}`;
  }

  #run(formula: Script, signal: AbortSignal): Promise<Run> {
    const { version, limits } = this.question;
    return this.runner.run({ formula, version, limits }, signal);
  }
}

export function messageOf(run: Run): string {
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
export function stableMessage(message: string): string {
  const withoutPlace = message.replace(/^line \d+ column \d+: /, '');
  return withoutPlace.split(/['"`|\d(]/, 1)[0]?.trim() ?? '';
}
