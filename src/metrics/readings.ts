import type { DocumentStatus } from "../domain/records.ts";

/** What is read anew each time that Prometheus asks. Null: it could not be read, and the metric is left out. */
export interface Readings {
  activeRequests: number;
  documents: Record<DocumentStatus, number> | null;
  /** Milliseconds since the oldest document of the queue was accepted or last tried; 0 where none waits. */
  oldestWaitMs: number | null;
  vectors: {
    pendingSnippets: number;
    /** Vectors are lacking, and for the moment none are made. */
    isStalled: boolean;
    /** The change to another model that is under way. */
    building: { done: number; total: number } | null;
  } | null;
  store: {
    /** Rows by kind of table. */
    rows: Readonly<Record<string, number>>;
    /** Rows that the search indexes do not hold yet, by kind of table. */
    unindexedRows: Readonly<Record<string, number>>;
    /** Bytes of the data folder by part. */
    bytes: Readonly<Record<string, number>>;
  } | null;
  disk: { freeBytes: number; totalBytes: number } | null;
  /** Whether writes are accepted. */
  isWritable: boolean | null;
  /** When the newest backup was finished (epoch ms); null: there is none, or none is configured. */
  newestBackupAt: number | null;
}
