import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { eitherSignal } from '../../src/machine/either-signal.js';

describe('eitherSignal', () => {
  const pair = () => [new AbortController(), new AbortController()] as const;

  it.each([0, 1])('is aborted with the reason of either source: %i', (which) => {
    const sources = pair();
    const { signal } = eitherSignal(sources[0].signal, sources[1].signal);
    expect(signal.aborted).toBe(false);
    sources[which]?.abort('enough');
    expect(signal).toMatchObject({ aborted: true, reason: 'enough' });
  });

  it('is aborted from the start if one source is', () => {
    const { signal } = eitherSignal(AbortSignal.abort('early'), new AbortController().signal);
    expect(signal).toMatchObject({ aborted: true, reason: 'early' });
  });

  it('removes its listeners from both sources when released', () => {
    const [first, second] = pair();
    const followed = eitherSignal(first.signal, second.signal);
    followed.release();
    expect(getEventListeners(first.signal, 'abort')).toEqual([]);
    expect(getEventListeners(second.signal, 'abort')).toEqual([]);
    first.abort();
    expect(followed.signal.aborted).toBe(false);
  });

  it('returns the second signal if there is no first', () => {
    const { signal } = new AbortController();
    expect(eitherSignal(undefined, signal).signal).toBe(signal);
  });
});
