import type { StoreTable } from "../engine/store-table.ts";

type Table = StoreTable<unknown>;

/**
 * Runs work while nothing is written to any table. Writes wait in their queues, for as long as the longest commit that
 * runs, and the work.
 * @param tables those that are open now: it is asked again, since one may be opened meanwhile
 * @param last its queue is stopped after all others, since their commits may wait for it
 */
export const whileStill = async <R>(
  tables: () => readonly Table[],
  last: Table,
  work: (still: readonly Table[]) => Promise<R>,
): Promise<R> => {
  const release = Promise.withResolvers<void>();
  const stopped = new Map<Table, Promise<void>>();
  /** Resolves when the table's queue has stopped; it continues after the release. */
  const stop = (table: Table): Promise<void> => {
    const entered = Promise.withResolvers<void>();
    const held = table.alone(() => {
      entered.resolve();
      return release.promise;
    });
    held.catch(entered.reject);
    stopped.set(table, held);
    return entered.promise;
  };
  try {
    // A table is opened before a row names it: once all others have stopped, no row can name a new one.
    for (;;) {
      const next = tables().filter((table) => !stopped.has(table));
      if (next.length === 0) break;
      await Promise.all(next.map(stop));
    }
    await stop(last);
    return await work([...stopped.keys()]);
  } finally {
    release.resolve();
    await Promise.allSettled(stopped.values());
  }
};
