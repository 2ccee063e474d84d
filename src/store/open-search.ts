import { join } from "node:path";
import { createGate, createKeyedMutex } from "../async/keyed-mutex.ts";
import type { IndexDescription, IndexInfo } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import { createBlobFolder } from "./blobs/blob-folder.ts";
import type { Replication } from "./contract/keeping.ts";
import { folderOf } from "./disk/table-folder.ts";
import { documentRows, textRows } from "./documents/document-rows.ts";
import type { DocumentTables } from "./documents/document-tables.ts";
import { createPendingTexts } from "./documents/pending-texts.ts";
import { equals } from "./engine/filters.ts";
import type { Engine } from "./engine/maintained-tables.ts";
import type { StoreTable } from "./engine/store-table.ts";
import { maxUntidied } from "./engine/upkeep-due.ts";
import type { Quarantine } from "./recovery/quarantine.ts";
import type { Repairs } from "./recovery/repair-tables.ts";
import { type CountLimits, createFrequencyCounter } from "./search/frequencies.ts";
import type { KeptCounts } from "./search/kept-counts.ts";
import type { LiveIndex, LiveIndexes, LiveVectorSets } from "./search/live-indexes.ts";
import {
  createIndexOpener,
  indexRows,
  type OpenVectorSets,
  openLiveIndexes,
  openVectorSets,
} from "./search/open-indexes.ts";
import { countManyPairs, createScopeFilter } from "./search/scope-filter.ts";
import { openCatalog } from "./segments/catalog.ts";
import type { SegmentRows } from "./segments/merging.ts";
import { createSegmentedTables, type SegmentedTables, segmentRows } from "./segments/open-segments.ts";
import { createRevisionRegister } from "./segments/revisions.ts";
import { createLackingVectors } from "./vectors/lacking-vectors.ts";

interface OpenDocumentsOptions extends Pick<DocumentTables, "inBackground" | "onSearchableChange" | "damage"> {
  dataDir: string;
  engine: Engine;
  live: LiveIndexes;
  vectorSets: LiveVectorSets;
  syncWrites: boolean;
  /** See `OpenStoreOptions`. */
  countLimits?: CountLimits;
  /** See `FollowedCounts`. */
  keptCounts?: KeptCounts;
  /** See `BlobFolderOptions`. */
  elsewhere: Pick<Replication, "noteFile" | "fetchFile"> | null;
}

/**
 * Opens the tables and files of documents. The records are opened later, once the store is consistent, because they are
 * read as they are.
 */
const openDocuments = async (options: OpenDocumentsOptions): Promise<Omit<DocumentTables, "records">> => {
  const { engine, live, vectorSets, inBackground, onSearchableChange, damage } = options;
  const { reserve, explain } = engine.space;
  const documents = await engine.tables.open(documentRows);
  const texts = await engine.tables.open(textRows, maxUntidied.texts);
  const serialize = createKeyedMutex();
  const revisions = createRevisionRegister();
  const blobs = await createBlobFolder({
    folder: join(options.dataDir, "files"),
    isReferred: async (hash) => (await documents.count(equals("blobHash", hash))) > 0,
    referredHashes: async () =>
      new Set(await documents.scan(["blobHash"], { where: "blobHash IS NOT NULL" }, (row) => row.string("blobHash"))),
    damage,
    reserve,
    explain,
    flush: options.syncWrites,
    elsewhere: options.elsewhere,
  });
  return {
    documents,
    texts,
    pendingTexts: createPendingTexts(texts, serialize, inBackground),
    live,
    vectorSets,
    lacking: createLackingVectors({ documents, live, sets: vectorSets }),
    revisions,
    scopes: createScopeFilter(documents, (await countManyPairs(documents)) > 0),
    blobs,
    damage,
    serialize,
    gate: createGate(),
    inBackground,
    frequencies: createFrequencyCounter(engine.lance, revisions, documents, options.countLimits, options.keptCounts),
    onSearchableChange,
  };
};

interface OpenSearchOptions extends Omit<OpenDocumentsOptions, "live" | "vectorSets"> {
  /** The index that an empty store makes. */
  index: IndexDescription | (() => Promise<IndexDescription>);
  /** See `OpenStoreOptions`. */
  segmentRows?: SegmentRows;
  repairs: Repairs;
  quarantine: Quarantine;
  log: Logger;
}

/** What is searched, as it is when the store opens: possibly not consistent yet. */
export interface OpenSearch {
  /** The table that names the indexes. */
  indexes: StoreTable<IndexInfo>;
  openIndex(info: IndexInfo): Promise<LiveIndex>;
  live: LiveIndexes;
  vectors: OpenVectorSets;
  opened: Awaited<ReturnType<typeof openDocuments>>;
  /** A part of what was searched is missing: documents are to be compared with it. */
  hasLostRows: boolean;
  /** The tables of indexes and vector sets. */
  segmented: SegmentedTables;
}

/** Opens the search indexes, the vector sets, and the documents that they are made from. */
export const openSearch = async (options: OpenSearchOptions): Promise<OpenSearch> => {
  const { engine, index, repairs, quarantine, log } = options;
  const isIncomplete = (table: string): boolean => repairs.rolledBack.has(table) || repairs.renewed.has(table);
  const setAside = (name: string) => quarantine.moveIn(folderOf(name), "unnamed");
  const indexes = await engine.tables.open(indexRows);
  const segmented = await createSegmentedTables({
    catalog: await openCatalog(engine.meta, isIncomplete("meta")),
    tables: engine.tables,
    opener: engine.opener,
    rows: options.segmentRows ?? segmentRows,
    log,
  });
  const openIndex = createIndexOpener(engine.lance, engine.tables, segmented);
  const live = await openLiveIndexes({
    opener: engine.opener,
    indexes,
    openIndex,
    describe: async () => (typeof index === "function" ? index() : index),
    isIncomplete: isIncomplete("indexes"),
    setAside,
    segmented,
    log,
  });
  const vectors = await openVectorSets({ engine, isIncomplete: isIncomplete("vector_sets"), setAside, segmented });
  const opened = await openDocuments({ ...options, live, vectorSets: vectors.sets });
  return { indexes, openIndex, live, vectors, opened, hasLostRows: segmented.hasLost(), segmented };
};
