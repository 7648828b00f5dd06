import { Fault } from '../../machine/index.js';
import { npm } from '../sources/npm.js';
import { pypi } from '../sources/pypi.js';
import type { SolverSurroundings, Source } from '../sources/source.js';
import { compareReleases } from '../version/release.js';
import type { Version } from '../version/version.js';

/** The sources that have every release of Z3, as WASM and as native programs. */
export const releaseSources = { npm, pypi } as const satisfies Record<string, Source>;

export type ReleaseSource = keyof typeof releaseSources;

/** Specs of all Z3 releases between two versions, oldest first, without those two. */
export async function releasesBetween(
  from: Version,
  to: Version,
  source: ReleaseSource,
  around: SolverSurroundings,
): Promise<readonly string[] | Fault> {
  const offers = await releaseSources[source].offers('z3', around);
  if (offers instanceof Fault) return offers;
  return offers
    .filter(
      ({ number }) => compareReleases(number, from.number) > 0 && compareReleases(number, to.number) < 0,
    )
    .toSorted((a, b) => compareReleases(a.number, b.number))
    .map(({ spec }) => spec);
}
