/** The best of many, as they come. */
export interface Best<T> {
  add(one: T): void;
  /** Best first; of equals, the one that came first. */
  list(): T[];
}

/** So many more than are wanted are sorted at once: to sort all of 24,000 in the end would hold up the event loop. */
const roomFor = 4;

/** Keeps those with the highest score. @param limit how many at most */
export const createBest = <T>(limit: number, scoreOf: (one: T) => number): Best<T> => {
  let kept: T[] = [];
  const sort = (): void => {
    kept = kept.sort((one, other) => scoreOf(other) - scoreOf(one)).slice(0, limit);
  };
  return {
    add(one) {
      kept.push(one);
      if (kept.length >= roomFor * Math.max(1, limit)) sort();
    },
    list() {
      sort();
      return [...kept];
    },
  };
};
