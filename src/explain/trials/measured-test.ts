/** A test of how much is done: its time, or the last number it prints. */

import { Fault } from '../../machine/index.js';
import { type Commands, runCommand, testLimits } from './commands.js';
import type { Trial } from './verdict.js';

/** What counts as slow. */
export interface SlowLimit {
  /** The last number that the test prints is the measure; else its time in milliseconds. */
  readonly isPrinted: boolean;
  /** More is too much. */
  readonly most: number;
}

/** One quick run shows that it can be; a slow one may be the machine's doing. */
const mostRuns = 3;

export async function measuredTest(
  source: string,
  commands: Commands,
  { isPrinted, most }: SlowLimit,
  signal: AbortSignal,
): Promise<Trial | Fault> {
  let least: number | undefined;
  for (let run = 0; run < (isPrinted ? 1 : mostRuns); run++) {
    const end = await runCommand(commands.test, source, testLimits(commands), commands, signal);
    if (end instanceof Fault) return end;
    if (end.isUnsure) return { verdict: 'unresolved', said: end.said, isUnsure: true };
    // What does not come to its end in time is slow; what ends in another way says nothing of that.
    if (end.exitCode !== 0 && !end.isLate) return { verdict: 'unresolved', said: end.said };
    const measure = isPrinted && !end.isLate ? printedNumber(end.tail) : end.wallMs;
    if (measure === undefined)
      return { verdict: 'unresolved', said: `${end.said}\nthe test prints no number` };
    least = Math.min(least ?? Number.POSITIVE_INFINITY, end.isLate ? Number.POSITIVE_INFINITY : measure);
    if (least <= most) return { verdict: 'passes', said: end.said, measure: least };
  }
  const isKnown = least !== undefined && Number.isFinite(least);
  return { verdict: 'fails', said: '', ...(isKnown ? { measure: least } : {}) };
}

function printedNumber(text: string): number | undefined {
  const printed = [...text.matchAll(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi)].at(-1)?.[0];
  return printed === undefined ? undefined : Number(printed);
}
