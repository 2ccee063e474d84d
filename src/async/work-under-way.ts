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
