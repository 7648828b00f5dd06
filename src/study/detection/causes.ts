/** Groups slowdowns of several campaigns by cause. */

import { groupByKind, type Kind } from '../../hunt/index.js';
import { LocatedFault } from '../../machine/index.js';
import { printScript, readScript } from '../../smtlib/index.js';

/** A confirmed slowdown with the number of the campaign that found it. */
export interface FoundSlowdown {
  readonly campaign: number;
  readonly finding: { readonly kind: Kind; readonly foundAtMs: number; readonly text: string };
}

/** Groups slowdowns with a common cause. A slowdown with several causes is in several groups. */
export type CauseGrouping = (met: readonly FoundSlowdown[]) => readonly (readonly FoundSlowdown[])[];

/** Approximates commits by kinds, which need no builds. */
export const byKind: CauseGrouping = (met) =>
  groupByKind(met, ({ finding }) => finding.kind).map(({ items }) => items);

/** The commits that made a formula slower, by the text of the formula. */
export type BlamedCommits = ReadonlyMap<string, readonly string[]>;

/** Counts as SPRFinder does: by the commits that made a formula slower. */
export function byCommit(blamed: BlamedCommits): CauseGrouping {
  return (met) => {
    const groups = new Map<string, FoundSlowdown[]>();
    for (const slowdown of met)
      for (const commit of blamedFor(slowdown.finding.text, blamed)) {
        const group = groups.get(commit);
        if (group === undefined) groups.set(commit, [slowdown]);
        else group.push(slowdown);
      }
    return [...groups.values()];
  };
}

export function blamedFor(text: string, blamed: BlamedCommits): readonly string[] {
  return blamed.get(canonicalText(text)) ?? [];
}

/** The formula's text in canonical layout. Text that is not a formula is returned unchanged. */
export function canonicalText(text: string): string {
  const read = readScript(text);
  return read instanceof LocatedFault ? text : printScript(read);
}
