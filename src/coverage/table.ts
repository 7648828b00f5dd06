/**
 * The data that all runs of a build share: its files, functions and lines, and how their counts follow from counters.
 */

import { endBlocks } from './gcov/flow.js';
import { loopCount } from './gcov/loops.js';
import type { LineCounts } from './line-counts.js';

/** The stored form of a table: names, and numbers in long arrays. */
export interface TableParts {
  /** Relative to the source folder. */
  readonly files: readonly string[];
  /** File number of each line. */
  readonly lineFiles: Uint32Array;
  /** Line number of each line in its file. */
  readonly lineNumbers: Uint32Array;
  readonly functions: readonly TableFunction[];
  /** Offset of each function's encoding in `code`. */
  readonly codeStarts: Uint32Array;
  /** Encoded functions; see function-code.ts. */
  readonly code: Int32Array;
  /** Size of a run's counters. */
  readonly counterBytes: number;
  /** Number of blocks of all functions; undefined in tables without blocks. */
  readonly regions?: number | undefined;
  /** Digest of the program's list of counters; undefined in older tables. */
  readonly linked?: string | undefined;
}

export interface TableFunction {
  /** The linker name. */
  readonly name: string;
  /** Undefined for a library function. */
  readonly file: number | undefined;
  readonly startLine: number;
  readonly endLine: number;
  /** Number of its first counter. */
  readonly firstCounter: number;
  readonly counters: number;
}

export class CoverageTable {
  /** Executions of each line of the current run. */
  readonly #sums: Float64Array;
  #arcs = new Float64Array(1 << 12);
  readonly #reached = new Set<number>();
  #regions = 0;

  constructor(readonly parts: TableParts) {
    this.#sums = new Float64Array(parts.lineNumbers.length);
  }

  get lines(): number {
    return this.parts.lineNumbers.length;
  }

  /** Counts of lines and functions, from the counters of a run. */
  countsOf(counters: Float64Array): LineCounts {
    const { functions } = this.parts;
    const called: number[] = [];
    const calls: number[] = [];
    const touched: number[] = [];
    this.#regions = 0;
    functions.forEach(({ firstCounter, counters: number }, at) => {
      let isExecuted = false;
      for (let counter = firstCounter; counter < firstCounter + number && !isExecuted; counter++)
        isExecuted = counters[counter] !== 0;
      if (!isExecuted) return;
      called.push(at);
      calls.push(this.#add(at, counters, touched));
    });
    const lines = Uint32Array.from(touched).sort();
    const counts = Float64Array.from(lines, (line) => this.#sums[line] ?? 0);
    for (const line of lines) this.#sums[line] = 0;
    return {
      ...{ lines, counts, functions: Uint32Array.from(called), calls: Float64Array.from(calls) },
      regions: this.parts.regions === undefined ? undefined : this.#regions,
    };
  }

  /** Adds a function's counts to its lines; returns its calls. */
  #add(at: number, counters: Float64Array, touched: number[]): number {
    const { code, codeStarts, functions } = this.parts;
    let next = codeStarts[at] ?? 0;
    const word = (): number => code[next++] ?? 0;
    const size = word();
    if (size > this.#arcs.length) this.#arcs = new Float64Array(2 * size);
    const arcs = this.#arcs.fill(0, 0, size);
    const sum = (): number => {
      let total = 0;
      for (let left = word(); left > 0; left--) total += arcs[word()] ?? 0;
      return total;
    };
    let counter = functions[at]?.firstCounter ?? 0;
    for (let left = word(); left > 0; left--) arcs[word()] = counters[counter++] ?? 0;
    for (let left = word(); left > 0; left--) {
      const arc = word();
      const plus = sum();
      arcs[arc] = plus - sum();
    }
    const calls = sum();
    const loopsAt = word();
    const loops = this.#loopsAt(loopsAt);
    for (let left = word(); left > 0; left--) {
      const line = word();
      let count = sum();
      const blocks = word();
      if (blocks > 0) count += loops(code.subarray(next, next + blocks), arcs);
      next += blocks;
      if (count <= 0) continue;
      if (this.#sums[line] === 0) touched.push(line);
      this.#sums[line] = (this.#sums[line] ?? 0) + count;
    }
    if (this.parts.regions !== undefined) this.#regions += this.#blocksAt(loopsAt, size);
    return calls;
  }

  /**
   * Number of executed blocks of a function: a taken arc begins or ends there. The blocks of arcs are encoded after
   * the loops.
   */
  #blocksAt(loopsAt: number, size: number): number {
    const { code } = this.parts;
    const ends = loopsAt + 1 + 3 * (code[loopsAt] ?? 0);
    this.#reached.clear();
    for (let arc = 0; arc < size; arc++) {
      if ((this.#arcs[arc] ?? 0) <= 0) continue;
      for (const block of [code[ends + 2 * arc] ?? 0, code[ends + 2 * arc + 1] ?? 0])
        if (block >= endBlocks) this.#reached.add(block);
    }
    return this.#reached.size;
  }

  /** Iterations of loops on a line, whose arcs are encoded after everything else. */
  #loopsAt(place: number): (blocks: Int32Array, arcs: Float64Array) => number {
    return (blocks, arcs) => {
      const { code } = this.parts;
      const leaving: { arc: number; to: number }[][] = [];
      let at = place;
      for (let left = code[at++] ?? 0; left > 0; left--, at += 3) {
        const list = leaving[code[at] ?? 0] ?? [];
        leaving[code[at] ?? 0] = list;
        list.push({ arc: code[at + 1] ?? 0, to: code[at + 2] ?? 0 });
      }
      return loopCount({ blocks: [...blocks], leaving }, arcs);
    };
  }
}
