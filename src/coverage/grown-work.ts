/**
 * Finds functions in which one version does more work than another. Functions match across versions; lines do not.
 */

import { fileOf, lineOf, type PackedCounts, PackedLines, packedPlaces } from './packed.js';
import type { PlaceNames } from './place-names.js';

/** Counts of a run with the names of its places. */
export interface NamedPlaces {
  readonly executed: PackedCounts;
  readonly names: PlaceNames;
}

interface FunctionWork {
  /** The first executed place of the function. */
  readonly place: number;
  /** Sum over all its places. */
  readonly work: number;
}

/**
 * Additional work of the second version in each function, stored at the first place of the function; only increases.
 */
export function grownWork(before: NamedPlaces, after: NamedPlaces): PackedCounts {
  const earlier = workByFunction(before);
  const grown: (readonly [number, number])[] = [];
  for (const [name, { place, work }] of workByFunction(after)) {
    const more = work - (earlier.get(name)?.work ?? 0);
    if (more > 0) grown.push([place, more]);
  }
  return packedPlaces(grown);
}

/** Places outside of functions count for their file. */
function workByFunction({ executed, names }: NamedPlaces): ReadonlyMap<string, FunctionWork> {
  const work = new Map<string, FunctionWork>();
  const places = new PackedLines(executed.bytes);
  while (places.next()) {
    const { line: place, count } = places;
    const file = fileOf(place);
    const name = names.functionAt(file, lineOf(place)) ?? `in ${names.files[file] ?? ''}`;
    const earlier = work.get(name);
    work.set(name, { place: earlier?.place ?? place, work: (earlier?.work ?? 0) + count });
  }
  return work;
}
