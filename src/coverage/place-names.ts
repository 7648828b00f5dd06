/** Names of places: files with their functions, or classes with theirs if calls are counted. */

import type { TableParts } from './table.js';

export interface PlaceNames {
  /** By file number: the file, or the class or namespace of functions. */
  readonly files: readonly string[];
  /** Whether the line of a place is a line of a file or the number of a function. */
  readonly counts: 'lines' | 'calls';
  /** Linker name of the function at a line; undefined for none. */
  functionAt(file: number, line: number): string | undefined;
}

export class SourceLines implements PlaceNames {
  readonly counts = 'lines';
  readonly files: readonly string[];
  /** Functions of each file, in order of their first lines. */
  readonly #functions = new Map<
    number,
    { readonly name: string; readonly from: number; readonly to: number }[]
  >();

  constructor({ files, functions }: Pick<TableParts, 'files' | 'functions'>) {
    this.files = files;
    for (const { name, file, startLine: from, endLine: to } of functions) {
      if (file === undefined) continue;
      const functionsOfFile = this.#functions.get(file) ?? [];
      this.#functions.set(file, functionsOfFile);
      functionsOfFile.push({ name, from, to });
    }
    for (const functionsOfFile of this.#functions.values())
      functionsOfFile.sort((a, b) => a.from - b.from || b.to - a.to);
  }

  /** The innermost function: the last to begin before the line that has not ended. */
  functionAt(file: number, line: number): string | undefined {
    return this.#functions.get(file)?.findLast(({ from, to }) => from <= line && line <= to)?.name;
  }
}
