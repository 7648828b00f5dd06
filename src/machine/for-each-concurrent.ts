/**
 * Processes items in order, at most `workers` at a time. Rejects with the first error after all started items have
 * ended.
 */
export async function forEachConcurrent<Item>(
  items: readonly Item[],
  workers: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const item of waiting) {
      if (hasFailed) return;
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(workers, items.length) }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
