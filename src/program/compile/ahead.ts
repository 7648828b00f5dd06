/** Results in the order of their jobs, with a few jobs under way at a time. */
export async function* ahead<Result>(
  jobs: readonly ((signal: AbortSignal) => Promise<Result>)[],
  width: number,
  signal?: AbortSignal,
): AsyncGenerator<Result> {
  // Whoever stops listening early ends what is under way.
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
        // It is waited for later; until then nobody else hears of its failure.
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
