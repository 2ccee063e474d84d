import type { Logger } from "../log.ts";

/** Work that continues after its caller got an answer. */
export interface Background {
  run(work: Promise<void>): void;
  /** Waits until none is left. */
  settle(): Promise<void>;
}

export const createBackground = (log: Logger): Background => {
  const running = new Set<Promise<void>>();
  return {
    run(work) {
      const settled = work.catch((error: unknown) => {
        log.error({ error: String(error) }, "tidying up after a write failed; the next start does it");
      });
      running.add(settled);
      void settled.finally(() => running.delete(settled));
    },
    async settle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
