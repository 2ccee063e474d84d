import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { loadConfig } from "../../../config/load.ts";
import { CommandFailure, UsageFailure } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/records.ts";
import type { FolderEvent } from "../../folders/folder-state.ts";
import { followFolder } from "../../folders/follow-folder.ts";
import {
  documentName,
  externalIdOfFile,
  type FolderDocument,
  type FolderFile,
  type FolderTarget,
  idOfFolder,
  metadataOf,
  readFolderDocument,
} from "../../folders/target.ts";
import type { Environment } from "../../program/environment.ts";
import { escapeControls } from "../../text/clean-text.ts";
import { type ClientOptions, type OperatorClient, openClient, problemOf, readAnswer } from "../client/client.ts";
import { partitionNamed, readPages } from "../client/named-records.ts";
import { machineOf, sentFileName } from "./find-sources.ts";

interface WatchOptions extends ClientOptions {
  partition?: string | undefined;
  metadata?: JsonObject | undefined;
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
  const machine = machineOf(options);
  const client = await openClient(options, environment);
  try {
    await Promise.all(
      paths.map((path) => {
        const target = createFolderTarget({ client, folder: path, machine, partition, metadata });
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

/** A line, whatever the names of files hold. */
const writeLine =
  (folder: string, { write, writeError }: Environment) =>
  (event: FolderEvent): void => {
    const line = (text: string) => `${escapeControls(text)}\n`;
    switch (event.kind) {
      case "stored":
        write(line(`${event.status}  ${event.documentId}  ${event.path}`));
        break;
      case "moved":
        write(line(`moved  ${event.documentId}  ${event.from} -> ${event.path}`));
        break;
      case "removed":
        write(line(`removed  ${event.documentId}  ${event.path}`));
        break;
      case "refused":
        writeError(line(`skipped: ${event.path}: ${event.reason}`));
        break;
      case "delayed":
        writeError(line(`delayed: ${event.path}: ${event.reason}`));
        break;
      case "trouble":
        writeError(line(`${folder}: ${event.reason}`));
        break;
      case "recovered":
        writeError(line(`${folder}: recovered`));
        break;
    }
  };

interface FolderTargetOptions {
  client: OperatorClient;
  /** Absolute. */
  folder: string;
  /** As in `externalIdOfFile`. */
  machine: string;
  partition?: string | undefined;
  /** Added to the metadata of each document. */
  metadata?: JsonObject | undefined;
}

interface ListedDocument {
  id: string;
  partitionId: string | null;
  metadata: JsonObject | null;
  updatedAt: string;
}

/** Puts documents into a server by its API, and waits until questions find them; files that are no documents are not stored. */
const createFolderTarget = ({ client, folder, machine, partition, metadata }: FolderTargetOptions): FolderTarget => {
  const labels = (file: FolderFile): JsonObject => ({ ...metadata, ...metadataOf(folder, file, machine) });

  const pagesWith = (metadata: JsonObject): AsyncGenerator<ListedDocument[]> =>
    readPages(client, "/api/document", { sortOrder: "asc", metadata: JSON.stringify(metadata) });

  return {
    async list(signal) {
      const wanted = partition === undefined ? null : ((await partitionNamed(client, partition))?.id ?? "");
      const found: FolderDocument[] = [];
      signal.throwIfAborted();
      for await (const page of pagesWith({ folder: idOfFolder(folder, machine) })) {
        for (const listed of page) {
          const document = readFolderDocument(folder, { ...listed, storedMs: Date.parse(listed.updatedAt) }, machine);
          if (document === null) continue;
          found.push({ ...document, isMisplaced: wanted !== null && listed.partitionId !== wanted });
        }
        signal.throwIfAborted();
      }
      return found;
    },
    async put(file) {
      const form = new FormData();
      form.set("name", documentName(file));
      form.set("metadata", JSON.stringify(labels(file)));
      form.set("upsert", "true");
      if (partition !== undefined) form.set("partition", partition);
      form.set("file", file.content, sentFileName(file.path));
      const response = await client.send("/api/ingest", { method: "POST", body: form });
      if (response.ok) {
        const { id, unchanged } = (await response.json()) as { id: string; unchanged?: boolean };
        return { stored: true, documentId: id, status: unchanged === true ? "unchanged" : "processed" };
      }
      const reason = await problemOf(response);
      if ([400, 413, 415, 422].includes(response.status)) return { stored: false, reason };
      throw new CommandFailure(reason);
    },
    async move(id, file) {
      const externalId = externalIdOfFile(file.absolutePath, machine);
      for await (const page of pagesWith({ externalId })) if (page.some((document) => document.id !== id)) return false;
      const response = await client.send(`/api/document/${id}`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: documentName(file), metadata: labels(file) }),
      });
      if (response.status === 404) return false;
      await readAnswer(response);
      return true;
    },
    async remove(id) {
      const response = await client.send(`/api/document/${id}`, { method: "DELETE" });
      if (response.status !== 404) await readAnswer(response);
    },
  };
};
