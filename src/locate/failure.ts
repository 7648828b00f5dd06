/** Classifies a version's failure on a formula and decides whether another formula shows the same failure. */

import { type Fault, type Limits, usageFault } from '../machine/index.js';
import type { Script } from '../smtlib/index.js';
import { type ClaimVerdict, checkClaim, type Run, type Runner, type Version } from '../solver/index.js';

/**
 * - `verdict`: its answer contradicts another solver's.
 * - `model`: its model is wrong.
 * - `assertion`: an assertion of the solver failed, whatever it answered afterwards.
 * - `slow`: another solver is fast.
 */
export const failureKinds = ['verdict', 'model', 'crash', 'assertion', 'error', 'slow'] as const;
export type FailureKind = (typeof failureKinds)[number];

export interface Failure {
  readonly kind: FailureKind;
  /** For example "says unsat, and cvc5@1.1.2 says sat". */
  readonly message: string;
}

/** `unclear`: undecidable, for example if a solver gives up. */
export const judgements = ['fails', 'passes', 'unclear'] as const;
export type Judgement = (typeof judgements)[number];

export interface JudgeOptions {
  /** The failing version. */
  readonly version: Version;
  /** Solvers to compare with, the most trustworthy first. */
  readonly references: readonly Version[];
  readonly limits: Limits;
  /** For failures of kind `slow`: a shorter run passes. */
  readonly quickMs: number;
}

export class Judge {
  constructor(
    private readonly runner: Runner,
    private readonly options: JudgeOptions,
  ) {}

  /** Classifies the failing version's run; a fault if it shows no failure. */
  async failureOf(formula: Script, own: Run, signal: AbortSignal): Promise<Failure | Fault> {
    const { version, references } = this.options;
    if (own.outcome === 'crash')
      return { kind: 'crash', message: `crashes with ${own.signal}${assertionMessage(own)}` };
    if (own.failedCheck !== undefined)
      return { kind: 'assertion', message: `fails an assertion: ${own.failedCheck.message}` };
    if (isErrorMessage(own)) return { kind: 'error', message: `says: ${own.message}` };
    if (references.length === 0)
      return usageFault(
        `${version.name} reports no crash or error: name a solver with the right answer, for example --reference cvc5@1.1.2`,
      );
    const reference = await this.#firstAnswer(formula, signal);
    if (reference === undefined)
      return usageFault(
        `none of ${references.map(({ name }) => name).join(', ')} answers the formula: name another --reference`,
      );
    const { run, version: other } = reference;
    const [says, right] = [own.answers.join(', '), run.answers.join(', ')];
    if (compareAnswers(own, run) === 'fails')
      return { kind: 'verdict', message: `says ${says}, and ${other.name} says ${right}` };
    if (own.outcome === 'timeout')
      return { kind: 'slow', message: `does not answer in time, and ${other.name} says ${right}` };
    if (own.outcome === 'sat' && (await this.#checkModel(formula, signal)) === 'wrong')
      return { kind: 'model', message: 'gives a model that does not hold' };
    return usageFault(
      `${version.name} does not fail on the formula: it says ${says || own.outcome}, and ${other.name} says ${right}`,
    );
  }

  /** Whether the version fails on another formula in the same way. */
  async judge({ kind }: Failure, formula: Script, own: Run, signal: AbortSignal): Promise<Judgement> {
    if (own.outcome === kind || (kind === 'error' && isErrorMessage(own))) return 'fails';
    if (kind === 'assertion' && own.failedCheck !== undefined) return 'fails';
    const isAnswered = own.outcome === 'sat' || own.outcome === 'unsat';
    if (kind === 'slow') return this.#judgeSlow(formula, own, signal);
    if (kind === 'model' && own.outcome === 'sat') {
      return modelJudgements[await this.#checkModel(formula, signal)];
    }
    if (!isAnswered)
      return own.outcome === 'unknown' && kind !== 'verdict' && kind !== 'model' ? 'passes' : 'unclear';
    // A run without a crash or an error may still give a wrong answer.
    const reference = await this.#firstAnswer(formula, signal);
    if (reference !== undefined) return compareAnswers(own, reference.run);
    return kind === 'verdict' || kind === 'model' ? 'unclear' : 'passes';
  }

  async #judgeSlow(formula: Script, own: Run, signal: AbortSignal): Promise<Judgement> {
    if (own.outcome === 'sat' || own.outcome === 'unsat')
      return (own.cpuMs ?? own.wallMs) < this.options.quickMs ? 'passes' : 'unclear';
    if (own.outcome !== 'timeout') return 'unclear';
    return (await this.#firstAnswer(formula, signal)) === undefined ? 'unclear' : 'fails';
  }

  /** The first reference that answers. */
  async #firstAnswer(
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

  async #checkModel(formula: Script, signal: AbortSignal): Promise<ClaimVerdict['kind']> {
    const { version, references, limits } = this.options;
    return (await checkClaim(this.runner, formula, version, references, limits, signal)).kind;
  }
}

const modelJudgements: Readonly<Record<ClaimVerdict['kind'], Judgement>> = {
  holds: 'passes',
  wrong: 'fails',
  unchecked: 'unclear',
};

/** The message of a failed assertion before the crash. */
function assertionMessage({ failedCheck }: Run): string {
  return failedCheck === undefined ? '' : ` (${failedCheck.message})`;
}

/** The run ended with an error message. */
function isErrorMessage(run: Run): run is Extract<Run, { readonly message: string }> {
  return run.outcome === 'error' || run.outcome === 'unsupported';
}

/** Compares answers by check-sat command: a contradiction fails; only complete agreement passes. */
function compareAnswers({ answers }: Run, { answers: right }: Run): Judgement {
  const pairs = right.map((answer, at) => [answers[at], answer] as const);
  const isTold = ([own, other]: (typeof pairs)[number]): boolean =>
    own !== undefined && own !== 'unknown' && other !== 'unknown';
  if (pairs.some((pair) => isTold(pair) && pair[0] !== pair[1])) return 'fails';
  return pairs.length > 0 && pairs.every(isTold) ? 'passes' : 'unclear';
}
