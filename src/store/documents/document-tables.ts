import type { Gate, KeyedMutex } from "../../async/keyed-mutex.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import type { BlobFolder } from "../blobs/blob-folder.ts";
import type { DamageRegister } from "../engine/damage.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { FrequencyCounter } from "../search/frequencies.ts";
import type { LiveIndexes, LiveVectorSets } from "../search/live-indexes.ts";
import type { ScopeFilter } from "../search/scope-filter.ts";
import type { RevisionRegister } from "../segments/revisions.ts";
import type { LackingVectors } from "../vectors/lacking-vectors.ts";
import type { Background } from "./background.ts";
import type { DocumentRecords } from "./document-records.ts";
import type { StoredText } from "./document-rows.ts";
import type { PendingTexts } from "./pending-texts.ts";

/** What is needed to read and write documents. */
export interface DocumentTables {
  documents: StoreTable<DocumentRecord>;
  /** Single documents; every write of a document goes through it. */
  records: DocumentRecords;
  texts: StoreTable<StoredText>;
  pendingTexts: PendingTexts;
  live: LiveIndexes;
  vectorSets: LiveVectorSets;
  lacking: LackingVectors;
  revisions: RevisionRegister;
  scopes: ScopeFilter;
  blobs: BlobFolder;
  damage: DamageRegister;
  /** Serializes the writes of each document. */
  serialize: KeyedMutex;
  /** Writes of documents share it; a change of indexes holds it exclusively. */
  gate: Gate;
  /**
   * Starts work that continues after its caller got an answer; the store waits for it when it closes. A function is called
   * again later where it failed: so what is removed leaves the disk.
   */
  inBackground: Background["run"];
  frequencies: FrequencyCounter;
  /** Called when the searchable documents of an organization have changed; without it: those of all. */
  onSearchableChange(organizationId?: string): void;
}
