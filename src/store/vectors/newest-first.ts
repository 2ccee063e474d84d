/** What is ordered: by creation, then by id. */
export interface Dated {
  readonly id: string;
  readonly createdAt: number;
}

/** Entries in order of creation. Those that are no longer live are dropped on the way, so that none is searched for. */
interface NewestFirst<T extends Dated> {
  /** Fast for an entry that is newer than all others. */
  add(entry: T): void;
  /** The newest live entries, at most `limit`. @param isPassedOver leaves entries out */
  take(limit: number, isPassedOver?: (entry: T) => boolean): T[];
}

/** Dead entries are kept until they are so many. */
const minDead = 1_000;

const isOlder = (a: Dated, b: Dated): boolean =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);

/**
 * @param isLive whether an entry still counts
 * @param countLive how many do
 */
export const createNewestFirst = <T extends Dated>(
  isLive: (entry: T) => boolean,
  countLive: () => number,
): NewestFirst<T> => {
  /** Oldest first: new entries come last. */
  let entries: T[] = [];

  /** The number of entries that are older than this one. */
  const rankOf = (entry: T): number => {
    let from = 0;
    let to = entries.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = entries[middle];
      if (other !== undefined && isOlder(other, entry)) from = middle + 1;
      else to = middle;
    }
    return from;
  };

  const dropDead = (): void => {
    for (let last = entries.at(-1); last !== undefined && !isLive(last); last = entries.at(-1)) entries.pop();
    if (entries.length > 2 * countLive() + minDead) entries = entries.filter(isLive);
  };

  return {
    add(entry) {
      const last = entries.at(-1);
      if (last === undefined || isOlder(last, entry)) entries.push(entry);
      else entries.splice(rankOf(entry), 0, entry);
    },
    take(limit, isPassedOver = () => false) {
      dropDead();
      const taken: T[] = [];
      for (let index = entries.length - 1; index >= 0 && taken.length < limit; index -= 1) {
        const entry = entries[index];
        if (entry !== undefined && isLive(entry) && !isPassedOver(entry)) taken.push(entry);
      }
      return taken;
    },
  };
};
