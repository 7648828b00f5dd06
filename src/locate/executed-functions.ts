/** Compares coverage of different versions by function name, since line numbers differ between versions. */

import { fileOf, lineOf, type PackedCounts, PackedLines, type PlaceNames } from '../coverage/index.js';

/** The functions that a run executes, by file and name. */
export class ExecutedFunctions {
  readonly #keys = new Set<string>();

  constructor(executed: PackedCounts, names: PlaceNames) {
    for (const reader = new PackedLines(executed.bytes); reader.next(); ) {
      const key = functionKey(reader.line, names);
      if (key !== undefined) this.#keys.add(key);
    }
  }

  /** Whether the function of another version's place was executed; undefined if the place is in no function. */
  has(place: number, names: PlaceNames): boolean | undefined {
    const key = functionKey(place, names);
    return key === undefined ? undefined : this.#keys.has(key);
  }
}

function functionKey(place: number, names: PlaceNames): string | undefined {
  const name = names.functionAt(fileOf(place), lineOf(place));
  return name === undefined ? undefined : `${names.files[fileOf(place)] ?? ''}\n${name}`;
}
