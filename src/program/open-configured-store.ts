import type { EmbeddingModel } from "../../providers/contract.ts";
import { newestBackupAt } from "../backup/journal.ts";
import { ApiError, CommandFailure, messageOf } from "../domain/errors.ts";
import type { Replication, Store } from "../store/contract.ts";
import { DataDirInUseError } from "../store/disk/lock.ts";
import { withoutTraces } from "../store/engine/lance.ts";
import { StoreTooNewError } from "../store/migrations/migrations.ts";
import { openStore } from "../store/open.ts";
import { StoreDamagedError } from "../store/recovery/check-table.ts";
import { NoRoomToOpenError } from "../store/recovery/no-room-to-open.ts";
import { NoRoomForSnapshotError } from "../store/snapshots/snapshots.ts";
import { analysisVersion } from "../text/analysis/analyze.ts";
import type { ProgramOptions } from "./environment.ts";

/**
 * Opens the store.
 * @param builtin makes the vectors of the search index
 * @throws CommandFailure that says why it cannot be opened
 */
export const openConfiguredStore = async (
  { config, log, eraseWithinMs, upkeepCommand }: ProgramOptions,
  builtin: EmbeddingModel,
  replication: Replication | undefined,
): Promise<Store> => {
  const { dataDir } = config;
  const { provider, model, revision } = builtin;
  return openStore({
    dataDir,
    log,
    cacheBytes: config.store.cacheBytes,
    ...(eraseWithinMs === undefined ? {} : { eraseWithinMs }),
    ...(upkeepCommand === undefined ? {} : { upkeepCommand }),
    ...(replication === undefined ? {} : { replication }),
    newestBackupAt: () => newestBackupAt(dataDir),
    index: async () => ({
      provider,
      model,
      modelRevision: revision ?? "",
      dimensions: await builtin.dimensions(new AbortController().signal),
      analysisVersion,
    }),
  }).catch((error: unknown) => {
    if (error instanceof ApiError) throw error;
    if (error instanceof DataDirInUseError) throw inUseFailure(error);
    if (expected.some((kind) => error instanceof kind) && error instanceof Error)
      throw new CommandFailure(error.message, { cause: error });
    log.debug({ err: error }, "the store could not be opened");
    throw new CommandFailure(`The data in ${dataDir} cannot be opened: ${withoutTraces(messageOf(error)).trim()}`);
  });
};

/** Another process has the data directory: who, and the way out. */
export const inUseFailure = (error: DataDirInUseError): CommandFailure =>
  new CommandFailure(`${error.message}: stop that process, or set dataDir (CARREL_DATA_DIR) to another folder.`, {
    cause: error,
  });

/** What the store refuses in words that say what to do. */
const expected = [StoreDamagedError, StoreTooNewError, NoRoomForSnapshotError, NoRoomToOpenError];
