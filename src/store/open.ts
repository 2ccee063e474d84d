import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { messageOf } from "../domain/errors.ts";
import type { IndexDescription } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import type { Logger } from "../log/log.ts";
import { type Libc, loadLibc } from "../system/libc.ts";
import { type Closers, createClosers } from "./closers.ts";
import { composeStore } from "./compose-store.ts";
import type { Replication } from "./contract/keeping.ts";
import type { Store } from "./contract.ts";
import { lockDataDir, type StoreLock } from "./disk/lock.ts";
import { createDocumentRecords, readKnownDocuments } from "./documents/document-records.ts";
import { documentRows } from "./documents/document-rows.ts";
import { createBackground } from "./documents/document-tables.ts";
import { createDamageRegister } from "./engine/damage.ts";
import { createGenerationCache } from "./engine/generation-cache.ts";
import { removeFrozen } from "./freeze/freeze.ts";
import { currentSchema, isOlder, readStoredVersion, refuseNewer, type Schema } from "./migrations/migrations.ts";
import { openEngine } from "./open-engine.ts";
import { openResources } from "./open-resources.ts";
import { openSearch } from "./open-search.ts";
import { openAges } from "./records/ages.ts";
import { compareLater } from "./recovery/check-store.ts";
import { StoreDamagedError } from "./recovery/check-table.ts";
import { explainFullDisk } from "./recovery/no-room-to-open.ts";
import { createQuarantine, type Quarantine } from "./recovery/quarantine.ts";
import { reconcile, requeueProcessing } from "./recovery/reconcile.ts";
import { type Repairs, repairTables } from "./recovery/repair-tables.ts";
import { sealTables } from "./recovery/seal.ts";
import { readOrCreateSecret } from "./recovery/secret.ts";
import type { CountLimits } from "./search/frequencies.ts";
import { needsRebuild } from "./search/open-indexes.ts";
import { isOfSnippets } from "./search/snippet-rows.ts";
import type { SegmentRows } from "./segments/merging.ts";
import { finishRestore } from "./snapshots/restore-snapshot.ts";
import { settleSnapshots, takeSnapshot } from "./snapshots/snapshots.ts";

export interface OpenStoreOptions {
  dataDir: string;
  /** The configured embedder: an empty store makes its active index with it. A function is called only then. */
  index: IndexDescription | (() => Promise<IndexDescription>);
  log: Logger;
  /** Whether an acknowledged write also survives a power loss (default true). */
  syncWrites?: boolean;
  /** See `eraseWithinMs`; shorter in tests. */
  eraseWithinMs?: number;
  /** Memory for pieces of indexes; unless given, as much as they need. */
  cacheBytes?: number | null;
  /** Program and arguments of the process that does the upkeep of tables; unless given, this process does it. */
  upkeepCommand?: readonly string[];
  /** When the newest backup was made (epoch ms): named where something is damaged. */
  newestBackupAt?: () => Promise<number | null>;
  /** See `segmentRows`; fewer in tests. */
  segmentRows?: SegmentRows;
  /** How many counts of terms are kept in memory; unless given, what the memory has room for. */
  countLimits?: CountLimits;
  /** Another schema than the program's, in tests of upgrades. */
  schema?: Schema;
  /** Where the store is kept as well: nothing is acknowledged before it is there. */
  replication?: Replication;
}

/** Of counts of terms and filters. */
export const maxCachedAnswers = 10_000;

/**
 * Opens the store of a data directory: creates it if there is none, and repairs it after a crash.
 * @throws DataDirInUseError if another process has the directory open; the message names it
 * @throws StoreDamagedError if a broken table cannot be restored: nothing of it was changed
 * @throws StoreTooNewError if a newer program used the store, NoRoomForSnapshotError if it cannot be upgraded safely:
 *   nothing was changed
 * @throws NoRoomToOpenError if the disk is full: the next start goes on
 */
export const openStore = (options: OpenStoreOptions): Promise<Store> => {
  const dataDir = resolve(options.dataDir);
  return lockAndOpen({ ...options, dataDir }).catch(async (error: unknown) => {
    const backupAt = error instanceof StoreDamagedError ? await options.newestBackupAt?.().catch(() => null) : null;
    if (typeof backupAt === "number")
      throw new StoreDamagedError(`${messageOf(error)} The newest backup is that of ${isoTime(backupAt)}.`, {
        cause: error,
      });
    throw await explainFullDisk(dataDir, error);
  });
};

const lockAndOpen = async (options: OpenStoreOptions): Promise<Store> => {
  const { dataDir } = options;
  const log = options.log.child({ part: "store" });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const libc = loadLibc();
  const lock = await lockDataDir(dataDir, libc);
  const quarantine = createQuarantine(dataDir);
  /** False until the store is consistent: the lock then keeps its mark, and the next start reconciles. */
  let isClean = lock.wasClean;
  const closers = createClosers();
  const schema = options.schema ?? currentSchema;
  try {
    const isRestored = await finishRestore(dataDir);
    isClean &&= !isRestored;
    await refuseNewer(dataDir, await readStoredVersion(dataDir), schema.version);
    const { hasLostPower } = lock;
    const repairs = await repairTables(dataDir, { quarantine, log, hasLostPower });
    isClean &&= repairs.rolledBack.size === 0 && repairs.renewed.size === 0;
    if (repairs.refusals.length > 0) {
      isClean = false; // a table that is restored may not fit the others
      throw new StoreDamagedError(`The data in ${dataDir} cannot be opened: ${repairs.refusals.join(" ")}`);
    }
    const stored = await readStoredVersion(dataDir);
    if (stored !== null && isOlder(stored.schema, schema))
      await takeSnapshot({ dataDir, ...stored, target: schema.version, log });
    return await openLocked({ ...options, dataDir, log, libc, lock, quarantine, repairs, isClean, closers, schema });
  } catch (error) {
    // Before the lock is released: maintenance must not continue in the directory of another process.
    const isClosed = await closers.close().then(
      () => true,
      (failure: unknown) => {
        log.warn({ error: String(failure) }, "a part of the store could not be closed");
        return false;
      },
    );
    await lock.release(isClosed && isClean && !quarantine.isUsed());
    throw error;
  }
};

interface Opening extends OpenStoreOptions {
  schema: Schema;
  libc: Libc | null;
  lock: StoreLock;
  quarantine: Quarantine;
  repairs: Repairs;
  isClean: boolean;
  closers: Closers;
}

/** Opens the tables of a directory that is locked and repaired, and reconciles them where needed. */
const openLocked = async (options: Opening): Promise<Store> => {
  const { dataDir, log, libc, lock, closers } = options;
  const syncWrites = options.syncWrites ?? true;
  await removeFrozen(dataDir);
  const secret = await readOrCreateSecret(dataDir);
  const ages = await openAges(dataDir, log);
  closers.add(ages.close);
  let isIndexMade = (): boolean => false;
  const damage = await createDamageRegister({
    dataDir,
    log,
    newestBackupAt: options.newestBackupAt ?? (async () => null),
    isSearched: (table) => table === documentRows.name || isOfSnippets(table),
    isIndexMade: () => isIndexMade(),
  });
  const engine = await openEngine({
    dataDir,
    log,
    libc,
    hasLostPower: lock.hasLostPower,
    brokenIndexes: options.repairs.brokenIndexes,
    damage,
    syncWrites,
    eraseWithinMs: options.eraseWithinMs,
    schema: options.schema,
    upkeepCommand: options.upkeepCommand ?? null,
    cacheBytes: options.cacheBytes ?? null,
    replication: options.replication ?? null,
    closers,
  });
  await settleSnapshots(dataDir, log);
  const { erasures } = engine;

  const answers = createGenerationCache(maxCachedAnswers);
  const background = createBackground(log, erasures.again);
  const { indexes, openIndex, live, vectors, opened, hasLostRows, segmented } = await openSearch({
    ...options,
    engine,
    damage,
    syncWrites,
    inBackground: background.run,
    onSearchableChange: answers.clear,
    elsewhere: options.replication ?? null,
  });
  const { documents, pendingTexts, revisions } = opened;
  options.replication?.attach(revisions.watch);
  isIndexMade = () => needsRebuild(live.active.info);
  const isWhole = options.isClean && !hasLostRows && !needsRebuild(live.active.info);
  const isConsistent = isWhole || (await reconcile(opened, log));
  await requeueProcessing(opened);
  const tables = { ...opened, records: createDocumentRecords(documents, damage, await readKnownDocuments(documents)) };
  tables.lacking.restart();
  closers.add(tables.lacking.stop);

  segmented.startMerging({ merge: engine.merge, viewsClosed: revisions.viewsClosed });
  closers.add(async () => {
    engine.stopUpkeep();
    await segmented.stopMerging();
  });

  const { stores, sweeps } = await openResources({
    openTable: engine.tables.open,
    documents,
    isKnown: (id, organizationId) =>
      organizationId === null ? tables.records.has(id) : tables.records.isOf(organizationId, id),
    onGoneDocument: () => erasures.note(documents.definition.name),
    ages,
    damage,
    log,
    onClose: closers.add,
  });

  const close = async (): Promise<void> => {
    revisions.release();
    await background.settle();
    let isClosed = false;
    try {
      await closers.close();
      isClosed = true;
      await sealTables(dataDir, log);
    } finally {
      const isSettled = revisions.hiddenCount() === 0 && pendingTexts.areSettled() && background.isDone();
      await lock.release(isClosed && isConsistent && isSettled);
    }
  };
  let closing: Promise<void> | null = null;

  const store = composeStore({
    dataDir,
    engine,
    damage,
    tables,
    search: { indexes, openIndex, live, vectors },
    stores,
    answers,
    background,
    secret,
    ages,
    announce: lock.announce,
    close() {
      closing ??= close();
      return closing;
    },
  });
  const { uncompared } = options.repairs;
  if (uncompared.length > 0) closers.add(compareLater({ dataDir, names: uncompared, engine, damage, log }));
  erasures.start([{ after: null, of: "what writes have replaced", run: background.again }, ...sweeps]);
  return store;
};
