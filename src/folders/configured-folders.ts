import type { Config } from "../../config/schema.ts";
import type { Principal } from "../domain/records.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Logger } from "../log/log.ts";
import type { FolderEvent } from "./folder-state.ts";
import { followFolder } from "./follow-folder.ts";
import { createLeftOut } from "./left-out.ts";
import { createStoreTarget } from "./store-target.ts";

interface ConfiguredFoldersOptions {
  config: Pick<Config, "folders" | "scan" | "ingest" | "parser">;
  work: IngestWork;
  /** Owner of the documents. */
  principal: Principal;
  log: Logger;
  settleMs?: number;
  scanEveryMs?: number;
}

/** Follows the folders of the configuration until `close`. */
export const followConfiguredFolders = (options: ConfiguredFoldersOptions): { close(): Promise<void> } => {
  const { config, work, principal, log, ...pace } = options;
  const { maxDocumentBytes } = config.ingest;
  const stop = new AbortController();
  const followed = config.folders.map(async ({ path, partition, watch, exclude }) => {
    const readsTexts = config.parser.provider === "builtin";
    const target = createStoreTarget({ work, principal, folder: path, partition, maxDocumentBytes, readsTexts });
    const isLeftOut = createLeftOut(exclude);
    const report = logTo(log.child({ folder: path }));
    const limits = { maxFiles: config.scan.maxFiles, maxBytes: maxDocumentBytes };
    try {
      await followFolder({ path, target, watch, isLeftOut, ...limits, report, ...pace }, stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) log.error({ err: error, folder: path }, "a folder is no longer followed");
    }
  });
  return {
    async close() {
      stop.abort();
      await Promise.all(followed);
    },
  };
};

const lines: Record<FolderEvent["kind"], ["debug" | "info" | "warn", string]> = {
  stored: ["debug", "a file of a folder was ingested"],
  moved: ["info", "a file of a folder was moved: its document has the new path"],
  removed: ["info", "a file of a folder is gone: its document was deleted"],
  refused: ["warn", "a file of a folder was not ingested"],
  delayed: ["warn", "a file of a folder could not be ingested or removed: it is tried again"],
  trouble: ["warn", "a problem with a folder: documents whose files cannot be seen are kept"],
  recovered: ["info", "a folder can be followed again"],
};

const logTo =
  (log: Logger) =>
  ({ kind, ...fields }: FolderEvent): void => {
    const [level, line] = lines[kind];
    log[level](fields, line);
  };
