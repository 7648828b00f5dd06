/** A signal that follows two others until it is let go. */
export interface EitherSignal {
  readonly signal: AbortSignal;
  /** To be called when nobody listens any more. */
  readonly release: () => void;
}

/**
 * Aborted as soon as one of the two is, with its reason. `AbortSignal.any` would do, but in Node 20 it leaves something
 * behind for each signal it makes for as long as its sources live: a gigabyte in a hunt of twelve hours.
 */
export function eitherSignal(first: AbortSignal | undefined, second: AbortSignal): EitherSignal {
  if (first === undefined) return { signal: second, release: () => {} };
  const controller = new AbortController();
  const follow = (event: Event): void => controller.abort((event.target as AbortSignal).reason);
  const sources = [first, second];
  const aborted = sources.find((source) => source.aborted);
  if (aborted !== undefined) controller.abort(aborted.reason);
  else for (const source of sources) source.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    release: () => {
      for (const source of sources) source.removeEventListener('abort', follow);
    },
  };
}
