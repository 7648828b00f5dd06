/** Builds a table from the notes of one source after another, and numbers files and lines in order of appearance. */

import { isAbsolute, join, normalize, relative, sep } from 'node:path';
import { endBlocks } from './gcov/flow.js';
import { functionCode } from './gcov/function-code.js';
import type { FunctionSums } from './gcov/line-sums.js';
import type { TableFunction, TableParts } from './table.js';

/** Source folders, and the prefix of their files' names in the table (`''` for none). */
export type SourceFolders = readonly { readonly path: string; readonly named: string }[];

/** Names of sources in the table, by the names the compiler wrote. */
class SourceNames {
  readonly #known = new Map<string, string | undefined>();

  constructor(private readonly folders: SourceFolders) {}

  /** Undefined for a file outside the source folders, such as a library header. */
  of(source: string, folder: string): string | undefined {
    const path = isAbsolute(source) ? normalize(source) : join(folder, source);
    if (!this.#known.has(path)) this.#known.set(path, this.#nameOf(path));
    return this.#known.get(path);
  }

  #nameOf(path: string): string | undefined {
    for (const { path: folder, named } of this.folders) {
      const inside = relative(folder, path);
      if (inside !== '' && !isAbsolute(inside) && inside.split(sep)[0] !== '..')
        return `${named}${inside.split(sep).join('/')}`;
    }
    return undefined;
  }
}

export class GrowingTable {
  readonly #files = new Map<string, { readonly number: number; readonly lines: Map<number, number> }>();
  readonly #lineFiles: number[] = [];
  readonly #lineNumbers: number[] = [];
  readonly #functions: TableFunction[] = [];
  readonly #codeStarts: number[] = [];
  readonly #names: SourceNames;
  #code = new Int32Array(1 << 16);
  #size = 0;
  #regions = 0;

  constructor(folders: SourceFolders) {
    this.#names = new SourceNames(folders);
  }

  /** @param folder that source names are relative to */
  add(
    { firstCounter, counters }: Pick<TableFunction, 'firstCounter' | 'counters'>,
    sums: FunctionSums,
    folder: string,
  ): void {
    const { name, source, startLine, endLine } = sums.noted;
    const home = this.#names.of(source, folder);
    const code = functionCode(sums, this.#size, ({ source: of, line }) => this.#lineAt(of, folder, line));
    this.#functions.push({
      name,
      // A library function in the program belongs to the first source folder it has lines in, if any.
      file: home === undefined ? undefined : this.#file(home).number,
      startLine,
      endLine: endLine ?? startLine,
      firstCounter,
      counters,
    });
    this.#codeStarts.push(this.#size);
    this.#regions += Math.max(0, sums.noted.blocks - endBlocks);
    this.#append(code);
  }

  finish(counterBytes: number): TableParts {
    return {
      files: [...this.#files.keys()],
      lineFiles: Uint32Array.from(this.#lineFiles),
      lineNumbers: Uint32Array.from(this.#lineNumbers),
      functions: this.#functions,
      codeStarts: Uint32Array.from(this.#codeStarts),
      code: this.#code.slice(0, this.#size),
      counterBytes,
      regions: this.#regions,
    };
  }

  #file(name: string) {
    const existing = this.#files.get(name);
    if (existing !== undefined) return existing;
    const file = { number: this.#files.size, lines: new Map<number, number>() };
    this.#files.set(name, file);
    return file;
  }

  #lineAt(source: string, folder: string, line: number): number | undefined {
    const name = this.#names.of(source, folder);
    if (name === undefined) return undefined;
    const file = this.#file(name);
    const existing = file.lines.get(line);
    if (existing !== undefined) return existing;
    const number = this.#lineNumbers.push(line) - 1;
    this.#lineFiles.push(file.number);
    file.lines.set(line, number);
    return number;
  }

  #append(code: readonly number[]): void {
    if (this.#size + code.length > this.#code.length) {
      const larger = new Int32Array(2 * (this.#size + code.length));
      larger.set(this.#code);
      this.#code = larger;
    }
    this.#code.set(code, this.#size);
    this.#size += code.length;
  }
}
