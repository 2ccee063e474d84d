/**
 * Does `work` for each item, at most `atOnce` of them at a time. After a failure no more work is started, and what is
 * running is awaited before the failure is thrown (p-map does not wait: callers would close what the work still uses).
 * @returns results in the order of the items
 */
export const inParallel = async <Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results = new Array<Result>(items.length);
  let next = 0;
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    while (next < items.length && !hasFailed) {
      const index = next++;
      try {
        results[index] = await work(items[index] as Item, index);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return results;
};
