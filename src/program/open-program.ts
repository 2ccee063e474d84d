import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import type { SettingSources } from "../../config/sources.ts";
import { newestBackupAt } from "../backup/newest-backup.ts";
import type { Logger } from "../log/log.ts";
import type { EmbeddedParts } from "../runtime/embedded-parts.ts";
import { prepareNativeAddon } from "../runtime/native-addon.ts";
import { ensureTemporaryFolder } from "../runtime/runtime-folder.ts";
import { openTracer } from "../tracing/open-tracer.ts";
import { createPageFiles } from "../web/page-files.ts";
import type { OpenProgram } from "./assemble-program.ts";
import { makeDataDir } from "./make-data-dir.ts";
import type { Parts } from "./parts.ts";

interface ProgramOptions {
  config: Config;
  log: Logger;
  embedded: EmbeddedParts | null;
  /** Where native parts are unpacked; `<dataDir>/runtime` where not given. */
  runtimeFolder?: string;
  parts?: Partial<Parts>;
  /** Where the settings were written; nowhere unless given: all are defaults. */
  settingSources?: SettingSources;
  /** The file that was read, absolute; none unless given. */
  settingsFile?: string | null;
  /** How soon removed data has left the disk; the store's own limit unless given. */
  eraseWithinMs?: number;
  /** Program and arguments of the process that does the upkeep of tables; this process does it unless given. */
  upkeepCommand?: readonly string[];
}

/**
 * Prepares the machine (folders, LanceDB's addon), then opens the store and puts the parts together.
 * @throws CommandFailure, or what a part throws, each saying what to do
 */
export const openProgram = async (options: ProgramOptions): Promise<OpenProgram> => {
  const { config, log, embedded, parts = {}, eraseWithinMs, upkeepCommand } = options;
  const { dataDir } = config;
  const runtimeFolder = options.runtimeFolder ?? join(dataDir, "runtime");
  await makeDataDir(dataDir);
  await ensureTemporaryFolder(process.env, join(dataDir, "runtime/tmp"));
  await prepareNativeAddon(embedded?.lancedb ?? null, runtimeFolder);
  // Imported only now: LanceDB finds its addon when it is first imported.
  const { configuredModels } = await import("../runtime/configured-models.ts");
  const { createModels } = await import("./create-models.ts");
  const { openConfiguredStore } = await import("./open-configured-store.ts");
  const { assembleProgram } = await import("./assemble-program.ts");

  const tracer = await openTracer(config.tracing, log);
  const models = await createModels({ config, runtimeFolder, embedded, parts, tracer, log });
  const store = await openConfiguredStore({
    config,
    builtin: models.builtin,
    log,
    eraseWithinMs,
    upkeepCommand,
    newestBackupAt: () => newestBackupAt(config.dataDir),
  });
  try {
    return await assembleProgram({
      config,
      log,
      store,
      models,
      tracer,
      checkedModels: configuredModels(config, runtimeFolder, embedded, false),
      embedded,
      settingSources: options.settingSources ?? new Map(),
      settingsFile: options.settingsFile ?? null,
      parts,
      pageFiles: createPageFiles(embedded?.pages ?? null),
    });
  } catch (error) {
    await store.close();
    throw error;
  }
};
