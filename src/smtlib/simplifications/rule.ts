import type { Occurrences } from '../occurrences/occurrences.js';
import type { Occurrence, TermNode } from '../occurrences/term-node.js';
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
  readonly scripts: (occurrences: Occurrences) => Iterable<() => Script | undefined>;
}

/** A term, or how to make it where that takes long; then undefined if there is none after all. */
export type Replacement = Term | (() => Term | undefined);

/** In terms of more nodes than this, a replacement that walks over all of them is only made when it is tried. */
const smallEnough = 2000;
/** The same for quantifiers over more variables. */
const mostBound = 50;

/** A replacement that is made at once where that is quick, so that what comes to nothing is not counted as a step. */
export function whenItPays({ size, term }: TermNode, make: () => Term | undefined): readonly Replacement[] {
  const bound = 'variables' in term ? term.variables.length : 0;
  if (size > smallEnough || bound > mostBound) return [make];
  const made = make();
  return made === undefined ? [] : [made];
}

/** Puts another term in the place of one. */
export interface TermRule {
  readonly says: string;
  readonly terms: (occurrences: Occurrences, occurrence: Occurrence) => Iterable<Replacement>;
}

/** A smaller formula that is built only when it is tried. */
export interface Simplification {
  /** The rule's name. */
  readonly rule: string;
  /** Undefined if there is none after all. */
  readonly make: () => Script | undefined;
}
