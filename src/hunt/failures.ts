/**
 * What made culprit itself fail on a formula: a mistake in reading, checking, changing, measuring or printing it. One
 * such formula must not end a hunt of hours, so that it is left out, counted, and told of.
 */

/** A formula that could not be worked on, through no fault of solvers or the machine. */
export class FormulaFailure extends Error {
  override readonly name = 'FormulaFailure';
  constructor(override readonly cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

export class Failures {
  #first: FormulaFailure | undefined;
  #count = 0;

  /** The first of them: the others are likely the same again. */
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

  /** What a job gives; if it fails, that is counted, and this instead. */
  caught<Value, Instead>(job: () => Value, instead: Instead): Value | Instead {
    try {
      return job();
    } catch (error) {
      this.add(error);
      return instead;
    }
  }
}
