import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { patienceMs, Watch } from '../../../src/solver/wasm/watch.js';
import type { Context } from '../../../src/solver/wasm/z3-module.js';

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'performance'] }),
);
afterEach(() => void vi.useRealTimers());

/** An evaluation that is interrupted after a millisecond but continues. */
function deafOne(work = false): { readonly watch: Watch; readonly isGivenUp: () => boolean } {
  const z3 = { listen: () => {}, interrupt: () => {}, allocatedBytes: () => 0 };
  let isGivenUp = false;
  const deaf = () => {
    isGivenUp = true;
  };
  const watch = new Watch(
    z3,
    0 as Context,
    { wallMs: 1 },
    { started: () => {}, unresponsive: deaf, onInterrupt: () => {} },
    patienceMs({ work }),
  );
  return { watch, isGivenUp: () => isGivenUp };
}

function workFor(milliseconds: number): void {
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < milliseconds * 1000);
}

it('Watch gives up an unresponsive evaluation after its processor time', () => {
  const { watch, isGivenUp } = deafOne();
  // Like concurrent processes that take the processor.
  vi.advanceTimersByTime(500);
  expect(isGivenUp()).toBe(false);
  workFor(60);
  vi.advanceTimersByTime(10);
  expect(isGivenUp()).toBe(true);
  watch.end(0);
});

it('Watch gives up an evaluation that uses no processor time', () => {
  const { watch, isGivenUp } = deafOne();
  vi.advanceTimersByTime(5_000);
  expect(isGivenUp()).toBe(true);
  watch.end(0);
});

it('Watch waits longer if work counters are requested, which a killed host cannot report', () => {
  const { watch, isGivenUp } = deafOne(true);
  workFor(100);
  vi.advanceTimersByTime(10);
  expect(isGivenUp()).toBe(false);
  workFor(200);
  vi.advanceTimersByTime(10);
  expect(isGivenUp()).toBe(true);
  watch.end(0);
});
