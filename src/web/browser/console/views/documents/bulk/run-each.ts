import { startWork } from "../../../state/works.ts";

/** How many changes are under way at once; the browser opens six connections to a server. */
const maxAtOnce = 4;
/** A page that is being left sends so many more at most; browsers keep few requests alive that outlive their page. */
export const maxKeptAlive = 100;
/** Fewer are done before anybody could read how far they are. */
const minShown = 20;

export interface Failed<T> {
  item: T;
  error: unknown;
}

export interface Outcome<T> {
  failed: readonly Failed<T>[];
  /** What was not begun, since somebody stopped it. */
  left: readonly T[];
}

/**
 * Does the same with each item, a few at a time. All are tried, unless somebody stops it: of many, the progress is shown.
 * @param title what is done, for that: "Deleting documents"
 */
export const runEach = async <T>(
  title: string,
  items: readonly T[],
  run: (item: T) => Promise<unknown>,
): Promise<Outcome<T>> => {
  const failed: Failed<T>[] = [];
  const waiting = [...items];
  const left: T[] = [];
  const work = items.length < minShown ? null : startWork(title, items.length, () => left.push(...waiting.splice(0)));
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await run(item);
      } catch (error) {
        failed.push({ item, error });
      }
      work?.advance();
    }
  };
  // A page that is being left gets no second turn: then many are sent at once.
  const lanes = Math.min(waiting.length, document.visibilityState === "hidden" ? maxKeptAlive : maxAtOnce);
  await Promise.all(Array.from({ length: lanes }, lane));
  work?.end();
  return { failed, left };
};
