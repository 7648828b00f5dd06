/** A test whose verdict depends on a measure: its time, or the last number it prints. */

import { Fault } from '../../machine/index.js';
import type { CommandEnd } from './run-command.js';
import type { Trial } from './verdict.js';

export interface SlowLimit {
  /** The measure is the last number that the test prints; else its time in milliseconds. */
  readonly isPrinted: boolean;
  /** The test fails if it measures more. */
  readonly most: number;
}

/** A slow run may be due to a busy machine. One quick run shows that the test can be quick. */
const maxRuns = 3;

export async function measuredTrial(
  runTest: () => Promise<CommandEnd | Fault>,
  { isPrinted, most }: SlowLimit,
): Promise<Trial | Fault> {
  let least: number | undefined;
  for (let run = 0; run < (isPrinted ? 1 : maxRuns); run++) {
    const end = await runTest();
    if (end instanceof Fault) return end;
    const { output } = end;
    if (end.hitWallLimit) return { verdict: 'unresolved', output, hitWallLimit: true };
    // A test that reaches its time limit is slow; any other failure gives no measure.
    if (end.exitCode !== 0 && !end.isLate) return { verdict: 'unresolved', output };
    const measure = isPrinted && !end.isLate ? printedNumber(end.tail) : end.wallMs;
    if (measure === undefined)
      return { verdict: 'unresolved', output: `${output}\nthe test prints no number` };
    least = Math.min(least ?? Number.POSITIVE_INFINITY, end.isLate ? Number.POSITIVE_INFINITY : measure);
    if (least <= most) return { verdict: 'passes', output, measure: least };
  }
  const isMeasured = least !== undefined && Number.isFinite(least);
  return { verdict: 'fails', output: '', ...(isMeasured ? { measure: least } : {}) };
}

function printedNumber(text: string): number | undefined {
  const printed = [...text.matchAll(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi)].at(-1)?.[0];
  return printed === undefined ? undefined : Number(printed);
}
