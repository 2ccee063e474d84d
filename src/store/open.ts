import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Logger } from "../log.ts";
import { keyRows, organizationRows, partitionRows } from "./account-rows.ts";
import { createBlobFolder } from "./blobs.ts";
import { chatRows, messageRows } from "./chat-rows.ts";
import { createChatStore, createMessageStore } from "./chats.ts";
import type { Store } from "./contract.ts";
import { createDeliveryStore, deliveryRows } from "./deliveries.ts";
import { createDiskSync } from "./disk-sync.ts";
import { createDocumentReads } from "./document-reads.ts";
import { createDocumentRecords } from "./document-records.ts";
import { documentRows, textRows } from "./document-rows.ts";
import type { DocumentTables } from "./document-tables.ts";
import { createDocumentWrites } from "./document-writes.ts";
import { equals } from "./filters.ts";
import { createFreeSpaceGuard } from "./free-space.ts";
import { createFrequencyCounter } from "./frequencies.ts";
import { createGenerationCache } from "./generation-cache.ts";
import { createIdempotencyStore, idempotencyRows } from "./idempotency.ts";
import { indexRows, metaRows } from "./index-rows.ts";
import { chooseActive, createIndexStore, newIndex } from "./indexes.ts";
import { createGate, createKeyedMutex } from "./keyed-mutex.ts";
import { createKeyStore } from "./keys.ts";
import { connect, type LanceTable } from "./lance.ts";
import { loadLibc } from "./libc.ts";
import type { LiveIndex } from "./live-indexes.ts";
import { lockDataDir } from "./lock.ts";
import { commitsBetween, createMaintenance, type Maintenance } from "./maintenance.ts";
import { migrate } from "./migrations.ts";
import { createOrganizationStore } from "./organizations.ts";
import { createPartitionStore } from "./partitions.ts";
import { quarantineBrokenManifests } from "./quarantine.ts";
import { createRecentSnippets } from "./recent-snippets.ts";
import { reconcile, requeueProcessing } from "./reconcile.ts";
import type { IndexDescription, IndexInfo } from "./records.ts";
import { createRevisionRegister } from "./revisions.ts";
import { countManyPairs, createScopeFilter } from "./scope-filter.ts";
import { readOrCreateSecret } from "./secret.ts";
import { createSitePageStore, sitePageRows } from "./site-pages.ts";
import { snippetRows, snippetTableName } from "./snippet-rows.ts";
import { createSnippetView } from "./snippets.ts";
import type { StoreTable } from "./store-table.ts";
import type { TableDefinition } from "./table-definition.ts";
import { createTableOpener } from "./tables.ts";
import { createVectorIndexUpkeep } from "./vector-index.ts";

export interface OpenStoreOptions {
  dataDir: string;
  /** The configured embedder: an empty store makes its active index with it. A function is asked only then. */
  index: IndexDescription | (() => Promise<IndexDescription>);
  log: Logger;
  /** Whether an acknowledged write also survives a power cut (default true). */
  syncWrites?: boolean;
}

const maxCachedAnswers = 50_000;

/**
 * Opens the store of a data directory, makes it where there is none, and puts it in order after a crash.
 * @throws Error that names the holder where another process has the directory open
 */
export const openStore = async (options: OpenStoreOptions): Promise<Store> => {
  const dataDir = resolve(options.dataDir);
  const log = options.log.child({ part: "store" });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const libc = loadLibc();
  const lock = await lockDataDir(dataDir, libc);
  try {
    return await openLocked(options, dataDir, log, libc, lock);
  } catch (error) {
    await lock.release(lock.cleanBefore);
    throw error;
  }
};

const openLocked = async (
  options: OpenStoreOptions,
  dataDir: string,
  log: Logger,
  libc: ReturnType<typeof loadLibc>,
  lock: Awaited<ReturnType<typeof lockDataDir>>,
): Promise<Store> => {
  const secret = await readOrCreateSecret(dataDir);
  const tablesFolder = join(dataDir, "tables");
  await quarantineBrokenManifests(tablesFolder, join(dataDir, "quarantine"), log);
  const { lance, connection } = await connect(tablesFolder);
  const space = await createFreeSpaceGuard({ dataDir, log });
  const disk = await createDiskSync(dataDir, libc, options.syncWrites ?? true);
  const opener = await createTableOpener(lance, connection);
  const maintained = new Map<string, { maintenance: Maintenance; table: StoreTable<unknown> }>();

  const openTable = async <T>(
    definition: TableDefinition<T>,
    commits: number = commitsBetween.other,
    upkeep: (table: LanceTable) => Promise<void> = async () => undefined,
  ): Promise<StoreTable<T>> => {
    const opened: { table?: StoreTable<T> } = {};
    const maintenance = createMaintenance(
      () => {
        if (opened.table === undefined) throw new Error("the table is not open yet");
        return opened.table;
      },
      log,
      commits,
      upkeep,
    );
    opened.table = await opener.open(definition, {
      beforeGrowth: space.beforeGrowth,
      explain: space.explain,
      sync: disk.sync,
      afterCommit: maintenance.noteCommit,
    });
    maintenance.start();
    maintained.set(definition.name, { maintenance, table: opened.table as StoreTable<unknown> });
    return opened.table;
  };

  await migrate(await openTable(metaRows), { lance, connection, log });

  const indexes = await openTable(indexRows);
  const known = await indexes.find({});
  const openIndex = async (info: IndexInfo): Promise<LiveIndex> => {
    const rows = snippetRows(info.id, info.dimensions);
    const table = await openTable(rows, commitsBetween.searched, createVectorIndexUpkeep(lance));
    const filled = info.state === "building" ? await table.scan(["revision"], {}, (row) => row.string("revision")) : [];
    return { info, table, recent: createRecentSnippets(), filled: new Set(filled) };
  };
  const activeInfo =
    chooseActive(known) ??
    newIndex(typeof options.index === "function" ? await options.index() : options.index, "active");
  const buildingInfo = known.find(({ state }) => state === "building") ?? null;
  const live = {
    active: await openIndex(activeInfo),
    building: buildingInfo === null ? null : await openIndex(buildingInfo),
  };
  if (!known.some(({ id }) => id === activeInfo.id)) await indexes.upsert("indexes", [activeInfo]);
  await dropStrayIndexes(opener, live, known, indexes);

  const documents = await openTable(documentRows);
  const texts = await openTable(textRows);
  const revisions = createRevisionRegister();
  const frequencies = createFrequencyCounter(lance, revisions);
  const scopes = createScopeFilter(documents, (await countManyPairs(documents)) > 0);
  const blobs = await createBlobFolder({
    folder: join(dataDir, "files"),
    isReferred: async (hash) => (await documents.count(equals("blobHash", hash))) > 0,
    referredHashes: async () =>
      new Set(await documents.scan(["blobHash"], { where: "blobHash IS NOT NULL" }, (row) => row.string("blobHash"))),
    beforeGrowth: space.beforeGrowth,
    explain: space.explain,
    flush: options.syncWrites ?? true,
  });
  const answers = createGenerationCache(maxCachedAnswers);
  const background = new Set<Promise<void>>();
  const opened: Omit<DocumentTables, "records"> = {
    documents,
    texts,
    live,
    revisions,
    scopes,
    blobs,
    serialise: createKeyedMutex(),
    gate: createGate(),
    inBackground(work) {
      const settled = work.catch((error: unknown) => {
        log.error({ error: String(error) }, "tidying up after a write failed; the next start does it");
      });
      background.add(settled);
      void settled.finally(() => background.delete(settled));
    },
    frequencies,
    onSearchableChange: answers.clear,
  };
  if (!lock.cleanBefore) await reconcile(opened, log);
  await requeueProcessing(opened);
  const tables: DocumentTables = { ...opened, records: await createDocumentRecords(documents) };

  const dropIndex = (index: LiveIndex): void =>
    tables.inBackground(
      (async () => {
        const name = index.table.definition.name;
        maintained.get(name)?.maintenance.stop();
        maintained.delete(name);
        await index.table.settle();
        await opener.drop(name);
      })(),
    );
  const chats = await openTable(chatRows);
  const messages = await openTable(messageRows);
  let closing: Promise<void> | null = null;

  const close = async (): Promise<void> => {
    revisions.release();
    while (background.size > 0) await Promise.all(background);
    for (const { maintenance } of maintained.values()) maintenance.stop();
    for (const { table } of maintained.values()) await table.settle();
    for (const { table } of maintained.values()) table.close();
    connection.close();
    await disk.close();
    await lock.release(revisions.hiddenCount() === 0);
  };

  return {
    organizations: await createOrganizationStore(await openTable(organizationRows)),
    keys: await createKeyStore(await openTable(keyRows)),
    partitions: await createPartitionStore(await openTable(partitionRows), documents),
    documents: { ...createDocumentReads(tables), ...createDocumentWrites(tables) },
    chats: createChatStore(chats, messages),
    messages: createMessageStore(messages),
    blobs: { put: blobs.put, read: blobs.read, open: blobs.open, release: blobs.release },
    idempotency: createIdempotencyStore(await openTable(idempotencyRows)),
    deliveries: createDeliveryStore(await openTable(deliveryRows)),
    sitePages: createSitePageStore(await openTable(sitePageRows)),
    indexes: createIndexStore({ ...tables, indexes, openIndex, dropIndex }),
    openSnippets() {
      return createSnippetView({
        lance,
        index: live.active,
        documents,
        snapshot: revisions.open(),
        scopes,
        frequencies,
        counts: answers,
      });
    },
    secret,
    announce: lock.announce,
    close() {
      closing ??= close();
      return closing;
    },
  };
};

/** Tables and rows of indexes that are neither active nor being built: a change of index was cut off. */
const dropStrayIndexes = async (
  opener: Awaited<ReturnType<typeof createTableOpener>>,
  live: { active: LiveIndex; building: LiveIndex | null },
  known: readonly IndexInfo[],
  indexes: StoreTable<IndexInfo>,
): Promise<void> => {
  const kept = new Set([live.active.info.id, live.building?.info.id]);
  const stray = known.map(({ id }) => id).filter((id) => !kept.has(id));
  await indexes.remove("indexes", "id", stray);
  const keptNames = new Set([...kept].filter((id) => id !== undefined).map(snippetTableName));
  for (const name of await opener.names()) {
    if (name.startsWith(snippetTableName("")) && !keptNames.has(name)) await opener.drop(name);
  }
};
