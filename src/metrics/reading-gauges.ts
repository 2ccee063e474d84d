import { Gauge, type Registry } from "prom-client";
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

/** @returns sets the gauges to what was read now */
export const createReadingGauges = (registry: Registry): ((now: Readings) => void) => {
  const gauge = (name: string, help: string, ...labelNames: string[]): Gauge =>
    new Gauge({ name: `carrel_${name}`, help, labelNames, registers: [registry] });

  const active = gauge("http_requests_active", "Requests being answered now, streams included.");
  const documents = gauge("documents", "Documents by status.", "status");
  const queue = gauge("ingest_queue_documents", "Documents accepted and not yet processed.");
  const oldest = gauge(
    "ingest_queue_oldest_seconds",
    "Seconds since the oldest document of the queue was accepted or last tried; 0 where none waits.",
  );
  const pending = gauge(
    "vectors_pending_snippets",
    "Snippets that lack the vectors of the configured model; they are found by full text and the built-in table.",
  );
  const stalled = gauge("vectors_stalled", "1: vectors are lacking and none are made at the moment, else 0.");
  const building = gauge("index_building", "1 while the vectors of another embedding model are made, else 0.");
  const built = gauge(
    "index_build_documents",
    "Documents of the change to another embedding model: done, and in all.",
    "state",
  );
  const rows = gauge("store_rows", "Rows by kind of table.", "table");
  const unindexed = gauge("index_unindexed_rows", "Rows that the search indexes do not hold yet.", "table");
  const bytes = gauge("store_bytes", "Size of the data folder by part, measured now and then.", "part");
  const writable = gauge("store_writable", "1: writes are accepted; 0: the disk is full or fails.");
  const free = gauge("disk_free_bytes", "Bytes left on the disk that holds the data folder.");
  const size = gauge("disk_size_bytes", "Size of the disk that holds the data folder.");
  const backup = gauge(
    "backup_newest_timestamp_seconds",
    "When the newest backup was finished, in seconds since 1970; left out where there is none.",
  );
  /** Cleared before each reading, so that none stays that could not be read. */
  const labeled = [documents, built, rows, unindexed, bytes];
  const plain = [queue, oldest, pending, stalled, building, writable, free, size, backup];

  const setEach = (target: Gauge, label: string, values: Readonly<Record<string, number>>): void => {
    for (const [name, value] of Object.entries(values)) target.set({ [label]: name }, value);
  };

  return (now) => {
    for (const each of labeled) each.reset();
    for (const each of plain) each.remove();
    active.set(now.activeRequests);
    if (now.documents !== null) {
      setEach(documents, "status", now.documents);
      queue.set(now.documents.pending + now.documents.processing);
    }
    if (now.oldestWaitMs !== null) oldest.set(now.oldestWaitMs / 1_000);
    if (now.vectors !== null) {
      pending.set(now.vectors.pendingSnippets);
      stalled.set(now.vectors.isStalled ? 1 : 0);
      building.set(now.vectors.building === null ? 0 : 1);
      if (now.vectors.building !== null) setEach(built, "state", now.vectors.building);
    }
    if (now.store !== null) {
      setEach(rows, "table", now.store.rows);
      setEach(unindexed, "table", now.store.unindexedRows);
      setEach(bytes, "part", now.store.bytes);
    }
    if (now.disk !== null) {
      free.set(now.disk.freeBytes);
      size.set(now.disk.totalBytes);
    }
    if (now.isWritable !== null) writable.set(now.isWritable ? 1 : 0);
    if (now.newestBackupAt !== null) backup.set(now.newestBackupAt / 1_000);
  };
};
