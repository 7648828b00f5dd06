import type { Occurrences } from '../occurrences/occurrences.js';
import type { Occurrence, TermNode } from '../occurrences/term-node.js';
import type { Script, Term } from '../tree.js';

export type Rule = ScriptRule | TermRule;

/**
 * A rule for the script as a whole. Its results are smaller by `weight`, and well-sorted if the script is; undefined
 * if the step turns out to be impossible.
 */
export interface ScriptRule {
  /** One sentence for users. */
  readonly summary: string;
  readonly scripts: (occurrences: Occurrences) => Iterable<() => Script | undefined>;
}

/** A term, or a function that builds it if that is expensive; the function returns undefined if there is none. */
export type Replacement = Term | (() => Term | undefined);

/** In larger terms, a replacement that visits all nodes is built only when it is tried. */
const maxEagerNodes = 2000;
/** The same limit for the number of quantified variables. */
const maxEagerVariables = 50;

/** Builds a cheap replacement at once, so that an impossible one does not count as a step. */
export function buildIfCheap({ size, term }: TermNode, make: () => Term | undefined): readonly Replacement[] {
  const bound = 'variables' in term ? term.variables.length : 0;
  if (size > maxEagerNodes || bound > maxEagerVariables) return [make];
  const made = make();
  return made === undefined ? [] : [made];
}

/** A rule that replaces one term by another. */
export interface TermRule {
  readonly summary: string;
  readonly terms: (occurrences: Occurrences, occurrence: Occurrence) => Iterable<Replacement>;
}

/** A smaller formula that is built only when it is tried. */
export interface Simplification {
  readonly rule: string;
  /** Undefined if the step turns out to be impossible. */
  readonly make: () => Script | undefined;
}
