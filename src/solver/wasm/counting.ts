/** Where the functions of this process's Z3 count their calls, if they do: at the end of its memory, which is of fixed size. */

import type { CallCounts } from '../run/run.js';
import { counterSize, ownFunctions, withFunctionCounters } from './function-counters.js';
import type { Imports } from './webassembly.js';

interface Counting {
  readonly functions: number;
  readonly base: number;
}

let counting: Counting | undefined;

/** The module with counters, for the memory that it is given; as it is where it is given none. */
export function countingModule(source: Uint8Array, imports: Imports): Uint8Array {
  const bytes = memorySize(imports);
  if (bytes === undefined) return source;
  const functions = ownFunctions(source);
  const base = bytes - functions * counterSize;
  counting = { functions, base };
  return withFunctionCounters(source, base);
}

function memorySize(imports: Imports): number | undefined {
  for (const names of Object.values(imports))
    for (const value of Object.values(names)) {
      const buffer: unknown = (value as { readonly buffer?: unknown } | null)?.buffer;
      if (buffer instanceof ArrayBuffer || buffer instanceof SharedArrayBuffer) return buffer.byteLength;
    }
  return undefined;
}

/** What a formula may take of the memory, so that it never reaches the counters; undefined where there are none. */
export function mostMemory(): number | undefined {
  // What Z3 asks for lies in more memory than that: there are gaps between, and its own code and data before.
  return counting === undefined ? undefined : Math.floor(counting.base / 2);
}

export function clearCounts(memory: Uint8Array): void {
  if (counting !== undefined) memory.fill(0, counting.base);
}

/** Undefined where nothing is counted. */
export function countsIn(memory: Uint8Array): CallCounts | undefined {
  if (counting === undefined) return undefined;
  const { functions, base } = counting;
  const words = new Uint32Array(memory.buffer, memory.byteOffset + base, 2 * functions);
  const found: { functions: number[]; calls: number[] } = { functions: [], calls: [] };
  for (let at = 0; at < functions; at++) {
    const [low = 0, high = 0] = [words[2 * at], words[2 * at + 1]];
    if (low === 0 && high === 0) continue;
    found.functions.push(at);
    found.calls.push(low + high * 2 ** 32);
  }
  return found;
}
