import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { patienceMs, Watch } from '../../../src/solver/wasm/watch.js';
import type { Context } from '../../../src/solver/wasm/z3-module.js';

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'performance'] }),
);
afterEach(() => void vi.useRealTimers());

/** An evaluation that is cut after a millisecond and goes on all the same. */
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
    { started: () => {}, deaf, onInterrupt: () => {} },
    patienceMs({ work }),
  );
  return { watch, isGivenUp: () => isGivenUp };
}

function workFor(milliseconds: number): void {
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < milliseconds * 1000);
}

it('gives up one that does not heed an interrupt by how long it was at work', () => {
  const { watch, isGivenUp } = deafOne();
  // As beside others, which take the processor meanwhile.
  vi.advanceTimersByTime(500);
  expect(isGivenUp()).toBe(false);
  workFor(60);
  vi.advanceTimersByTime(10);
  expect(isGivenUp()).toBe(true);
  watch.end(0);
});

it('gives up one that does nothing any more, too', () => {
  const { watch, isGivenUp } = deafOne();
  vi.advanceTimersByTime(5_000);
  expect(isGivenUp()).toBe(true);
  watch.end(0);
});

it('waits longer for one that is to tell what it was busy with, which a killed one cannot', () => {
  const { watch, isGivenUp } = deafOne(true);
  workFor(100);
  vi.advanceTimersByTime(10);
  expect(isGivenUp()).toBe(false);
  workFor(200);
  vi.advanceTimersByTime(10);
  expect(isGivenUp()).toBe(true);
  watch.end(0);
});
