/** When a table is tidied, by what was written to it since the last time. */

/** What was written since a table was tidied. */
export interface Written {
  readonly commits: number;
  readonly rows: number;
}

/** Whether a table was read since it was tidied; `searchedApart`: it was, but what was added is searched without it. */
export type TableUse = "read" | "unread" | "searchedApart";

/** How much may be written before a table is tidied. */
export type MaxUntidied = Readonly<Record<TableUse, Written>>;

const forAnyUse = (written: Written): MaxUntidied => ({ read: written, unread: written, searchedApart: written });

/**
 * Each commit leaves small files. A search gets 0.4 ms slower with each, and 8 ms slower with a thousand rows that no
 * index holds yet. If nobody searches, that can wait, because updating the indexes costs nearly as much for a few rows as
 * for many. Other tables are read by id or a page at a time, and the texts of documents by id alone: merging them
 * took 0.9 s each time beside hostile texts of 64 KB, and no search gains by it.
 */
export const maxUntidied = {
  searched: {
    read: { commits: 32, rows: 4_000 },
    unread: { commits: 96, rows: 40_000 },
    searchedApart: { commits: 64, rows: 6_000 },
  },
  other: forAnyUse({ commits: 96, rows: Number.POSITIVE_INFINITY }),
  texts: forAnyUse({ commits: 256, rows: Number.POSITIVE_INFINITY }),
} as const satisfies Record<string, MaxUntidied>;

/**
 * After a run, a table rests for this share of the time that the run took, so that a large one is not tidied all the time.
 * If it is read, more rest costs more than it saves: searches of the new files take more of the processor than upkeep.
 * While 800 texts of 64 KB were taken in on 2 busy cores, the slowest of 100 questions took 1.4 s with a rest of two runs,
 * 0.9 s with one, 0.5 s with this. If what was added is searched apart, that is different: each run writes the whole table
 * anew (LanceDB merges files of up to a million rows), 1.3 s of CPU for 130,000 snippets.
 */
const restPerRun: Readonly<Record<TableUse, number>> = { read: 0.3, unread: 2, searchedApart: 3 };

const manyCommits: Written = { commits: 320, rows: Number.POSITIVE_INFINITY };

/**
 * With so much it does not rest. Reads suffer from more commits. Of rows that are searched apart only so many are kept
 * (unindexed-snippets.ts), twice as many as here: as many again may come while a run is under way.
 */
export const tooMuchToRest: MaxUntidied = {
  ...forAnyUse(manyCommits),
  searchedApart: { ...manyCommits, rows: 12_000 },
};

/** With so much it is tidied in the first quiet second, with less in a longer silence. */
const worthTidying: Written = { commits: 16, rows: 1_000 };

/**
 * A table that was written to is tidied when nothing follows for so long. A run takes 50 ms of CPU however little there
 * is: when each waited for a second, a server with three pieces of work a second ran three times a second, for 22 % of a
 * processor.
 */
const silenceMs = { withMuch: 1_000, withLittle: 10_000 };

const isReached = (limit: Written, { commits, rows }: Written): boolean =>
  commits >= limit.commits || rows >= limit.rows;

export interface UpkeepSituation {
  readonly written: Written;
  readonly use: TableUse;
  readonly limits: MaxUntidied;
  /** How long the last run took, and ago it ended (ms; 0 and infinite before the first). */
  readonly lastRun: { readonly tookMs: number; readonly sinceMs: number };
}

/** Whether a table that is being written to is tidied now. */
export const isUpkeepDue = ({ written, use, limits, lastRun }: UpkeepSituation): boolean => {
  if (isReached(tooMuchToRest[use], written)) return true;
  return isReached(limits[use], written) && lastRun.sinceMs >= restPerRun[use] * lastRun.tookMs;
};

/** How long a table that was written to is left alone before it is tidied. */
export const silenceBeforeUpkeepMs = (written: Written): number =>
  isReached(worthTidying, written) ? silenceMs.withMuch : silenceMs.withLittle;
