/** Parses the program's list of counters, which assigns them to functions; see counters.c. */

import { Fault } from '../../machine/index.js';

export interface LinkedCounters {
  /** Size of all counters. */
  readonly bytes: number;
  /** Compiled sources. */
  readonly units: readonly LinkedUnit[];
}

export interface LinkedUnit {
  /** Equals the stamp of the notes. */
  readonly stamp: number;
  /** Path where libgcov would write the counters; the notes are next to it. */
  readonly path: string;
  readonly functions: readonly LinkedFunction[];
}

export interface LinkedFunction {
  readonly ident: number;
  readonly lineChecksum: number;
  readonly flowChecksum: number;
  /** Number of its first counter. */
  readonly firstCounter: number;
  readonly counters: number;
}

const counterSize = 8;

export function parseLinkedCounters(text: string): LinkedCounters | Fault {
  const [size = '', ...lines] = text.split('\n');
  const bytes = Number(size);
  const damaged = (at: number): Fault =>
    new Fault('text', `line ${at + 1} of the program's list of counters is damaged`);
  if (!/^\d+$/.test(size) || bytes % counterSize !== 0) return damaged(0);
  if (lines.pop() !== '') return new Fault('text', "the program's list of counters is cut off");
  const units: (LinkedUnit & { readonly functions: LinkedFunction[] })[] = [];
  for (const [at, line] of lines.entries()) {
    const unit = /^(\d+) (.+)$/.exec(line);
    if (unit !== null) {
      units.push({ stamp: Number(unit[1]), path: unit[2] ?? '', functions: [] });
      continue;
    }
    const last = units.at(-1);
    if (last === undefined || !/^ \d+ \d+ \d+ -?\d+ \d+$/.test(line)) return damaged(at + 1);
    const [ident = 0, lineChecksum = 0, flowChecksum = 0, offset = 0, counters = 0] = line
      .slice(1)
      .split(' ')
      .map(Number);
    if (offset < 0 || offset % counterSize !== 0 || offset + counters * counterSize > bytes)
      return new Fault(
        'text',
        'the program has counters that were not linked together: it was not linked for coverage',
      );
    last.functions.push({
      ident,
      lineChecksum,
      flowChecksum,
      firstCounter: offset / counterSize,
      counters,
    });
  }
  return { bytes, units };
}
