import { availableParallelism } from 'node:os';
import type { LimitName, Limits } from '../limits.js';
import type { Enclosure } from './enclosure.js';

/** A short run's peak is seen only by early looks; they grow apart until the enclosure's own period. */
const firstLookMs = 5;
const shortestMs = 2;
/** A look at a thousand processes takes its time; looking is to take no more than one part in so many. */
const costShare = 20;
/** What has worked for less than this share of its time on the clock waits, mostly for something other than a core. */
const idleShare = 0.1;
/** What `setTimeout` can count to. */
const longestMs = 2 ** 31 - 1;

/**
 * Looks at an enclosure as often as its limits need and says which was reached: after the wall time, when memory
 * has run out, and at the earliest moment the processor time can be used up, which is with every core at work.
 * Returns how to stop looking.
 */
export function lookout(
  enclosure: Enclosure,
  everyMs: number | undefined,
  limits: Limits,
  reached: (limit: LimitName) => void,
): () => void {
  const cpuLimitMs = limits.cpuMs ?? Number.POSITIVE_INFINITY;
  const longest = everyMs ?? Number.POSITIVE_INFINITY;
  const cores = availableParallelism();
  const wallTimer = setTimeout(() => reached('wall'), Math.min(limits.wallMs, longestMs));
  const { idleMs } = limits;
  let workedMs = 0;
  const idleTimer =
    idleMs === undefined || idleMs > longestMs
      ? undefined
      : setInterval(() => {
          const { cpuMs = 0 } = enclosure.usage();
          // On a machine that is very busy it may have waited for a core all the time.
          if (cpuMs - workedMs < idleShare * idleMs && !enclosure.wantsCore()) reached('idle');
          workedMs = cpuMs;
        }, idleMs);
  let lookTimer: NodeJS.Timeout | undefined;

  const lookAfter = (period: number, usedMs: number) => {
    const delay = Math.max(shortestMs, Math.min(period, (cpuLimitMs - usedMs) / cores));
    if (delay <= longestMs) lookTimer = setTimeout(() => look(Math.min(2 * period, longest)), delay);
  };
  const look = (period: number) => {
    const before = performance.now();
    const { cpuMs = 0, outOfMemory } = enclosure.usage();
    const costMs = performance.now() - before;
    if (outOfMemory) reached('memory');
    else if (cpuMs >= cpuLimitMs) reached('cpu');
    else lookAfter(Math.max(period, costShare * costMs), cpuMs);
  };

  lookAfter(longest === Number.POSITIVE_INFINITY ? longest : firstLookMs, 0);
  return () => {
    clearTimeout(wallTimer);
    clearInterval(idleTimer);
    clearTimeout(lookTimer);
  };
}
