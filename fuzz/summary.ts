/** Prints the result of a fuzzing run. */

import { visibleLine } from '../src/machine/index.js';
import { type Column, duration, table } from '../src/page/index.js';
import type { FailureGroup } from './failures.js';
import type { Kind } from './kinds.js';

/** Counts of one kind, for attempts in one process or as separate commands. */
export interface Tally {
  readonly kind: Kind;
  readonly way: 'in process' | 'command';
  attempts: number;
  failures: number;
  slowestMs: number;
  /** The name of the slowest attempt. */
  slowest: string;
}

export interface Summary {
  readonly seed: number;
  readonly wallMs: number;
  readonly tallies: readonly Tally[];
  readonly groups: readonly FailureGroup[];
}

const columns: readonly Column[] = [
  { title: 'kind' },
  { title: 'way' },
  { title: 'attempts', align: 'right' },
  { title: 'failures', align: 'right' },
  { title: 'slowest', align: 'right' },
  { title: 'which' },
];

export function summaryText({ seed, wallMs, tallies, groups }: Summary): string {
  const rows = tallies.map(({ kind, way, attempts, failures, slowestMs, slowest }) => [
    kind,
    way,
    String(attempts),
    String(failures),
    duration(slowestMs),
    slowest,
  ]);
  const found = groups.map(({ wrong, kind, count, first }) =>
    visibleLine(`${count} x ${kind}: ${wrong.what}: ${wrong.detail}  (${first})`),
  );
  return [
    table(columns, rows),
    '',
    `seed ${seed}, ${duration(wallMs)}, ${groups.length === 0 ? 'no failures' : `${groups.length} kinds of failures:`}`,
    ...found,
  ].join('\n');
}

export function summaryJson(summary: Summary): string {
  return JSON.stringify(summary);
}
