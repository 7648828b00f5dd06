import { availableParallelism } from 'node:os';
import type { LimitName, Limits } from '../limits.js';
import type { Enclosure } from './enclosure.js';

/**
 * The first polling interval. It doubles up to the enclosure's own interval, so that the peak of a short run is seen.
 */
const firstLookMs = 5;
const shortestMs = 2;
/** Polling a thousand processes takes long; it may use at most one part in this many of the time. */
const costShare = 20;
/** A process that works for less than this share of the wall time is idle. */
const idleShare = 0.1;
const longestMs = 2 ** 31 - 1;

/**
 * Polls an enclosure as often as its limits need and reports the limit that was reached. It polls at the earliest
 * moment at which the processor time can be used up, with every core busy. Returns a function that stops it.
 */
export function watchLimits(
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
          // On a very busy machine it may have waited for a core all the time.
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
