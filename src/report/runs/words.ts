/** Cells of a comparison, as people read them. */

import { count, duration, megabytes, ratio } from '../../page/index.js';
import type { RunResult, VersionResult } from './result.js';

/** Something that is told of each version. */
export type Field = 'outcome' | 'time' | 'effort' | 'memory';

export const fieldText: Readonly<Record<Field, (result: VersionResult) => string>> = {
  outcome: ({ outcome }) => outcome,
  // What did not come to its end would have taken longer.
  time: ({ ms, outcome }) => (ms === undefined ? '' : `${outcome === 'timeout' ? '>' : ''}${duration(ms)}`),
  effort: ({ effort }) => (effort === undefined ? '' : count(effort)),
  memory: ({ peakMemoryBytes }) => (peakMemoryBytes === undefined ? '' : megabytes(peakMemoryBytes)),
};

export function ratioText({ verdict, versions }: RunResult): string {
  if (verdict.kind === 'incomparable') return '';
  const isOpen = versions.at(-1)?.outcome === 'timeout';
  return `${isOpen ? '>' : ''}${ratio(timesAsLong(verdict))}`;
}

/** A clock that says zero has measured nothing. */
const leastMs = 0.01;

export function timesAsLong({
  referenceMs,
  newestMs,
}: {
  readonly referenceMs: number;
  readonly newestMs: number;
}): number {
  return Math.max(newestMs, leastMs) / Math.max(referenceMs, leastMs);
}

/** What a reader should notice about a formula. */
export function markText({ verdict, disagreement, seeds }: RunResult): string {
  const marks: string[] = [];
  if (disagreement !== undefined) marks.push('DISAGREE');
  if (verdict.kind === 'slower' || verdict.kind === 'faster') marks.push(verdict.kind);
  if (verdict.kind === 'undecided') marks.push('unsure');
  if (seeds !== undefined) marks.push(`on ${seeds.slower} of ${seeds.of} seeds`);
  return marks.join(', ');
}
