import { basename } from "node:path";
import { recordChange } from "../audit/record-change.ts";
import { deleteDocument } from "../documents/delete-document.ts";
import { ingestDocument } from "../documents/ingest/ingest.ts";
import { readIngestRequest } from "../documents/ingest/ingest-request.ts";
import type { IngestWork } from "../documents/ingest/ingest-work.ts";
import { unlessGone } from "../documents/unless-gone.ts";
import { updateDocument } from "../documents/update-document.ts";
import type { Principal } from "../domain/principal.ts";
import { externalIdOfFile, idOfFolder } from "./file-identity.ts";
import { documentName, type FolderDocument, type FolderTarget, metadataOf, readFolderDocument } from "./target.ts";

export interface StoreTargetOptions {
  work: IngestWork;
  /** Owner of the documents. */
  principal: Principal;
  /** Absolute. */
  folder: string;
  partition: string | null;
  maxDocumentBytes: number;
}

const pageSize = 500;

/**
 * Puts documents into this process's own store. Files are stored at once and processed later: one that cannot be parsed
 * becomes a failed document that says why.
 */
export const createStoreTarget = (options: StoreTargetOptions): FolderTarget => {
  const { work, principal, folder, partition, maxDocumentBytes } = options;
  const { store } = work;

  return {
    async list(signal) {
      const wanted = partition === null ? null : ((await store.partitions.getByName(principal, partition))?.id ?? "");
      const found: FolderDocument[] = [];
      for (let skip = 0; ; skip += pageSize) {
        signal.throwIfAborted();
        const filter = { metadata: { folder: idOfFolder(folder) } };
        const { items } = await store.documents.list(principal, filter, { limit: pageSize, skip, sortOrder: "asc" });
        for (const item of items) {
          const document = readFolderDocument(folder, item);
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
        const name = basename(file.absolutePath).toWellFormed();
        const request = readIngestRequest(
          {
            name: documentName(file),
            metadata: metadataOf(folder, file),
            upsert: true,
            ...(partition === null ? {} : { partition }),
          },
          { name, mimeType: null, hash, bytes, take: () => {} },
        );
        const { document, takesFile } = await ingestDocument(work, principal, request, "later", signal);
        isTaken = takesFile;
        return { stored: true, documentId: document.id, status: document.status };
      } finally {
        if (!isTaken) await store.blobs.release(hash);
      }
    },
    async move(id, file, signal) {
      const taken = await store.documents.getByExternalId(principal, externalIdOfFile(file.absolutePath));
      if (taken !== null) return false;
      const body = { name: documentName(file), metadata: metadataOf(folder, file) };
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
};
