import type { Config } from "../../config/schema.ts";
import { auditChangedSettings, auditRestoredNote, pruneOld } from "../audit/notes.ts";
import { examineStart } from "../doctor/examine.ts";
import type { Logger } from "../log/log.ts";
import { logModelCheck } from "../models/check/check-models.ts";
import { keptMs } from "../receipts/keep-receipt.ts";
import { configuredModels } from "../runtime/configured-models.ts";
import type { Dependencies } from "./app.ts";
import type { ProgramSettings } from "./environment.ts";
import { ensureAdminKey } from "./first-start.ts";
import { configuredPrincipal } from "./operator.ts";
import { warmUp } from "./warm-up.ts";

/** Work that runs until it is closed. */
interface Follower {
  close(): Promise<void>;
}

/** What the process that writes a store does besides answering requests. */
interface WriterWork {
  /** See `RunningServer`. */
  firstKey: string | null;
  /** Lets running requests finish within `server.drainTimeoutMs`, while the work in the background ends. */
  end(): Promise<void>;
  /** Stops what goes on beside requests. */
  close(): Promise<void>;
}

interface WriterWorkOptions extends Pick<ProgramSettings, "embedded" | "parts" | "settingsFile"> {
  config: Config;
  deps: Dependencies;
  /** Where the server listens. */
  url: string;
  runtimeFolder: string;
  adminKey: string | null;
  log: Logger;
}

/** Starts it; requests are answered from then on. */
export const startWriterWork = async (options: WriterWorkOptions): Promise<WriterWork> => {
  const { config, deps, url, runtimeFolder, adminKey, embedded = null, log } = options;
  const { store, lifecycle, modelStates } = deps;
  const followers: Follower[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(followers.map((follower) => follower.close()));
  };
  // In the background: the checks neither stop nor delay the start.
  const stopChecks = new AbortController();
  try {
    store.announce(url);
    await auditRestoredNote({ store, log }, config.dataDir);
    await deps.webhooks.start(config.server.baseUrl ?? url);
    await deps.ingest.start();
    deps.embedder.start();
    deps.backups.startSchedule();
    // It is shown only once: generated when nothing can fail before it is shown.
    const firstKey = adminKey === null ? await ensureAdminKey(store, null, log) : null;
    lifecycle.ready();
    followers.push(warmUp({ ...deps, isBusy: () => lifecycle.active > 0 }));
    await followSources(config, deps, log, followers);
    void examineStart(
      { config, settingsFile: options.settingsFile ?? null, env: process.env, embedded, signal: stopChecks.signal },
      log,
    );
    if (options.parts === undefined)
      void logModelCheck(configuredModels(config, runtimeFolder, embedded, false), log, stopChecks.signal, modelStates);
    return {
      firstKey,
      async end() {
        stopChecks.abort();
        await endWork(config, deps, close);
      },
      close,
    };
  } catch (error) {
    stopChecks.abort();
    await close();
    throw error;
  }
};

/** Lets running requests finish within `server.drainTimeoutMs`, while the work in the background ends. */
const endWork = async (config: Config, deps: Dependencies, closeFollowers: () => Promise<unknown>): Promise<void> => {
  const { lifecycle, ingest, backups, log } = deps;
  // Documents in the queue are canceled at once: their state is stored, and the next start resumes them.
  const [cutOff] = await Promise.all([
    lifecycle.drain(config.server.drainTimeoutMs),
    ingest.close(),
    backups.close(),
    closeFollowers(),
  ]);
  if (cutOff > 0) log.warn({ requests: cutOff }, "requests were cut off at the end of server.drainTimeoutMs");
};

/** Notes in the audit log what changed while the server was stopped; then follows configured folders and sites. */
const followSources = async (config: Config, deps: Dependencies, log: Logger, followers: Follower[]): Promise<void> => {
  const { store, work, pages } = deps;
  const { followConfiguredFolders } = await import("../folders/configured-folders.ts");
  const { followConfiguredSites } = await import("../sites/configured-sites.ts");
  followers.push(pruneOld(store, { receiptsMs: keptMs(config.receipts) }, log));
  const principal = await configuredPrincipal(store);
  await auditChangedSettings({ config, store, principal, log });
  followers.push(followConfiguredFolders({ config, work, principal, log }));
  followers.push(followConfiguredSites({ config, work, fetcher: pages, principal, log }));
};
