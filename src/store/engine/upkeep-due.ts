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

/** What is tidied when nothing follows. */
interface QuietUpkeep {
  /** With so much soon, with less after a longer silence. */
  readonly much: Written;
  /** With less, a table is only tidied if it has no more bytes. */
  readonly maxBytes: number;
}

export interface UpkeepLimits extends MaxUntidied {
  readonly quiet: QuietUpkeep;
}

const forAnyUse = (written: Written): MaxUntidied => ({ read: written, unread: written, searchedApart: written });

/** Some 0.3 s of CPU, and as many bytes are written. */
const smallTable = 64_000_000;

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
    quiet: { much: { commits: 16, rows: 1_000 }, maxBytes: Number.POSITIVE_INFINITY },
  },
  other: {
    ...forAnyUse({ commits: 96, rows: Number.POSITIVE_INFINITY }),
    quiet: { much: { commits: 64, rows: Number.POSITIVE_INFINITY }, maxBytes: smallTable },
  },
  texts: {
    ...forAnyUse({ commits: 256, rows: Number.POSITIVE_INFINITY }),
    quiet: { much: { commits: 192, rows: Number.POSITIVE_INFINITY }, maxBytes: smallTable },
  },
} as const satisfies Record<string, UpkeepLimits>;

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

/**
 * How long nothing is written before a table is tidied: at least this, and this many times what a run takes. A run takes
 * 50 ms of CPU however little there is: when each waited for a second, a server with three pieces of work a second ran three
 * times a second, for 22 % of a processor. And it writes the whole table anew: when each waited for ten seconds, one document
 * more beside 100,000 snippets took 1.9 s of CPU and wrote 196 MB.
 */
const silence = { withMuch: { leastMs: 1_000, runs: 10 }, withLittle: { leastMs: 10_000, runs: 100 } };

/** 1.9 s for a table of 470 MB. Not what the last run took: that may have had nothing to do, and a start knows of none. */
const runMsOf = (bytes: number): number => bytes / 250_000;

const isReached = (limit: Written, { commits, rows }: Written): boolean =>
  commits >= limit.commits || rows >= limit.rows;

interface UpkeepSituation {
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

/**
 * How long nothing is written to a table before it is tidied (ms); null: however long, it is not.
 * @param written null: only files that the last run left are removed, which takes no longer in a large table
 * @param bytes of the table
 */
export const silenceBeforeUpkeepMs = (written: Written | null, bytes: number, quiet: QuietUpkeep): number | null => {
  if (written === null) return silence.withLittle.leastMs;
  const isMuch = isReached(quiet.much, written);
  if (!isMuch && bytes > quiet.maxBytes) return null;
  const { leastMs, runs } = isMuch ? silence.withMuch : silence.withLittle;
  return Math.max(leastMs, runs * runMsOf(bytes));
};
