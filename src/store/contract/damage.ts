import type { ApiError } from "../../domain/errors.ts";

/** Something stored that is not as it was written, and that nothing else in the store can replace. */
export interface Damage {
  kind: "row" | "table" | "index" | "file" | "secret";
  /** A table, or a path relative to the data directory. */
  where: string;
  /** Of the record or file; null where it cannot be told. */
  id: string | null;
  /** Whose it is; null where that cannot be told. */
  organizationId: string | null;
  /** The document or chat that it belongs to; null where it belongs to none, or that cannot be told. */
  belongsTo: string | null;
  /** What is wrong with it. */
  detail: string;
  /** Epoch ms. */
  foundAt: number;
}

/** What a check of the whole store found. */
export interface CheckReport {
  /** Epoch ms. */
  checkedAt: number;
  rows: number;
  files: number;
  bytes: number;
  damage: Damage[];
}

/** How far a check is. */
export interface CheckProgress {
  /** The table that is read, or `files`. */
  where: string;
  rows: number;
  bytes: number;
}

/** A part of the store that questions do not search. */
export interface Unsearched {
  warning: string;
  /** For a question that finds nothing in the rest. */
  error(): Promise<ApiError>;
}

/** The damage that is known of a store. */
export interface StoreDamage {
  /** All that was found and is not mended, oldest first. */
  list(): readonly Damage[];
  /** The error for something that is damaged: says what, and which backup to restore it from. */
  error(what: string, cause?: unknown): Promise<ApiError>;
  /** What questions of an organization do not search because it is damaged, or is being made again; null if there is nothing. */
  unsearched(organizationId: string): Unsearched | null;
  /**
   * Reads every row, file and index. What it finds is also in the list from then on.
   * @param onProgress is called some times a second
   * @throws the signal's reason
   */
  check(onProgress: (progress: CheckProgress) => void, signal: AbortSignal): Promise<CheckReport>;
}
