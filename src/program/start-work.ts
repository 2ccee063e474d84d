import type { Config } from "../../config/schema.ts";
import { auditChangedSettings, pruneOld } from "../audit/settings-note.ts";
import type { Logger } from "../log/log.ts";
import { keptMs } from "../receipts/keep-receipt.ts";
import type { Dependencies } from "./app.ts";
import { configuredPrincipal } from "./operator.ts";

/** Work that runs until it is closed. */
export interface Follower {
  close(): Promise<void>;
}

/** Starts what works on stored records: webhooks, waiting documents, vectors, scheduled backups. */
export const startBackgroundWork = async (config: Config, deps: Dependencies, url: string): Promise<void> => {
  await deps.webhooks.start(config.server.baseUrl ?? url);
  await deps.ingest.start();
  deps.embedder.start();
  deps.backups.startSchedule();
};

/**
 * Notes in the audit log what changed while the server was stopped; then follows configured folders and sites.
 * @param add takes what was started, to close it later
 */
export const followSources = async (
  config: Config,
  deps: Dependencies,
  log: Logger,
  add: (follower: Follower) => void,
): Promise<void> => {
  const { store, work, pages } = deps;
  const { followConfiguredFolders } = await import("../folders/configured-folders.ts");
  const { followConfiguredSites } = await import("../sites/configured-sites.ts");
  add(pruneOld(store, { receiptsMs: keptMs(config.receipts) }, log));
  const principal = await configuredPrincipal(store);
  await auditChangedSettings({ config, store, principal, log });
  add(followConfiguredFolders({ config, work, principal, log }));
  add(followConfiguredSites({ config, work, fetcher: pages, principal, log }));
};
