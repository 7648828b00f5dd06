import type { LiteralStyle } from '../generating/literal-source.js';
import type { Random } from '../random.js';
import type { Script } from '../tree.js';

/** What mutations write into a formula. */
export interface MutationOptions {
  /**
   * The operators that may be written, by name. By default those that every supported solver accepts and that the
   * formula's logic allows.
   */
  readonly operators?: ReadonlySet<string>;
  /** How deep generated terms are at most. */
  readonly depth?: number;
  /** How literals are chosen, and how long strings are; see `generate`. */
  readonly literals?: LiteralStyle;
  readonly literalLength?: number;
  readonly literalProbability?: number;
}

/**
 * One way to change a formula. It leaves the formula it is given alone and returns another one, as well-sorted as
 * that, or undefined where it does not apply.
 */
export interface Rule {
  /** One sentence for people. */
  readonly says: string;
  readonly apply: (script: Script, random: Random, options?: MutationOptions) => Script | undefined;
}
