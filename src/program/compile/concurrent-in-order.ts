/** Yields results in the order of their jobs and runs a few jobs at a time. */
export async function* concurrentInOrder<Result>(
  jobs: readonly ((signal: AbortSignal) => Promise<Result>)[],
  width: number,
  signal?: AbortSignal,
): AsyncGenerator<Result> {
  // If the consumer stops early, running jobs are aborted.
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const started: Promise<Result>[] = [];
  try {
    for (let next = 0; ; ) {
      while (started.length < width) {
        const job = jobs[next++];
        if (job === undefined) break;
        signal?.throwIfAborted();
        const result = job(stopping.signal);
        // The result is awaited later; until then a rejection must not count as unhandled.
        result.catch(() => {});
        started.push(result);
      }
      const first = started.shift();
      if (first === undefined) return;
      yield await first;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stopping.abort();
    await Promise.allSettled(started);
  }
}
