import type { Gate, KeyedMutex } from "../../async/keyed-mutex.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import type { BlobFolder } from "../blobs.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { FrequencyCounter } from "../search/frequencies.ts";
import type { LiveIndexes } from "../search/live-indexes.ts";
import type { DocumentRecords } from "./document-records.ts";
import type { StoredText } from "./document-rows.ts";
import type { RevisionRegister } from "./revisions.ts";
import type { ScopeFilter } from "./scope-filter.ts";

/** What reading and writing documents needs. */
export interface DocumentTables {
  documents: StoreTable<DocumentRecord>;
  /** Single documents; every write of a document goes through it. */
  records: DocumentRecords;
  texts: StoreTable<StoredText>;
  live: LiveIndexes;
  revisions: RevisionRegister;
  scopes: ScopeFilter;
  blobs: BlobFolder;
  /** Serializes the writes of one document. */
  serialize: KeyedMutex;
  /** Writers of documents share it; a change of indexes has it alone. */
  gate: Gate;
  /** Work that goes on after its caller was answered; the store waits for it when it closes. */
  inBackground(work: Promise<void>): void;
  frequencies: FrequencyCounter;
  /** What is searched has changed. */
  onSearchableChange(): void;
}
