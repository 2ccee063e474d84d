import { join } from "node:path";
import { createCpuMeter, untilIdleCheck } from "../async/idle-check.ts";
import { createGate } from "../async/keyed-mutex.ts";
import type { Logger } from "../log/log.ts";
import type { Libc } from "../system/libc.ts";
import { createCodeRelease } from "../system/program-code.ts";
import type { Closers } from "./closers.ts";
import { type OpenedFolder, rememberFolder } from "./condition/store-condition.ts";
import type { Replication } from "./contract/keeping.ts";
import { createDiskSync } from "./disk/disk-sync.ts";
import { createFreeSpaceGuard, type FreeSpaceGuard } from "./disk/free-space.ts";
import type { DamageRegister } from "./engine/damage.ts";
import { connect, questionCaches } from "./engine/lance.ts";
import { createMaintainedTables, type Engine, type MaintainedTables } from "./engine/maintained-tables.ts";
import { metaRows } from "./engine/meta-rows.ts";
import type { BrokenDeletions } from "./engine/table-commits.ts";
import { createTableOpener } from "./engine/tables.ts";
import type { MergeRequest, UpkeepWork } from "./engine/upkeep-work.ts";
import { createErasures, type Erasures } from "./erasure/erasures.ts";
import { migrate, type Schema } from "./migrations/migrations.ts";
import { brokenDeletionFiles } from "./recovery/check-table.ts";
import { createReadDamage, mendTable } from "./recovery/read-damage.ts";
import { recentlyIndexed } from "./recovery/repair-tables.ts";
import { healRepeatedIds } from "./recovery/repeated-ids.ts";
import { createUpkeepApart } from "./upkeep/upkeep-apart.ts";
import { createUpkeepHere, removeUnfinishedMerges } from "./upkeep/upkeep-here.ts";

interface EngineOptions {
  dataDir: string;
  log: Logger;
  libc: Libc | null;
  /** Whether the machine may have lost its power since the last write: then recent indexes are not trusted. */
  hasLostPower: boolean;
  /** Tables whose indexes are made again. */
  brokenIndexes: ReadonlySet<string>;
  damage: DamageRegister;
  syncWrites: boolean;
  eraseWithinMs: number | undefined;
  /** See `questionCaches`. */
  cacheBytes: number | null;
  schema: Schema;
  /** See `OpenStoreOptions`. */
  upkeepCommand: readonly string[] | null;
  /** See `OpenStoreOptions`. */
  replication: Pick<Replication, "replicate" | "check"> | null;
  closers: Closers;
}

/** The open database: its tables have the current schema, and are maintained while they are open. */
export interface OpenEngine extends Engine {
  erasures: Erasures;
  folder: OpenedFolder;
}

/** Of a store that this process writes. */
interface WritingEngine extends OpenEngine {
  /** See `UpkeepWork`. @throws ApiError storage_unavailable where the disk has no room for both */
  merge(request: MergeRequest): Promise<void>;
  /** No upkeep begins after this call, and what another process is at fails. */
  stopUpkeep(): void;
}

/** A process that took less CPU time than this in between has freed little: a call costs tens of milliseconds itself. */
const workingCpuMs = 50;
/** Calls after the last work: caches are given up some seconds after it. */
const callsAfterWork = 2;

/** Returns freed memory every 5 seconds while there is work, and gives up code that the work needed when it has ended. */
const releaseMemory = (libc: Libc | null, closers: Closers): void => {
  if (libc === null) return;
  const takeCpuMs = createCpuMeter();
  const releaseCode = createCodeRelease();
  let callsLeft = callsAfterWork;
  const look = (): void => {
    schedule();
    if (takeCpuMs() >= workingCpuMs) callsLeft = callsAfterWork;
    else if (callsLeft === 0) return;
    else callsLeft -= 1;
    libc.releaseFreeMemory();
    if (callsLeft === 0) releaseCode();
    takeCpuMs(); // its own time is no work
  };
  let timer: ReturnType<typeof setTimeout>;
  const schedule = (): void => {
    timer = setTimeout(look, untilIdleCheck());
    timer.unref();
  };
  schedule();
  closers.add(() => clearTimeout(timer));
};

/** `close` fails the work that another process does, where one does it. */
const upkeepWork = (
  { dataDir, log, upkeepCommand }: EngineOptions,
  here: UpkeepWork,
): { work: UpkeepWork; close(): void } => {
  if (upkeepCommand === null) return { work: here, close: () => undefined };
  const apart = createUpkeepApart({ command: upkeepCommand, folder: tablesFolder(dataDir), here, log });
  return { work: apart, close: apart.close };
};

const tablesFolder = (dataDir: string): string => join(dataDir, "tables");

/** Connects to the tables of a data directory and migrates them. */
export const openEngine = async (options: EngineOptions): Promise<WritingEngine> => {
  const { dataDir, log, libc, closers } = options;
  const freeSpace = await createFreeSpaceGuard({ dataDir, log });
  const disk = await createDiskSync(dataDir, libc, options.syncWrites);
  closers.add(disk.close);
  const caches = await questionCaches(tablesFolder(dataDir), options.cacheBytes);
  const { lance, connection } = await connect(tablesFolder(dataDir), caches);
  closers.add(() => connection.close());
  const folder = rememberFolder(dataDir);
  const space: FreeSpaceGuard = {
    ...freeSpace,
    async reserve(bytes, kind) {
      folder.check();
      options.replication?.check();
      return await freeSpace.reserve(bytes, kind);
    },
  };
  releaseMemory(libc, closers);

  await removeUnfinishedMerges(tablesFolder(dataDir));
  const afterPowerLoss = options.hasLostPower ? await recentlyIndexed(dataDir) : new Set<string>();
  const opener = await createTableOpener(lance, connection, log, afterPowerLoss.union(options.brokenIndexes));
  const sync = async (): Promise<void> => {
    await Promise.all([disk.sync(), options.replication?.replicate()]);
    folder.check(); // what follows is acknowledged
  };
  const brokenDeletions: BrokenDeletions = (table: string, readVersion: number) =>
    brokenDeletionFiles(join(tablesFolder(dataDir), `${table}.lance`), readVersion);
  let tables: MaintainedTables | null = null;
  const mend: Engine["mend"] = async (name: string): Promise<void> => {
    const table = [settings, tables].flatMap((some) => some?.list() ?? []).find((one) => one.definition.name === name);
    if (table !== undefined)
      await mendTable(lance, table, join(tablesFolder(dataDir), `${name}.lance`), options.damage);
  };
  const damage = createReadDamage(options.damage, mend, folder.whyGone);
  const hooks = { reserve: space.reserve, explain: space.explain, sync, brokenDeletions, damage };
  const upkeepGate = createGate();
  // The table of settings notes the erasures, so its own removed rows are not noted.
  const { work, close: endWork } = upkeepWork(options, createUpkeepHere(lance, connection, tablesFolder(dataDir)));
  closers.add(endWork);
  const shared = { opener, hooks, log, upkeepGate, work };
  const settings = createMaintainedTables({ ...shared, hooks: { ...hooks, isForRemovals: true }, erasures: null });
  closers.add(settings.close);
  const meta = await settings.open(metaRows);
  await migrate(meta, { lance, connection, brokenDeletions, log }, options.schema);

  const erasures = await createErasures(meta, log, options.eraseWithinMs);
  await healRepeatedIds({ connection, brokenDeletions, log, noteErasure: erasures.note });
  tables = createMaintainedTables({ ...shared, erasures });
  closers.add(tables.close);
  closers.add(erasures.stop);
  // First: upkeep of a large table takes longer than a stop may, and the next start makes up for what it was at.
  const { stopUpkeep: stopOthers } = tables;
  const stopUpkeep = (): void => {
    settings.stopUpkeep();
    stopOthers();
    endWork();
  };
  closers.add(stopUpkeep);
  const { list } = tables;
  const merge: WritingEngine["merge"] = async (request) => {
    const inputs = list().filter(({ definition }) => request.inputs.includes(definition.name));
    const bytes = (await Promise.all(inputs.map((input) => input.bytes()))).reduce((sum, each) => sum + each, 0);
    const reserved = await space.reserve(bytes, "tables");
    try {
      await work.merge(request);
      reserved.written(bytes);
    } finally {
      reserved.release();
    }
    opener.noteMade(request.output);
  };
  return { lance, opener, tables, erasures, space, folder, meta, upkeepGate, mend, merge, stopUpkeep };
};
