import type { Script } from '../smtlib/index.js';

/** What must stay true of a formula while it is made smaller. */
export interface Property {
  /** What is kept, as in `slower on z3@4.8.12 than on z3@4.8.10`. */
  readonly says: string;
  /**
   * The same for questions that have the same answers, so that answers can be remembered; undefined where the same
   * question may have another answer tomorrow, as where a program can be built anew under its name.
   */
  readonly key: string | undefined;
  /**
   * @param isStrict by the rule the result must stand up to; otherwise by one that is quicker to check and nearly as
   * good, where there is one: what does not hold by that does not hold by the strict one
   */
  holds(formula: Script, isStrict: boolean, signal: AbortSignal): Promise<boolean>;
  /** Why it does not hold of the formula it should be kept of, in words for the user. */
  whyNot(formula: Script, signal: AbortSignal): Promise<string>;
  /** The last word on the result, with all care; left out where `holds` is as sure as can be. */
  isSure?(formula: Script, signal: AbortSignal): Promise<boolean>;
}
