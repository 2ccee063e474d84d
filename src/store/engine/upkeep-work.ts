import type { ColumnIndex } from "./table-definition.ts";

/** When the vector index of a table is built: see `keepVectorIndex`. */
export interface VectorIndexPlan {
  /** With fewer rows that have a vector, the table has none. */
  readonly fromRows: number;
  /** The rows that it had when this process last built or found its index; null: there is none, as far as is known. */
  readonly builtAtRows: number | null;
}

export interface TidyRequest {
  readonly table: string;
  /** Versions committed before this moment (epoch ms) are neither current nor read by anybody: they are removed. */
  readonly removeBefore: number;
  /** Whether files that no version names are removed too: only while nothing else is written to the table. */
  readonly removeUnnamed: boolean;
  /** Null for a table without vectors. */
  readonly vectorIndex: VectorIndexPlan | null;
  /** Whether the rows that the indexes lack are counted. */
  readonly countUnindexed: boolean;
}

export interface Tidied {
  /** Whether a new version was made. */
  readonly isNew: boolean;
  /** The moment that the current version was committed at, or one before that (epoch ms). */
  readonly currentSince: number;
  /** Whether older versions are left, with files that the current one does not name: the next run can remove them. */
  readonly hasOlder: boolean;
  /** See `VectorIndexPlan`. */
  readonly vectorIndexRows: number | null;
  /** Rows that the index of a column lacks, by column; empty unless they were to be counted. */
  readonly unindexedRows: Readonly<Record<string, number>>;
  /** What failed after that; null if nothing did. */
  readonly failure: string | null;
}

export interface EraseRequest {
  readonly table: string;
  /** The indexes to build anew, by column. */
  readonly indexes: Readonly<Record<string, ColumnIndex>>;
}

export interface Erased {
  /** The version whose files hold no removed row. */
  readonly version: number;
  /** A moment after every commit but the last (epoch ms): older versions may be removed. */
  readonly since: number;
}

export interface MergeRequest {
  /** Tables of the same columns. Their rows are only removed meanwhile. */
  readonly inputs: readonly string[];
  /** The name of the new table; none has it. */
  readonly output: string;
  /** The indexes of the new table, by column. */
  readonly indexes: Readonly<Record<string, ColumnIndex>>;
}

/** The work on whole tables that takes seconds of all processors and hundreds of megabytes. Its callers hold the writes back that it would conflict with. */
export interface UpkeepWork {
  /**
   * Merges small files, brings the indexes up to date, removes old versions.
   * @throws where the table cannot be opened, or the process that does it ended
   */
  tidy(request: TidyRequest): Promise<Tidied>;
  /** Rewrites all rows, so that no file holds one that was removed, and the indexes from them. */
  erase(request: EraseRequest): Promise<Erased>;
  /**
   * Makes a table of all rows of others, with its indexes. It is there as a whole, or not at all.
   * @throws where an input cannot be read to its end, as when its removed rows are erased meanwhile
   */
  merge(request: MergeRequest): Promise<void>;
}
