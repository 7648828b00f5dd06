import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { eitherSignal } from '../../src/machine/either-signal.js';

describe('a signal that follows two', () => {
  const pair = () => [new AbortController(), new AbortController()] as const;

  it.each([0, 1])('is aborted with the reason of either: %i', (which) => {
    const sources = pair();
    const { signal } = eitherSignal(sources[0].signal, sources[1].signal);
    expect(signal.aborted).toBe(false);
    sources[which]?.abort('enough');
    expect(signal).toMatchObject({ aborted: true, reason: 'enough' });
  });

  it('is aborted from the start where one of them is', () => {
    const { signal } = eitherSignal(AbortSignal.abort('early'), new AbortController().signal);
    expect(signal).toMatchObject({ aborted: true, reason: 'early' });
  });

  it('leaves nothing behind at either once it is released', () => {
    const [first, second] = pair();
    const followed = eitherSignal(first.signal, second.signal);
    followed.release();
    expect(getEventListeners(first.signal, 'abort')).toEqual([]);
    expect(getEventListeners(second.signal, 'abort')).toEqual([]);
    first.abort();
    expect(followed.signal.aborted).toBe(false);
  });

  it('is the second itself where there is no first', () => {
    const { signal } = new AbortController();
    expect(eitherSignal(undefined, signal).signal).toBe(signal);
  });
});
