import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino, { type Logger } from "pino";
import { ApiError } from "../../src/domain/errors.ts";
import type { Store } from "../../src/store/contract.ts";
import type { FreeSpaceGuard } from "../../src/store/disk/free-space.ts";
import type { DamageRegister } from "../../src/store/engine/damage.ts";
import type { TableHooks } from "../../src/store/engine/table-commits.ts";
import { unnotedDamage } from "../../src/store/engine/table-reads.ts";
import { type OpenStoreOptions, openStore } from "../../src/store/open.ts";
import type { SegmentRows } from "../../src/store/segments/merging.ts";
import { putEmptyTables } from "./empty-store.ts";

export interface TemporaryStore {
  store: Store;
  dataDir: string;
  /** Closes the store and removes its files. */
  dispose(): Promise<void>;
}

export interface TemporaryStoreOptions {
  /** Length of the vectors; 8 where not given. */
  dimensions?: number;
  provider?: string;
  model?: string;
  analysisVersion?: number;
  log?: Logger;
  segmentRows?: SegmentRows;
  countLimits?: OpenStoreOptions["countLimits"];
}

export const silentLog: Logger = pino({ level: "silent" });

/** A store in a folder of its own, without waiting for the disk. */
export const openTemporaryStore = async (options: TemporaryStoreOptions = {}): Promise<TemporaryStore> => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-store-"));
  const index = {
    provider: options.provider ?? "builtin",
    model: options.model ?? "static",
    dimensions: options.dimensions ?? 8,
    analysisVersion: options.analysisVersion ?? 1,
  };
  await putEmptyTables(dataDir, index);
  const store = await openStore({
    dataDir,
    index,
    log: options.log ?? silentLog,
    syncWrites: false,
    ...(options.segmentRows === undefined ? {} : { segmentRows: options.segmentRows }),
    ...(options.countLimits === undefined ? {} : { countLimits: options.countLimits }),
  });
  return {
    store,
    dataDir,
    async dispose() {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** A disk that is never full. */
const endlessSpace: FreeSpaceGuard["reserve"] = async () => ({
  beforeWrite: async () => {},
  written() {},
  release() {},
});

/** Hooks of a table that is opened alone: nothing is synced, refused or noted. */
export const passiveHooks: TableHooks = {
  reserve: endlessSpace,
  sync: async () => undefined,
  explain: (error) => error,
  brokenDeletions: async () => [],
  damage: unnotedDamage,
  afterCommit: () => undefined,
  beforeRemoval: async () => undefined,
};

/** The damage register of a store that has none. */
export const noDamage: DamageRegister = {
  list: () => [],
  unsearched: () => null,
  error: async (what) => new ApiError("data_damaged", what),
  note: () => undefined,
  mend: () => undefined,
  noteWritten: () => undefined,
  settle: () => undefined,
  reject: async () => undefined,
};
