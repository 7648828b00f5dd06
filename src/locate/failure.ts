/** What it is that a version does wrong with a formula, and whether it does so with another one, too. */

import { type Fault, type Limits, usageFault } from '../machine/index.js';
import type { Script } from '../smtlib/index.js';
import { type ClaimVerdict, checkClaim, type Run, type Runner, type Version } from '../solver/index.js';

/**
 * `verdict`: it says what another solver denies. `model`: the model it gives is none. `assertion`: a check of its own
 * failed, whatever it went on to answer. `slow`: another is quick.
 */
export const failureKinds = ['verdict', 'model', 'crash', 'assertion', 'error', 'slow'] as const;
export type FailureKind = (typeof failureKinds)[number];

export interface Failure {
  readonly kind: FailureKind;
  /** Such as "says unsat, and cvc5@1.1.2 says sat". */
  readonly says: string;
}

/** `unclear`: nobody can tell, as where a solver gives up. */
export const judgements = ['fails', 'passes', 'unclear'] as const;
export type Judgement = (typeof judgements)[number];

export interface JudgeOptions {
  /** The version in question. */
  readonly version: Version;
  /** Solvers it is held against, the one to be believed first. */
  readonly references: readonly Version[];
  readonly limits: Limits;
  /** Of a version that is slow: what takes it less than this is quick. */
  readonly quickMs: number;
}

export class Judge {
  constructor(
    private readonly runner: Runner,
    private readonly options: JudgeOptions,
  ) {}

  /** What is wrong with a run of the version in question; a fault where nothing seems to be. */
  async failureOf(formula: Script, own: Run, signal: AbortSignal): Promise<Failure | Fault> {
    const { version, references } = this.options;
    if (own.outcome === 'crash')
      return { kind: 'crash', says: `crashes with ${own.signal}${checkWords(own)}` };
    if (own.failedCheck !== undefined)
      return { kind: 'assertion', says: `fails a check of its own: ${own.failedCheck.message}` };
    if (isComplaint(own)) return { kind: 'error', says: `says: ${own.message}` };
    if (references.length === 0)
      return usageFault(
        `${version.name} neither crashes nor complains: name a solver that is right about the formula, as --reference cvc5@1.1.2`,
      );
    const reference = await this.#believed(formula, signal);
    if (reference === undefined)
      return usageFault(
        `none of ${references.map(({ name }) => name).join(', ')} answers the formula: name another --reference`,
      );
    const { run, version: other } = reference;
    const [says, right] = [own.answers.join(', '), run.answers.join(', ')];
    if (compared(own, run) === 'fails')
      return { kind: 'verdict', says: `says ${says}, and ${other.name} says ${right}` };
    if (own.outcome === 'timeout')
      return { kind: 'slow', says: `does not answer in time, and ${other.name} says ${right}` };
    if (own.outcome === 'sat' && (await this.#claim(formula, signal)) === 'wrong')
      return { kind: 'model', says: 'gives a model that does not hold' };
    return usageFault(
      `${version.name} does not fail on the formula: it says ${says || own.outcome}, and ${other.name} says ${right}`,
    );
  }

  /** Does the version fail on another formula in the same way? */
  async judge({ kind }: Failure, formula: Script, own: Run, signal: AbortSignal): Promise<Judgement> {
    if (own.outcome === kind || (kind === 'error' && isComplaint(own))) return 'fails';
    if (kind === 'assertion' && own.failedCheck !== undefined) return 'fails';
    const isAnswered = own.outcome === 'sat' || own.outcome === 'unsat';
    if (kind === 'slow') return this.#judgeSlow(formula, own, signal);
    if (kind === 'model' && own.outcome === 'sat') {
      return modelJudgements[await this.#claim(formula, signal)];
    }
    if (!isAnswered)
      return own.outcome === 'unknown' && kind !== 'verdict' && kind !== 'model' ? 'passes' : 'unclear';
    // What neither crashes nor complains may be wrong for all that.
    const reference = await this.#believed(formula, signal);
    if (reference !== undefined) return compared(own, reference.run);
    return kind === 'verdict' || kind === 'model' ? 'unclear' : 'passes';
  }

  async #judgeSlow(formula: Script, own: Run, signal: AbortSignal): Promise<Judgement> {
    if (own.outcome === 'sat' || own.outcome === 'unsat')
      return (own.cpuMs ?? own.wallMs) < this.options.quickMs ? 'passes' : 'unclear';
    if (own.outcome !== 'timeout') return 'unclear';
    return (await this.#believed(formula, signal)) === undefined ? 'unclear' : 'fails';
  }

  /** The first of the references that answers. */
  async #believed(
    formula: Script,
    signal: AbortSignal,
  ): Promise<{ readonly run: Run; readonly version: Version } | undefined> {
    const { references, limits } = this.options;
    for (const version of references) {
      const run = await this.runner.run({ formula, version, limits }, signal);
      if (run.outcome === 'sat' || run.outcome === 'unsat') return { run, version };
    }
    return undefined;
  }

  async #claim(formula: Script, signal: AbortSignal): Promise<ClaimVerdict['kind']> {
    const { version, references, limits } = this.options;
    return (await checkClaim(this.runner, formula, version, references, limits, signal)).kind;
  }
}

const modelJudgements: Readonly<Record<ClaimVerdict['kind'], Judgement>> = {
  holds: 'passes',
  wrong: 'fails',
  unchecked: 'unclear',
};

/** What it said before it crashed. */
function checkWords({ failedCheck }: Run): string {
  return failedCheck === undefined ? '' : ` (${failedCheck.message})`;
}

/** It says what is wrong, or that it cannot do something, and ends. */
function isComplaint(run: Run): run is Extract<Run, { readonly message: string }> {
  return run.outcome === 'error' || run.outcome === 'unsupported';
}

/** Answers of the same questions: one that contradicts fails, and passes is only what is answered in the same way. */
function compared({ answers }: Run, { answers: right }: Run): Judgement {
  const pairs = right.map((answer, at) => [answers[at], answer] as const);
  const isTold = ([own, other]: (typeof pairs)[number]): boolean =>
    own !== undefined && own !== 'unknown' && other !== 'unknown';
  if (pairs.some((pair) => isTold(pair) && pair[0] !== pair[1])) return 'fails';
  return pairs.length > 0 && pairs.every(isTold) ? 'passes' : 'unclear';
}
