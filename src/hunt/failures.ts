/**
 * Failures of culprit itself on a formula, such as a bug in the reader or the printer. The hunt skips the formula,
 * counts the failure and reports it.
 */

/** A bug in culprit, not a fault of a solver or of the machine. */
export class FormulaFailure extends Error {
  override readonly name = 'FormulaFailure';
  constructor(override readonly cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

export class Failures {
  #first: FormulaFailure | undefined;
  #count = 0;

  /** Reported; the others are likely the same. */
  get first(): FormulaFailure | undefined {
    return this.#first;
  }

  get count(): number {
    return this.#count;
  }

  add(error: unknown): void {
    this.#count++;
    this.#first ??= error instanceof FormulaFailure ? error : new FormulaFailure(error);
  }

  /** The job's result, or `instead` if the job throws; the failure is counted. */
  caught<Value, Instead>(job: () => Value, instead: Instead): Value | Instead {
    try {
      return job();
    } catch (error) {
      this.add(error);
      return instead;
    }
  }
}
