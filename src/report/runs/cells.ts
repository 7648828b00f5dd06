/** Cells of a comparison. */

import { count, duration, megabytes, ratio } from '../../page/index.js';
import type { RunResult, VersionResult } from './run-result.js';

export type Field = 'outcome' | 'time' | 'effort' | 'memory';

export const fieldText: Readonly<Record<Field, (result: VersionResult) => string>> = {
  outcome: ({ outcome }) => outcome,
  // A run that timed out would have taken longer.
  time: ({ ms, outcome }) => (ms === undefined ? '' : `${outcome === 'timeout' ? '>' : ''}${duration(ms)}`),
  effort: ({ effort }) => (effort === undefined ? '' : count(effort)),
  memory: ({ peakMemoryBytes }) => (peakMemoryBytes === undefined ? '' : megabytes(peakMemoryBytes)),
};

export function ratioText({ verdict, versions }: RunResult): string {
  if (verdict.kind === 'incomparable') return '';
  const isOpen = versions.at(-1)?.outcome === 'timeout';
  return `${isOpen ? '>' : ''}${ratio(slowdownRatio(verdict))}`;
}

/** A measured time of zero is below the clock's resolution. */
const leastMs = 0.01;

export function slowdownRatio({
  referenceMs,
  newestMs,
}: {
  readonly referenceMs: number;
  readonly newestMs: number;
}): number {
  return Math.max(newestMs, leastMs) / Math.max(referenceMs, leastMs);
}

/** The highlights of a formula. */
export function markText({ verdict, disagreement, seeds }: RunResult): string {
  const marks: string[] = [];
  if (disagreement !== undefined) marks.push('DISAGREE');
  if (verdict.kind === 'slower' || verdict.kind === 'faster') marks.push(verdict.kind);
  if (verdict.kind === 'undecided') marks.push('unsure');
  if (seeds !== undefined) marks.push(`on ${seeds.slower} of ${seeds.of} seeds`);
  return marks.join(', ');
}
