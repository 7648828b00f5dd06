import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LimitName } from '../../../src/machine/limits.js';
import type { Enclosure } from '../../../src/machine/processes/enclosure.js';
import { wantsCore } from '../../../src/machine/processes/proc-files.js';
import { watchLimits } from '../../../src/machine/processes/watch-limits.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The limit that ends a run of 100 s that works 1 % of the time. */
function limitOf(isWaitingForCore: boolean): LimitName | undefined {
  const enclosure: Enclosure = {
    countsTime: true,
    entered: () => {},
    confine: () => ({ rlimits: [] }),
    usage: () => ({ cpuMs: performance.now() / 100, outOfMemory: false }),
    wantsCore: () => isWaitingForCore,
    killAll: async () => {},
    remove: async () => {},
  };
  const reached: LimitName[] = [];
  const limits = { wallMs: 100_000, idleMs: 10_000, cpuMs: 10_000 };
  const stop = watchLimits(enclosure, undefined, limits, (limit) => void reached.push(limit));
  vi.advanceTimersByTime(limits.wallMs);
  stop();
  return reached[0];
}

it('watchLimits ends an idle process, but not one that waits for a core', () => {
  expect(limitOf(false)).toBe('idle');
  expect(limitOf(true)).toBe('wall');
});

it('wantsCore is true for a running process and false for a missing one', () => {
  expect(wantsCore(process.pid)).toBe(true);
  expect(wantsCore(2 ** 30)).toBe(false);
});
