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

/** Work that runs beside the reading of its source, bounded in number and in weight; the heaviest runs alone. */
export interface WorkUnderWay {
  /** Starts the work once there is room for it. @throws the failure of earlier work */
  start(weight: number, work: () => Promise<void>): Promise<void>;
  /** Waits for all of it. @throws its first failure */
  settle(): Promise<void>;
}

export const createWorkUnderWay = (maxWeight: number, maxAtOnce = Number.POSITIVE_INFINITY): WorkUnderWay => {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let held = 0;

  const throwFailure = (): void => {
    if (failures.length > 0) throw failures[0];
  };

  return {
    async start(weight, work) {
      while (running.size > 0 && (running.size >= maxAtOnce || held + weight > maxWeight)) await Promise.race(running);
      throwFailure();
      held += weight;
      const mine = work()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          held -= weight;
          running.delete(mine);
        });
      running.add(mine);
    },
    async settle() {
      await Promise.all(running);
      throwFailure();
    },
  };
};
