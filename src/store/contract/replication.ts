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
