/** Work that runs beside the reading of a body, bounded in number and in what it holds. */
interface WorkUnderWay {
  /** Starts the work once there is room for it. @throws the failure of earlier work */
  start(characters: number, work: () => Promise<void>): Promise<void>;
  /** Waits for all of it. @throws its first failure */
  settle(): Promise<void>;
}

/** Units of work at once: groups of small texts share their commits. */
const maxAtOnce = 16;
/** Text of the work under way at once; an analyzed character takes some ten bytes. A longer text is worked on alone. */
const maxCharacters = 4 * 1024 * 1024;

export const createWorkUnderWay = (): WorkUnderWay => {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let held = 0;

  const throwFailure = (): void => {
    if (failures.length > 0) throw failures[0];
  };

  return {
    async start(characters, work) {
      while (running.size > 0 && (running.size >= maxAtOnce || held + characters > maxCharacters))
        await Promise.race(running);
      throwFailure();
      held += characters;
      const mine = work()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          held -= characters;
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
