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
interface Unsearched {
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

/** A file of the store as it was at one moment. */
export interface FrozenFile {
  /** Relative to the data directory, with `/`. */
  readonly path: string;
  /** Where it can be read until the release. */
  readonly source: string;
  /** SHA-256 of the content, where the store knows it. */
  readonly sha256: string | null;
  /** Whether the path never gets another content: a file of the same path and length is the same file. */
  readonly isNameUnique: boolean;
}

/**
 * The files of the store as they were at one moment, over all tables and files: what a process killed at that moment
 * would have left. Every write acknowledged before is in it. The store keeps working meanwhile; what is deleted stays
 * on the disk until the release.
 */
export interface FrozenStore {
  /** The moment: no write of a later one is in it (epoch ms). */
  readonly markedAt: number;
  readonly documents: number;
  readonly files: readonly FrozenFile[];
  release(): Promise<void>;
}

/**
 * How old stored records are: the one rule for all that is removed for its age.
 *
 * The clock alone must not decide that: a machine whose clock is years ahead for one start would remove everything, and
 * what such a start wrote would be kept for years once the clock is right. So the time that the store has lived is
 * counted: it goes on with the clock, also while no program runs, for a day at most; a longer leap, or one back, counts
 * as a clock that was set, and only the time that really passes counts from there on. For each stretch in which the clock
 * ran evenly it is known how it relates to the time lived, so that the age of a record follows from the clock's time in
 * it. A store that was off for longer keeps its records longer by that time; it never removes them early.
 */
export interface Ages {
  /** The time lived since a record was written. @param writtenAt by the clock of that moment (epoch ms) */
  of(writtenAt: number): number;
  /** SQL that holds for rows that are older. @param column holds when they were written (epoch ms) */
  areOver(ageMs: number, column: string): string;
  /** Notes the time, and ends the timer. */
  close(): Promise<void>;
}

/**
 * Keeps the store in a second place as well, from which other processes read it. The store says what changed, and
 * acknowledges nothing before it is there.
 */
export interface Replication {
  /** Asked before each write. @throws ApiError storage_unavailable while the second place takes no changes */
  check(): void;
  /** Resolves when what was committed before the call is in the second place. @throws ApiError storage_unavailable */
  replicate(): Promise<void>;
  /** An uploaded file was written or removed: the next `replicate` takes it along. */
  noteFile(hash: string): void;
  /** Brings an uploaded file that this machine does not have yet. @returns whether it is there now */
  fetchFile(hash: string, path: string): Promise<boolean>;
  /** Called once by the store that is being opened. @param watch see `RevisionRegister.watch` */
  attach(watch: () => () => string[]): void;
}

/** A store that another process writes: this one reads the tables as they are when it is opened. */
export interface Reading {
  /** Revisions whose rows are in the tables, or some of them, without being what their document names. */
  readonly unpublished: readonly string[];
  /** See `Replication.fetchFile`. */
  fetchFile(hash: string, path: string): Promise<boolean>;
}
