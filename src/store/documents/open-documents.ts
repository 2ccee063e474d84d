import { join } from "node:path";
import { createGate, createKeyedMutex } from "../../async/keyed-mutex.ts";
import { createBlobFolder } from "../blobs/blob-folder.ts";
import type { Replication } from "../contract/replication.ts";
import { equals } from "../engine/filters.ts";
import type { Engine } from "../engine/maintained-tables.ts";
import { maxUntidied } from "../engine/upkeep-due.ts";
import { type CountLimits, createFrequencyCounter } from "../search/frequencies.ts";
import type { KeptCounts } from "../search/kept-counts.ts";
import type { LiveIndexes } from "../search/live-indexes.ts";
import type { LiveVectorSets } from "../search/live-vector-sets.ts";
import { countManyPairs, createScopeFilter } from "../search/scope-filter.ts";
import { createRevisionRegister } from "../segments/revisions.ts";
import { createLackingVectors } from "../vectors/lacking-vectors.ts";
import { documentRows, textRows } from "./document-rows.ts";
import type { DocumentTables } from "./document-tables.ts";
import { createPendingTexts } from "./pending-texts.ts";

export interface OpenDocumentsOptions extends Pick<DocumentTables, "inBackground" | "onSearchableChange" | "damage"> {
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
export const openDocuments = async (options: OpenDocumentsOptions): Promise<Omit<DocumentTables, "records">> => {
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
