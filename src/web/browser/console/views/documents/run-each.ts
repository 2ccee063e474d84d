/** How many changes are under way at once; the browser opens six connections to a server. */
const maxAtOnce = 4;

export interface Failed<T> {
  item: T;
  error: unknown;
}

/** Does the same with each item, a few at a time. All are tried. @returns those that failed */
export const runEach = async <T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<Failed<T>[]> => {
  const failed: Failed<T>[] = [];
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await run(item);
      } catch (error) {
        failed.push({ item, error });
      }
    }
  };
  // A page that is being left gets no second turn: then all are sent at once.
  const lanes = document.visibilityState === "hidden" ? waiting.length : maxAtOnce;
  await Promise.all(Array.from({ length: lanes }, work));
  return failed;
};
