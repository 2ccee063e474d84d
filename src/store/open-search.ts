import type { IndexDescription, IndexInfo } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import { folderOf } from "./disk/table-folder.ts";
import { type OpenDocumentsOptions, openDocuments } from "./documents/open-documents.ts";
import type { StoreTable } from "./engine/store-table.ts";
import type { Quarantine } from "./recovery/quarantine.ts";
import type { Repairs } from "./recovery/repair-tables.ts";
import type { LiveIndex, LiveIndexes } from "./search/live-indexes.ts";
import { createIndexOpener } from "./search/open-index.ts";
import { indexRows, openLiveIndexes } from "./search/open-indexes.ts";
import { type OpenVectorSets, openVectorSets } from "./search/open-vector-sets.ts";
import { openCatalog } from "./segments/catalog.ts";
import type { SegmentRows } from "./segments/merging.ts";
import { createSegmentedTables, type SegmentedTables, segmentRows } from "./segments/open-segments.ts";

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
