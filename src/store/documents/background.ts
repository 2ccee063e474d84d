import type { Logger } from "../../log/log.ts";

/** Work that continues after its caller got an answer. A function is called once more by `again` where it failed. */
export interface Background {
  run(work: Promise<void> | (() => Promise<void>)): void;
  /** Does once more what failed. @throws the first failure; the others are done */
  again(): Promise<void>;
  /** Whether nothing failed that is not done since. */
  isDone(): boolean;
  /** Waits until none is running. */
  settle(): Promise<void>;
}

/** @param onLeft something failed that `again` can do */
export const createBackground = (log: Logger, onLeft: () => void): Background => {
  const running = new Set<Promise<void>>();
  const left = new Set<() => Promise<void>>();
  let hasFailed = false;
  return {
    run(work) {
      const settled = (typeof work === "function" ? work() : work).catch((error: unknown) => {
        const fields = { error: String(error) };
        if (typeof work !== "function") {
          hasFailed = true;
          return log.error(fields, "tidying up after a write failed; the next start does it");
        }
        left.add(work);
        onLeft();
        log.warn(fields, "what a write has replaced or removed could not be tidied up yet: it is tried again");
      });
      running.add(settled);
      void settled.finally(() => running.delete(settled));
    },
    async again() {
      const failures: unknown[] = [];
      for (const work of [...left]) {
        await work().then(
          () => left.delete(work),
          (error: unknown) => failures.push(error),
        );
      }
      if (failures.length > 0) throw failures[0];
    },
    isDone: () => left.size === 0 && !hasFailed,
    async settle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
