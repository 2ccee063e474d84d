import { join, resolve } from "node:path";
import { createGate } from "../async/keyed-mutex.ts";
import type { Logger } from "../log/log.ts";
import { memoryLimit } from "../system/memory-limit.ts";
import { type Closers, createClosers } from "./closers.ts";
import { composeStore } from "./compose-store.ts";
import { rememberFolder } from "./condition/store-condition.ts";
import type { Reading } from "./contract/keeping.ts";
import type { Store } from "./contract.ts";
import { createFreeSpaceGuard } from "./disk/free-space.ts";
import {
  createFollowedCounts,
  type FollowedCounts,
  type FollowedDocument,
  readFollowedDocuments,
} from "./documents/count-updates.ts";
import { createDocumentRecords } from "./documents/document-records.ts";
import { documentRows } from "./documents/document-rows.ts";
import { createBackground, type DocumentTables } from "./documents/document-tables.ts";
import { createDamageRegister, type DamageRegister } from "./engine/damage.ts";
import { createGenerationCache } from "./engine/generation-cache.ts";
import { type CacheSizes, connect, questionCaches } from "./engine/lance.ts";
import { createReadOnlyTables, type ReadOnlyTables } from "./engine/maintained-tables.ts";
import { metaRows } from "./engine/meta-rows.ts";
import { createTableOpener } from "./engine/tables.ts";
import { createErasures } from "./erasure/erasures.ts";
import { currentSchema, readStoredVersion, refuseNewer } from "./migrations/migrations.ts";
import { maxCachedAnswers } from "./open.ts";
import type { OpenEngine } from "./open-engine.ts";
import { openResources } from "./open-resources.ts";
import { openSearch } from "./open-search.ts";
import { openAges } from "./records/ages.ts";
import { createQuarantine } from "./recovery/quarantine.ts";
import { createReadDamage } from "./recovery/read-damage.ts";
import { readOrCreateSecret } from "./recovery/secret.ts";
import { countLimits } from "./search/frequencies.ts";
import { isOfSnippets } from "./search/snippet-rows.ts";

interface ReaderOptions {
  dataDir: string;
  cacheBytes: number | null;
  log: Logger;
}

/** Opens a store that another process writes, again and again: what its indexes have in memory stays from one to the next. */
export interface StoreReader {
  /**
   * The store as its tables are now; nothing can be written to it.
   * @throws StoreTooNewError, Error where a file is missing
   */
  open(reading: Reading): Promise<Store>;
  /** Once every store is closed. */
  close(): void;
}

type Connected = Awaited<ReturnType<typeof connect>>;

export const createStoreReader = async (options: ReaderOptions): Promise<StoreReader> => {
  const dataDir = resolve(options.dataDir);
  const folder = join(dataDir, "tables");
  const caches: CacheSizes = await questionCaches(folder, options.cacheBytes);
  const connected = await connect(folder, caches);
  const counts = createFollowedCounts(countLimits(memoryLimit()));
  const readDocuments = createDocumentsReader();
  return {
    async open(reading) {
      const closers = createClosers();
      try {
        return await openRead({ ...options, dataDir, reading, connected, counts, readDocuments, closers });
      } catch (error) {
        await closers.close().catch(() => undefined);
        throw error;
      }
    },
    close: () => connected.connection.close(),
  };
};

type DocumentsReader = (tables: Pick<DocumentTables, "documents">) => Promise<readonly FollowedDocument[]>;

/**
 * Reads all documents where their table has another version than the last time: most changes are of others, such as
 * receipts, and 57,000 documents take 0.2 s of CPU.
 */
const createDocumentsReader = (): DocumentsReader => {
  let last: { version: number; all: readonly FollowedDocument[] } | null = null;
  return async ({ documents }) => {
    const version = await documents.lance.version();
    if (last?.version === version) return last.all;
    const all = await readFollowedDocuments({ documents });
    last = { version, all };
    return all;
  };
};

interface ReadOptions extends ReaderOptions {
  reading: Reading;
  connected: Connected;
  counts: FollowedCounts;
  readDocuments: DocumentsReader;
  closers: Closers;
}

const openRead = async (options: ReadOptions): Promise<Store> => {
  const { dataDir, reading, closers } = options;
  const log = options.log.child({ part: "store" });
  await refuseNewer(dataDir, await readStoredVersion(dataDir), currentSchema.version);
  const secret = await readOrCreateSecret(dataDir);
  const ages = await openAges(dataDir, log, undefined, false);
  closers.add(ages.close);
  const damage = await createDamageRegister({
    dataDir,
    log,
    newestBackupAt: async () => null,
    isSearched: (table) => table === documentRows.name || isOfSnippets(table),
    isIndexMade: () => false,
  });
  const { engine, tables: readOnly } = await openReadEngine(options, damage);
  const background = createBackground(log, () => undefined);
  const answers = createGenerationCache(maxCachedAnswers);
  const quarantine = createQuarantine(dataDir);
  const search = await openSearch({
    dataDir,
    index: async () => {
      throw new Error("the shared store has no search index");
    },
    repairs: {
      rolledBack: new Set(),
      renewed: new Set(),
      brokenIndexes: new Set(),
      uncompared: [],
      refusals: [],
    },
    quarantine,
    log,
    engine,
    damage,
    syncWrites: false,
    inBackground: background.run,
    onSearchableChange: answers.clear,
    keptCounts: options.counts.kept,
    elsewhere: { fetchFile: reading.fetchFile, noteFile: () => undefined },
  });
  const { documents, revisions } = search.opened;
  const all = await options.readDocuments({ documents });
  const tables = { ...search.opened, records: createDocumentRecords(documents, damage, all) };
  const unpublished = new Set(reading.unpublished);
  for (const { revision } of all) if (revision !== null) unpublished.delete(revision);
  for (const revision of unpublished) revisions.hide(revision);
  const { stores } = await openResources({
    openTable: engine.tables.open,
    documents,
    isKnown: (id, organizationId) =>
      organizationId === null ? tables.records.has(id) : tables.records.isOf(organizationId, id),
    onGoneDocument: async () => undefined,
    ages,
    damage,
    log,
    onClose: closers.add,
  });
  readOnly.noteOpened();
  await options.counts.follow(search.live, all);
  return composeStore({
    dataDir,
    engine,
    damage,
    tables,
    search,
    stores,
    answers,
    background,
    secret,
    ages,
    announce: () => undefined,
    async close() {
      revisions.release();
      await closers.close();
    },
  });
};

const openReadEngine = async (
  { dataDir, connected, closers, log }: ReadOptions,
  damage: DamageRegister,
): Promise<{ engine: OpenEngine; tables: ReadOnlyTables }> => {
  const { lance, connection } = connected;
  const folder = rememberFolder(dataDir);
  const space = await createFreeSpaceGuard({ dataDir, log });
  const opener = await createTableOpener(lance, connection, log, null);
  const mend = async (): Promise<void> => undefined;
  const tables = createReadOnlyTables(
    { ...opener, drop: mend },
    {
      reserve: space.reserve,
      explain: space.explain,
      sync: async () => undefined,
      brokenDeletions: async () => [],
      damage: createReadDamage(damage, mend, folder.whyGone),
    },
  );
  closers.add(tables.close);
  const meta = await tables.open(metaRows);
  const erasures = await createErasures(meta, log);
  closers.add(erasures.stop);
  return {
    engine: { lance, opener, tables, erasures, space, folder, meta, upkeepGate: createGate(), mend },
    tables,
  };
};
