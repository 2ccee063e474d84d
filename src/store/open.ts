import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createGate, createKeyedMutex } from "../async/keyed-mutex.ts";
import type { IndexDescription, IndexInfo } from "../domain/records.ts";
import type { Logger } from "../log.ts";
import { type Libc, loadLibc } from "../system/libc.ts";
import { keyRows, organizationRows, partitionRows } from "./account-rows.ts";
import { createBlobFolder } from "./blobs.ts";
import { chatRows, messageRows } from "./chat-rows.ts";
import { createChatStore, createMessageStore } from "./chats.ts";
import type { Store } from "./contract.ts";
import { createDeliveryStore, deliveryRows } from "./deliveries.ts";
import { createDocumentReads } from "./documents/document-reads.ts";
import { createDocumentRecords } from "./documents/document-records.ts";
import { documentRows, textRows } from "./documents/document-rows.ts";
import type { DocumentTables } from "./documents/document-tables.ts";
import { createDocumentWrites } from "./documents/document-writes.ts";
import { createRevisionRegister } from "./documents/revisions.ts";
import { countManyPairs, createScopeFilter } from "./documents/scope-filter.ts";
import { equals } from "./engine/filters.ts";
import { createGenerationCache } from "./engine/generation-cache.ts";
import { connect } from "./engine/lance.ts";
import { createMaintainedTables } from "./engine/maintained-tables.ts";
import { mostUntidied } from "./engine/maintenance.ts";
import { createTableOpener } from "./engine/tables.ts";
import { createErasures } from "./erasure/erasures.ts";
import { createGoneDocumentsSweep } from "./erasure/gone-documents.ts";
import { createIdempotencyStore, idempotencyRows } from "./idempotency.ts";
import { createKeyStore } from "./keys.ts";
import { migrate } from "./migrations/migrations.ts";
import { createOrganizationStore } from "./organizations.ts";
import { createPartitionStore } from "./partitions.ts";
import { folderOf, StoreDamagedError } from "./recovery/check-table.ts";
import { createDiskSync } from "./recovery/disk-sync.ts";
import { createFreeSpaceGuard } from "./recovery/free-space.ts";
import { lockDataDir, type StoreLock } from "./recovery/lock.ts";
import { createQuarantine, type Quarantine } from "./recovery/quarantine.ts";
import { recentlyIndexed } from "./recovery/recently-indexed.ts";
import { reconcile, requeueProcessing } from "./recovery/reconcile.ts";
import { type Mended, mendTables } from "./recovery/repair-tables.ts";
import { createFrequencyCounter } from "./search/frequencies.ts";
import { indexRows, metaRows } from "./search/index-rows.ts";
import { createIndexStore } from "./search/indexes.ts";
import type { LiveIndex } from "./search/live-indexes.ts";
import { isBuiltAgain, openLiveIndexes } from "./search/open-indexes.ts";
import { createRecentSnippets } from "./search/recent-snippets.ts";
import { snippetRows } from "./search/snippet-rows.ts";
import { createSnippetView } from "./search/snippets.ts";
import { createVectorIndexUpkeep } from "./search/vector-index.ts";
import { readOrCreateSecret } from "./secret.ts";
import { createSitePageStore, sitePageRows } from "./site-pages.ts";

export interface OpenStoreOptions {
  dataDir: string;
  /** The configured embedder: an empty store makes its active index with it. A function is asked only then. */
  index: IndexDescription | (() => Promise<IndexDescription>);
  log: Logger;
  /** Whether an acknowledged write also survives a power cut (default true). */
  syncWrites?: boolean;
  /** See `eraseWithinMs`; shorter in tests. */
  eraseWithinMs?: number;
}

const maxCachedAnswers = 10_000;
/** Memory that was freed is given back to the system this often. */
const releaseEveryMs = 5_000;

/**
 * Opens the store of a data directory, makes it where there is none, and puts it in order after a crash.
 * @throws DataDirInUseError that names the holder where another process has the directory open
 * @throws StoreDamagedError where something is broken that cannot be made again: nothing of it was changed
 */
export const openStore = async (options: OpenStoreOptions): Promise<Store> => {
  const dataDir = resolve(options.dataDir);
  const log = options.log.child({ part: "store" });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const libc = loadLibc();
  const lock = await lockDataDir(dataDir, libc);
  const quarantine = createQuarantine(dataDir);
  /** Until the store is in order the mark stays by which the next start looks again. */
  let isClean = lock.cleanBefore;
  const closers: Opening["closers"] = [];
  try {
    const mended = await mendTables(dataDir, quarantine, log);
    isClean &&= mended.rolledBack.size === 0 && mended.renewed.size === 0;
    if (mended.refusals.length > 0) {
      isClean = false; // what is put in its place may not fit the rest
      throw new StoreDamagedError(`The data in ${dataDir} cannot be opened: ${mended.refusals.join(" ")}`);
    }
    return await openLocked({ ...options, dataDir, log, libc, lock, quarantine, mended, isClean, closers });
  } catch (error) {
    await closeAll(closers); // else maintenance would go on in a directory that is another's by then
    await lock.release(isClean && !quarantine.isUsed());
    throw error;
  }
};

interface Opening extends OpenStoreOptions {
  libc: Libc | null;
  lock: StoreLock;
  quarantine: Quarantine;
  mended: Mended;
  isClean: boolean;
  /** What is to be closed, the last one first: when the store is, or when it cannot be opened. */
  closers: (() => void | Promise<void>)[];
}

const closeAll = async (closers: Opening["closers"]): Promise<void> => {
  for (const close of closers.reverse()) await close();
};

const openLocked = async (options: Opening): Promise<Store> => {
  const { dataDir, log, libc, lock, quarantine, mended, closers } = options;
  const secret = await readOrCreateSecret(dataDir);
  const space = await createFreeSpaceGuard({ dataDir, log });
  const disk = await createDiskSync(dataDir, libc, options.syncWrites ?? true);
  closers.push(disk.close);
  const { lance, connection } = await connect(join(dataDir, "tables"));
  closers.push(() => connection.close());
  const releasing = setInterval(() => libc?.releaseFreeMemory(), releaseEveryMs);
  releasing.unref();
  closers.push(() => clearInterval(releasing));
  const tornIndexes = lock.lostPower ? await recentlyIndexed(dataDir) : new Set<string>();
  const opener = await createTableOpener(lance, connection, log, tornIndexes);
  const { reserve, explain } = space;
  const hooks = { reserve, explain, sync: disk.sync };
  const own = createMaintainedTables(opener, hooks, log, null);
  closers.push(own.close);
  const meta = await own.open(metaRows);
  await migrate(meta, { lance, connection, log });
  const erasures = await createErasures(meta, log, options.eraseWithinMs);
  const maintained = createMaintainedTables(opener, hooks, log, erasures);
  closers.push(maintained.close, erasures.stop);
  const openTable = maintained.open;

  const indexes = await openTable(indexRows);
  const openIndex = async (info: IndexInfo): Promise<LiveIndex> => {
    const rows = snippetRows(info.id, info.dimensions);
    const table = await openTable(rows, mostUntidied.searched, createVectorIndexUpkeep(lance));
    const filled = new Set<string>();
    if (info.state === "building") {
      await table.visit(["revision"], "true", (row) => {
        filled.add(row.string("revision"));
        return true;
      });
    }
    return { info, table, recent: createRecentSnippets(), filled };
  };
  const live = await openLiveIndexes({
    opener,
    indexes,
    openIndex,
    describe: async () => (typeof options.index === "function" ? options.index() : options.index),
    isIncomplete: mended.rolledBack.has("indexes") || mended.renewed.has("indexes"),
    setAside: (name) => quarantine.moveIn(folderOf(name), "unnamed"),
    log,
  });

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
    reserve,
    explain,
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
    serialize: createKeyedMutex(),
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
  const isInOrder = options.isClean && !isBuiltAgain(live.active.info) ? true : await reconcile(opened, log);
  await requeueProcessing(opened);
  const tables: DocumentTables = { ...opened, records: await createDocumentRecords(documents) };

  const dropIndex = (index: LiveIndex): void => tables.inBackground(maintained.drop(index.table.definition.name));
  const chats = await openTable(chatRows);
  const messages = await openTable(messageRows);
  const deliveries = await openTable(deliveryRows);
  const sitePages = await openTable(sitePageRows);
  const idempotency = await openTable(idempotencyRows);
  const isKnown = tables.records.has;
  const sweepGoneDocuments = createGoneDocumentsSweep({ messages, deliveries, sitePages, idempotency, isKnown });
  let closing: Promise<void> | null = null;

  const close = async (): Promise<void> => {
    revisions.release();
    while (background.size > 0) await Promise.all(background);
    await closeAll(closers);
    await lock.release(isInOrder && revisions.hiddenCount() === 0);
  };

  const store: Store = {
    organizations: await createOrganizationStore(await openTable(organizationRows)),
    keys: await createKeyStore(await openTable(keyRows)),
    partitions: await createPartitionStore(await openTable(partitionRows), documents),
    documents: { ...createDocumentReads(tables), ...createDocumentWrites(tables) },
    chats: createChatStore(chats, messages),
    messages: createMessageStore(messages, { isKnown, onStale: () => erasures.note(documents.definition.name) }),
    blobs: { put: blobs.put, read: blobs.read, open: blobs.open, release: blobs.release },
    idempotency: createIdempotencyStore(idempotency),
    deliveries: createDeliveryStore(deliveries, isKnown),
    sitePages: createSitePageStore(sitePages),
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
  erasures.start(async (tables) => {
    if (tables.has(documents.definition.name)) await sweepGoneDocuments();
  });
  return store;
};
