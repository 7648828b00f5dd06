/** What another version executes for the same formula: line numbers differ between versions, names of functions seldom. */

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

  /** Of a place of another version; undefined where the place belongs to no function. */
  has(place: number, names: PlaceNames): boolean | undefined {
    const key = functionKey(place, names);
    return key === undefined ? undefined : this.#keys.has(key);
  }
}

function functionKey(place: number, names: PlaceNames): string | undefined {
  const name = names.functionAt(fileOf(place), lineOf(place));
  return name === undefined ? undefined : `${names.files[fileOf(place)] ?? ''}\n${name}`;
}
