import type { Occurrences } from '../occurrences/occurrences.js';
import type { Occurrence } from '../occurrences/term-node.js';
import type { Script, Term } from '../tree.js';

/** One way to make a formula smaller, or a term of it. */
export type Rule = ScriptRule | TermRule;

/**
 * Changes the script as a whole. What it makes is well-sorted where the script is, and smaller by `weight`; undefined
 * if it turns out not to be possible.
 */
export interface ScriptRule {
  /** A sentence for users. */
  readonly says: string;
  readonly scripts: (occurrences: Occurrences) => readonly (() => Script | undefined)[];
}

/** Puts another term in the place of one. */
export interface TermRule {
  readonly says: string;
  readonly terms: (occurrences: Occurrences, occurrence: Occurrence) => readonly Term[];
}

/** A smaller formula that is built only when it is tried. */
export interface Simplification {
  /** The rule's name. */
  readonly rule: string;
  /** Undefined if there is none after all. */
  readonly make: () => Script | undefined;
}
