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
