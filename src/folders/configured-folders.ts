import { basename } from "node:path";
import type { Config } from "../../config/schema.ts";
import { recordChange } from "../access/record-change.ts";
import { deleteDocument, unlessGone } from "../documents/document-records.ts";
import { updateDocument } from "../documents/update-document.ts";
import type { Principal } from "../domain/records.ts";
import { ingestDocument } from "../ingest/ingest.ts";
import { propertiesIn } from "../ingest/prepare/source.ts";
import { type IngestRequest, readIngestRequest } from "../ingest/request.ts";
import { type FileOutcome, ingestFiles, type SmallFileRequest } from "../ingest/texts.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Logger } from "../log/log.ts";
import { isLightFile } from "../parse/builtin-parser.ts";
import type { FolderEvent } from "./folder-state.ts";
import { followFolder } from "./follow-folder.ts";
import { createLeftOut } from "./left-out.ts";
import {
  documentName,
  externalIdOfFile,
  type FolderDocument,
  type FolderFile,
  type FolderTarget,
  idOfFolder,
  metadataOf,
  type PutOutcome,
  readFolderDocument,
  type SmallFile,
} from "./target.ts";

interface StoreTargetOptions {
  work: IngestWork;
  /** Owner of the documents. */
  principal: Principal;
  /** Absolute. */
  folder: string;
  partition: string | null;
  maxDocumentBytes: number;
  /** Whether small texts are read in this process: only then are several put in together. */
  readsTexts: boolean;
}

const pageSize = 500;

/**
 * Puts documents into this process's own store. Files are stored at once and processed later, small texts together and
 * at once; a file that cannot be parsed becomes a failed document that says why.
 */
export const createStoreTarget = (options: StoreTargetOptions): FolderTarget => {
  const { work, principal, folder, partition, maxDocumentBytes, readsTexts } = options;
  const { store } = work;

  /** @param hash of the file's bytes, which are in the store */
  const requestOf = (file: FolderFile, hash: string, bytes: number): IngestRequest =>
    readIngestRequest(
      {
        name: documentName(file),
        metadata: metadataOf(folder, file),
        upsert: true,
        ...(partition === null ? {} : { partition }),
      },
      { name: basename(file.absolutePath).toWellFormed(), mimeType: null, hash, bytes, take: () => {} },
    );

  const target: FolderTarget = {
    async list(signal) {
      const wanted = partition === null ? null : ((await store.partitions.getByName(principal, partition))?.id ?? "");
      const found: FolderDocument[] = [];
      for (let skip = 0; ; skip += pageSize) {
        signal.throwIfAborted();
        const filter = { metadata: { folder: idOfFolder(folder) } };
        const { items } = await store.documents.list(principal, filter, { limit: pageSize, skip, sortOrder: "asc" });
        for (const item of items) {
          const document = readFolderDocument(folder, { ...item, storedMs: item.updatedAt });
          if (document !== null)
            found.push({ ...document, isMisplaced: wanted !== null && item.partitionId !== wanted });
        }
        if (items.length < pageSize) return found;
      }
    },
    async put(file, signal) {
      const { hash, bytes } = await store.blobs.put(file.content.stream(), maxDocumentBytes, file.content.size);
      let isTaken = false;
      try {
        const { document, takesFile } = await ingestDocument(
          work,
          principal,
          requestOf(file, hash, bytes),
          "later",
          signal,
        );
        isTaken = takesFile;
        return { stored: true, documentId: document.id, status: document.status };
      } finally {
        if (!isTaken) await store.blobs.release(hash);
      }
    },
    async putTogether(files, signal) {
      const outcomes: (PutOutcome | { error: unknown })[] = [];
      const light: { at: number; request: SmallFileRequest }[] = [];
      const alone: Promise<void>[] = [];
      const putAlone = async (at: number, file: SmallFile): Promise<void> => {
        outcomes[at] = await target.put(file, signal).catch((error: unknown) => ({ error }));
      };
      const held = new Map<number, string>();
      try {
        for (const [at, file] of files.entries()) {
          if (!readsTexts || !isLightFile({ bytes: file.read, name: basename(file.path), mimeType: null })) {
            alone.push(putAlone(at, file));
            continue;
          }
          const { hash, bytes } = await store.blobs.put(file.read, maxDocumentBytes);
          held.set(at, hash);
          light.push({ at, request: requestOf(file, hash, bytes) as SmallFileRequest });
        }
        const requests = light.map(({ request }) => request);
        const ingested = await ingestFiles(work, principal, requests, signal);
        for (const [index, { at }] of light.entries()) {
          const outcome = ingested[index] as FileOutcome;
          if ("document" in outcome) {
            const { document, takesFile } = outcome;
            if (takesFile) held.delete(at);
            outcomes[at] = { stored: true, documentId: document.id, status: document.status };
          } else outcomes[at] = outcome;
        }
      } finally {
        await Promise.all([...held.values()].map((hash) => store.blobs.release(hash)));
        await Promise.all(alone);
      }
      return outcomes;
    },
    async move(id, file, signal) {
      const taken = await store.documents.getByExternalId(principal, externalIdOfFile(file.absolutePath));
      if (taken !== null && taken.id !== id) return false;
      const current = await store.documents.get(principal, id);
      const properties = current === null ? {} : propertiesIn(current);
      const body = { name: documentName(file), metadata: { ...properties, ...metadataOf(folder, file) } };
      return await unlessGone(
        updateDocument(work, principal, id, body, signal).then(() => true),
        false,
      );
    },
    async remove(id) {
      const maker = { principal, actor: "folder", address: "local", requestId: null } as const;
      const change = { action: "document.deleted", targetId: id } as const;
      const removed = recordChange(work, maker, change, () => deleteDocument(work, principal, id));
      await unlessGone(removed, undefined);
    },
  };
  return target;
};

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
