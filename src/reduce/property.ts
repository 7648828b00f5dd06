import type { Script } from '../smtlib/index.js';

/** A property that a formula must keep while it is reduced. */
export interface Property {
  /** E.g. `slower on z3@4.8.12 than on z3@4.8.10`. */
  readonly summary: string;
  /**
   * A cache key: equal for properties with equal verdicts. Undefined if verdicts may change, e.g. because a program
   * can be rebuilt under the same name.
   */
  readonly key: string | undefined;
  /**
   * @param isStrict true for the rule that the result must pass; false for a faster approximation, which rejects only
   * formulas that the strict rule rejects too
   */
  holds(formula: Script, isStrict: boolean, signal: AbortSignal): Promise<boolean>;
  /** The reason why the property does not hold for the original formula, for the user. */
  explainFailure(formula: Script, signal: AbortSignal): Promise<string>;
  /** A final, expensive confirmation of the result; omitted if `holds` is already certain. */
  confirm?(formula: Script, signal: AbortSignal): Promise<boolean>;
}
