import { createYielder } from "../../async/yield.ts";
import { ownText } from "../../text/words/word-cache.ts";
import { tooMuchToRest } from "../engine/upkeep-due.ts";
import type { FoundSnippet } from "./recent-snippets.ts";
import { type StoredSnippet, toRecord } from "./snippet-rows.ts";

/**
 * Keeps the rows of a snippets table that its indexes do not hold yet. LanceDB reads such rows from the disk for each
 * search, in as many files as there were commits: with 12,850 rows of 146 commits a search of three columns took 75 ms of
 * CPU, and 1 ms of the indexes alone. So the indexes are searched alone, and these rows beside them.
 */
export interface UnindexedSnippets {
  /** Rows are added to the table by `commit`; they are kept from the moment when searches can see them. */
  add(rows: readonly StoredSnippet[], commit: () => Promise<void>): Promise<void>;
  /** The rows of revisions are removed from the table: no search sees them any more. */
  remove(revisions: readonly string[]): void;
  /** The table was opened, and its indexes lacked so many rows. */
  noteOpened(rows: number): void;
  /** Upkeep begins: it indexes at least the rows that were added before this call. */
  beginUpkeep(): void;
  /** Upkeep left so many rows unindexed: some that were added meanwhile. */
  noteUnindexed(rows: number): void;
  /** Searches see what upkeep made. */
  endUpkeep(): void;
  /** Upkeep failed: searches may see a part of what it made. */
  failUpkeep(): void;
  /** Rows are about to lose their index: all are searched as LanceDB does it, until the next upkeep has ended. */
  invalidate(): void;
  /** Whether all rows that no index holds are kept, of every organization. */
  isComplete(): boolean;
  /**
   * Whether searches, of which there were some lately, would have to do without this if many more rows came before upkeep
   * has ended. False where upkeep fails: to wait for it would gain nothing.
   */
  isBehind(): boolean;
  /** Those of an organization; null if not all are kept. */
  of(organizationId: string): FoundSnippet[] | null;
  /** Those of them that contain one of the terms, in any column. */
  having(organizationId: string, terms: readonly string[]): FoundSnippet[] | null;
  /**
   * How many upkeeps have ended, and how many of an organization's rows may be indexed too, because they were added while
   * the last one ran. Null at the end of upkeep: any may be.
   */
  standing(organizationId: string): { readonly upkeeps: number; readonly indexedToo: number } | null;
}

/**
 * At most 120 MB for an organization and 160 in all. Where there are more, none of the organization that adds them is
 * kept until the next upkeep, its own searches take a second of LanceDB's threads, and those of others wait behind them.
 * 1,200 rows a second through a run of 10 seconds, as upkeep of 450 MB takes on 2 busy cores, are 12,000, and as many
 * may have been added before it begins.
 */
const maxRows = { ofOrganization: 2 * tooMuchToRest.searchedApart.rows, inAll: 32_000 };

/** Some 9,000 more come from what is under way (measured with documents of 20 snippets): of so many in all none is lost. */
const manyRows = 14_000;
/** A search is expected as long as the last one is no longer ago. */
const searchedMs = 300_000;

interface Kept {
  readonly snippet: FoundSnippet;
  /** Upkeep was running when it was added. */
  readonly isDuring: boolean;
  isRemoved: boolean;
}

/** What was added between the beginnings of two upkeeps. */
interface Period {
  /** How many times upkeep had begun. */
  readonly number: number;
  rows: Kept[];
  /** The rows of each term, removed ones among them: to look into each of 8,000 rows took 12 ms a question. */
  readonly postings: Map<string, Kept[]>;
}

const countRows = (periods: readonly Period[]): number => periods.reduce((sum, each) => sum + each.rows.length, 0);

/** A row that has the term twice is the last one of its list by then. */
const post = (postings: Map<string, Kept[]>, one: Kept, column: string): void => {
  if (column === "") return;
  for (const term of column.split(" ")) {
    const having = postings.get(term);
    if (having === undefined) postings.set(ownText(term), [one]);
    else if (having.at(-1) !== one) having.push(one);
  }
};

export const createUnindexedSnippets = (): UnindexedSnippets => {
  /** By organization. */
  let kept = new Map<string, Period[]>();
  let rows = 0;
  let period = 0;
  let isRunning = false;
  let upkeeps = 0;
  /** Searches may see what upkeep made, and rows that it indexed are still kept. */
  let isEnding = false;
  /** Organizations of which too many rows were added, and in which period the last one was not kept. */
  let lost = new Map<string, number>();
  /** Whether rows are kept since upkeep last began. */
  let isKeeping = false;
  /** Whether no index lacks a row that was never seen here. At first one may: the last process may have left some. */
  let areKnown = false;
  /** Rows that were added in this period, or whose commit is under way. */
  let added = 0;
  let underWay = 0;
  let unindexed = Number.POSITIVE_INFINITY;
  /** Additions whose rows are being kept, and the revisions that were removed meanwhile. */
  let beingKept = 0;
  const removedMeanwhile = new Set<string>();
  /** Rows that no index holds, whether they are kept or not. */
  let lacking = 0;
  let hasFailed = false;
  let searchedAt = Number.NEGATIVE_INFINITY;

  const recount = (): void => {
    rows = countRows([...kept.values()].flat());
  };

  const keep = (row: StoredSnippet): void => {
    const { organizationId } = row;
    if (lost.get(organizationId) === period) return;
    const periods = kept.get(organizationId) ?? [];
    const count = countRows(periods);
    if (count >= maxRows.ofOrganization || rows >= maxRows.inAll) {
      lost.set(organizationId, period);
      kept.delete(organizationId);
      rows -= count;
      return;
    }
    const last = periods.at(-1);
    const current: Period = last?.number === period ? last : { number: period, rows: [], postings: new Map() };
    if (current !== last) kept.set(organizationId, [...periods, current]);
    const one: Kept = {
      snippet: { record: toRecord(row), vector: row.vector },
      isDuring: isRunning,
      isRemoved: false,
    };
    current.rows.push(one);
    post(current.postings, one, row.terms);
    post(current.postings, one, row.headingTerms);
    post(current.postings, one, row.titleTerms);
    rows += 1;
  };

  /** In turns: 400 rows of a batch held the event loop up for 130 ms. Nobody knows of them before the last one is kept. */
  const keepAll = async (committed: readonly StoredSnippet[]): Promise<void> => {
    const yieldTurn = createYielder();
    beingKept += 1;
    try {
      for (const row of committed) {
        if (isKeeping && !removedMeanwhile.has(row.revision)) keep(row);
        const pause = yieldTurn();
        if (pause !== undefined) await pause;
      }
    } finally {
      beingKept -= 1;
      if (beingKept === 0) removedMeanwhile.clear();
    }
  };

  return {
    async add(committed, commit) {
      underWay += committed.length;
      try {
        await commit();
      } finally {
        // After an error too: some may be there.
        underWay -= committed.length;
        added += committed.length;
        lacking += committed.length;
      }
      await keepAll(committed);
    },
    remove(revisions) {
      if (beingKept > 0) for (const revision of revisions) removedMeanwhile.add(revision);
      if (rows === 0) return;
      const removed = new Set(revisions);
      for (const each of [...kept.values()].flat()) {
        for (const one of each.rows) one.isRemoved ||= removed.has(one.snippet.record.revision);
        each.rows = each.rows.filter(({ isRemoved }) => !isRemoved);
      }
      recount();
    },
    noteOpened(count) {
      lacking = count;
      if (period > 0 || count > 0) return;
      isKeeping = true;
      areKnown = true;
    },
    beginUpkeep() {
      period += 1;
      isRunning = true;
      added = 0;
      unindexed = Number.POSITIVE_INFINITY;
      isKeeping = true;
    },
    noteUnindexed(count) {
      unindexed = count;
      lacking = count;
      hasFailed = false;
      isEnding = true;
    },
    endUpkeep() {
      const begun = period;
      isRunning = false;
      isEnding = false;
      upkeeps += 1;
      for (const [organizationId, periods] of kept) {
        const left = periods.filter(({ number }) => number >= begun);
        if (left.length > 0) kept.set(organizationId, left);
        else kept.delete(organizationId);
      }
      recount();
      lost = new Map([...lost].filter(([, lostIn]) => lostIn >= begun));
      areKnown = isKeeping && unindexed <= added + underWay;
    },
    failUpkeep() {
      isRunning = false;
      isEnding = true;
      hasFailed = true;
    },
    invalidate() {
      kept = new Map();
      rows = 0;
      isKeeping = false;
      areKnown = false;
      upkeeps += 1;
    },
    standing(organizationId) {
      if (isEnding) return null;
      const ended = isRunning ? period - 1 : period;
      const indexed = (kept.get(organizationId) ?? []).filter(({ number }) => number <= ended);
      return { upkeeps, indexedToo: indexed.flatMap((each) => each.rows.filter(({ isDuring }) => isDuring)).length };
    },
    isComplete: () => areKnown && lost.size === 0,
    isBehind: () => lacking >= manyRows && !hasFailed && performance.now() - searchedAt < searchedMs,
    of(organizationId) {
      searchedAt = performance.now();
      if (!areKnown || lost.has(organizationId)) return null;
      return (kept.get(organizationId) ?? []).flatMap((each) => each.rows.map(({ snippet }) => snippet));
    },
    having(organizationId, terms) {
      searchedAt = performance.now();
      if (!areKnown || lost.has(organizationId)) return null;
      const found = new Set<FoundSnippet>();
      for (const { postings } of kept.get(organizationId) ?? [])
        for (const term of terms)
          for (const { snippet, isRemoved } of postings.get(term) ?? []) if (!isRemoved) found.add(snippet);
      return [...found];
    },
  };
};
