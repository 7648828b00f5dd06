/** Where one version has more work to do than another: by functions, whose names match across versions as lines do not. */

import { fileOf, lineOf, type PackedCounts, PackedLines, packedPlaces } from './packed.js';
import type { PlaceNames } from './place-names.js';

/** What a run executed, and what its places stand for. */
export interface NamedPlaces {
  readonly executed: PackedCounts;
  readonly names: PlaceNames;
}

interface FunctionWork {
  /** Where it begins: the first of its places that was executed. */
  readonly place: number;
  /** Of all its places. */
  readonly work: number;
}

/** How much more the second does in each of its functions, at the place where the function begins; only where it is more. */
export function grownWork(before: NamedPlaces, after: NamedPlaces): PackedCounts {
  const earlier = workByFunction(before);
  const grown: (readonly [number, number])[] = [];
  for (const [name, { place, work }] of workByFunction(after)) {
    const more = work - (earlier.get(name)?.work ?? 0);
    if (more > 0) grown.push([place, more]);
  }
  return packedPlaces(grown);
}

/** What belongs to no function counts for its file. */
function workByFunction({ executed, names }: NamedPlaces): ReadonlyMap<string, FunctionWork> {
  const found = new Map<string, FunctionWork>();
  const places = new PackedLines(executed.bytes);
  while (places.next()) {
    const { line: place, count } = places;
    const file = fileOf(place);
    const name = names.functionAt(file, lineOf(place)) ?? `in ${names.files[file] ?? ''}`;
    const known = found.get(name);
    found.set(name, { place: known?.place ?? place, work: (known?.work ?? 0) + count });
  }
  return found;
}
