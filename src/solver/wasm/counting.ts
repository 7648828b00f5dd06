/** The call counters are at the end of Z3's memory, whose size is fixed. */

import type { CallCounts } from '../run/run.js';
import { counterSize, ownFunctions, withFunctionCounters } from './function-counters.js';
import type { Imports } from './webassembly.js';

interface Counting {
  readonly functions: number;
  readonly base: number;
}

let counting: Counting | undefined;

/** Adds counters to a module that imports its memory; returns other modules unchanged. */
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

/** The memory limit that keeps formulas away from the counters; undefined without counters. */
export function maxFormulaMemory(): number | undefined {
  // Half of the space: Z3's allocations have gaps, and its code and data come first.
  return counting === undefined ? undefined : Math.floor(counting.base / 2);
}

export function clearCounts(memory: Uint8Array): void {
  if (counting !== undefined) memory.fill(0, counting.base);
}

export function readCounts(memory: Uint8Array): CallCounts | undefined {
  if (counting === undefined) return undefined;
  const { functions, base } = counting;
  const words = new Uint32Array(memory.buffer, memory.byteOffset + base, 2 * functions);
  const counts: { functions: number[]; calls: number[] } = { functions: [], calls: [] };
  for (let at = 0; at < functions; at++) {
    const [low = 0, high = 0] = [words[2 * at], words[2 * at + 1]];
    if (low === 0 && high === 0) continue;
    counts.functions.push(at);
    counts.calls.push(low + high * 2 ** 32);
  }
  return counts;
}
