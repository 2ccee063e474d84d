import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { loadConfig } from "../../../config/load.ts";
import { UsageFailure } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/records.ts";
import type { FolderEvent } from "../../folders/folder-state.ts";
import { followFolder } from "../../folders/follow-folder.ts";
import type { Environment } from "../../program/environment.ts";
import { type ClientOptions, openClient } from "../client/client.ts";
import { createFolderTarget } from "./folder-target.ts";

interface WatchOptions extends ClientOptions {
  partition?: string | undefined;
  metadata?: JsonObject | undefined;
  json?: boolean | undefined;
}

/** `carrel ingest --watch`: keeps documents in step with folders until it is asked to end. */
export const watchFolders = async (
  folders: readonly string[],
  options: WatchOptions,
  environment: Environment,
): Promise<void> => {
  const { cwd, env, stop } = environment;
  const paths = [...new Set(folders.map((folder) => resolve(cwd, folder)))];
  for (const path of paths) {
    const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? false;
    if (!isFolder) throw new UsageFailure(`--watch is for folders; ${path} is not one.`);
  }
  const { config } = await loadConfig({ file: options.config, env, cwd });
  const limits = { maxFiles: config.scan.maxFiles, maxBytes: config.ingest.maxDocumentBytes };
  const { partition, metadata } = options;
  const client = await openClient(options, environment);
  try {
    await Promise.all(
      paths.map((path) => {
        const target = createFolderTarget({ client, folder: path, partition, metadata });
        const report = options.json === true ? writeJson(path, environment) : writeLine(path, environment);
        return followFolder({ path, target, watch: true, ...limits, report }, stop);
      }),
    );
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    await client.close();
  }
};

/** One JSON object a line. */
const writeJson =
  (folder: string, { write }: Environment) =>
  (event: FolderEvent): void =>
    write(`${JSON.stringify({ folder, ...event })}\n`);

const writeLine =
  (folder: string, { write, writeError }: Environment) =>
  (event: FolderEvent): void => {
    switch (event.kind) {
      case "stored":
        write(`${event.status}  ${event.documentId}  ${event.path}\n`);
        break;
      case "moved":
        write(`moved  ${event.documentId}  ${event.from} -> ${event.path}\n`);
        break;
      case "removed":
        write(`removed  ${event.documentId}  ${event.path}\n`);
        break;
      case "refused":
        writeError(`skipped: ${event.path}: ${event.reason}\n`);
        break;
      case "delayed":
        writeError(`delayed: ${event.path}: ${event.reason}\n`);
        break;
      case "trouble":
        writeError(`${folder}: ${event.reason}\n`);
        break;
      case "recovered":
        writeError(`${folder}: recovered\n`);
        break;
    }
  };
