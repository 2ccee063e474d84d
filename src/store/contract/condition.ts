import type { ApiError } from "../../domain/errors.ts";

/** The state of the store, for operators. */
export interface StoreCondition {
  /** Rows by kind of table, such as `documents`; the tables of several indexes or vector sets count as one. */
  rows(): Promise<Record<string, number>>;
  /** Rows that the search indexes do not hold yet, by kind of table: searches read them one by one. */
  unindexedRows(): Promise<Record<string, number>>;
  /** Bytes of the data folder by part; measured anew at most once a minute, and less often where that takes long. */
  bytes(): Promise<Record<string, number>>;
  /** The disk that holds the data folder; null if the system does not tell. */
  disk(): Promise<{ freeBytes: number; totalBytes: number } | null>;
  /** Where data that was removed could not be erased from the disk, again and again. */
  unerased(): readonly string[];
  /** Why writes would be refused now; null if they are accepted. */
  whyReadOnly(): Promise<"disk_full" | "not_writable" | "too_many_files" | null>;
  /** Why reads fail too, as the error for the caller; null where the data directory is in its place. */
  whyGone(): ApiError | null;
}
