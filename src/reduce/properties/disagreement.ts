/** Keeps a disagreement: one version answers sat and another unsat. */

import type { Limits } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import type { Outcome, Runner, Version } from '../../solver/index.js';
import type { Property } from '../property.js';
import { stableKey } from '../stable-key.js';

export class Disagreeing implements Property {
  readonly summary: string;
  readonly key: string | undefined;

  constructor(
    private readonly runner: Runner,
    private readonly versions: readonly Version[],
    private readonly limits: Limits,
  ) {
    this.summary = `sat and unsat among ${versions.map((version) => version.name).join(', ')}`;
    this.key = stableKey(versions, ['disagreement', limits]);
  }

  async holds(formula: Script, _isStrict: boolean, signal: AbortSignal): Promise<boolean> {
    const outcomes = await this.#outcomes(formula, signal);
    return outcomes.includes('sat') && outcomes.includes('unsat');
  }

  async explainFailure(formula: Script, signal: AbortSignal): Promise<string> {
    const outcomes = await this.#outcomes(formula, signal);
    return `the versions do not disagree: ${this.versions.map((version, at) => `${version.name} ${outcomes[at]}`).join(', ')}`;
  }

  async #outcomes(formula: Script, signal: AbortSignal): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const version of this.versions) {
      outcomes.push((await this.runner.run({ formula, version, limits: this.limits }, signal)).outcome);
    }
    return outcomes;
  }
}
