import type { Random } from '../../machine/index.js';
import type { LiteralStyle } from '../generating/literal-source.js';
import type { Script } from '../tree.js';

export interface MutationOptions {
  /**
   * Names of operators that mutations may write; by default those that every supported solver accepts and the
   * formula's logic allows.
   */
  readonly operators?: ReadonlySet<string>;
  readonly depth?: number;
  /** For these three see `GenerateParameters`. */
  readonly literals?: LiteralStyle;
  readonly literalLength?: number;
  readonly literalProbability?: number;
}

/** A mutation. Returns a new formula that is as well-sorted as the given one, or undefined if it does not apply. */
export interface Rule {
  /** One sentence for users. */
  readonly summary: string;
  readonly apply: (script: Script, random: Random, options?: MutationOptions) => Script | undefined;
}
