/** What slowdowns of several campaigns count as one cause. */

import { groupByKind, type Kind } from '../../hunt/index.js';
import { LocatedFault } from '../../machine/index.js';
import { printScript, readScript } from '../../smtlib/index.js';

/** A confirmed slowdown, and the number of the campaign that met it. */
export interface MetSlowdown {
  readonly campaign: number;
  readonly finding: { readonly kind: Kind; readonly foundAtMs: number; readonly text: string };
}

/** Those with one cause together; one that has several is in several. */
export type Causes = (met: readonly MetSlowdown[]) => readonly (readonly MetSlowdown[])[];

/** By what can be told without building commits. */
export const byKind: Causes = (met) =>
  groupByKind(met, ({ finding }) => finding.kind).map(({ items }) => items);

/** The commits that made a formula slower, by its text. */
export type BlamedCommits = ReadonlyMap<string, readonly string[]>;

/** As SPRFinder counts: by the commits that made a formula slower. */
export function byCommit(blamed: BlamedCommits): Causes {
  return (met) => {
    const groups = new Map<string, MetSlowdown[]>();
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
  return blamed.get(sameText(text)) ?? [];
}

/** The one text of a formula, however it was laid out; what is not a formula stays as it is. */
export function sameText(text: string): string {
  const read = readScript(text);
  return read instanceof LocatedFault ? text : printScript(read);
}
