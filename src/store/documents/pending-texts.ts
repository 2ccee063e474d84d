import { createHash } from "node:crypto";
import type { KeyedMutex } from "../../async/keyed-mutex.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import { equals } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { canonicalJson } from "../search/scope-filter.ts";
import { pendingTextId, type StoredText } from "./document-rows.ts";

/** Texts that documents are to be processed with. All but `read` is called while nothing else writes the document. */
export interface PendingTexts {
  /**
   * Stores a text in place of one that may wait already, and the record that it belongs to, as one step: after a crash
   * the document has its former record and text, or both new ones.
   * @param text null: the one that waits stays
   * @param writeRecord writes `after` in place of `before`
   */
  replace<T>(
    before: DocumentRecord,
    after: DocumentRecord,
    text: string | null,
    writeRecord: () => Promise<T>,
  ): Promise<T>;
  /** Brings a text to its place that could not be brought there when its record was written. */
  settle(document: DocumentRecord): Promise<void>;
  /** After a crash: takes over a staged text that came with the record, to be settled. */
  adopt(document: DocumentRecord, stagedId: string): void;
  read(document: DocumentRecord): Promise<string | null>;
  /** Not synced: after a power loss the next start removes it. */
  remove(document: DocumentRecord): Promise<void>;
  /** Whether every text is in its place. Where not, only the next start's reconciliation brings it there. */
  areSettled(): boolean;
}

/** The state of a document in which its pending text is read, or shown as its text. */
const isRead = ({ status, revision }: DocumentRecord): boolean => status !== "processed" || revision === null;

const separator = ":";

/**
 * Id of a text that becomes the pending text of a document when this record is stored. The same text may come with
 * another name or file: the id tells by which record it came.
 */
export const stagedTextId = (document: DocumentRecord): string => {
  const { name, metadata, partitionId, sourceKind, originalUrl, mimeType, blobHash, updatedAt } = document;
  const fields = { name, metadata, partitionId, sourceKind, originalUrl, mimeType, blobHash, updatedAt };
  const fingerprint = createHash("sha256").update(canonicalJson(fields)).digest("hex").slice(0, 32);
  return `${pendingTextId(document)}${separator}${fingerprint}`;
};

export const isStagedTextId = (id: string): boolean => id.includes(separator);

/**
 * @param serialize serializes the writes of each document
 * @param inBackground runs work for which nobody waits
 */
export const createPendingTexts = (
  texts: StoreTable<StoredText>,
  serialize: KeyedMutex,
  inBackground: (work: Promise<void>) => void,
): PendingTexts => {
  /** Staged texts whose record is stored, by document. */
  const unsettled = new Map<string, string>();

  const put = (id: string, { organizationId, id: documentId }: DocumentRecord, text: string): Promise<void> =>
    texts.upsert(documentId, [{ id, organizationId, documentId, text }]);

  const find = async (id: string): Promise<string | null> =>
    (await texts.find({ where: equals("id", id), limit: 1 }))[0]?.text ?? null;

  const settle: PendingTexts["settle"] = async (document) => {
    const staged = unsettled.get(document.id);
    if (staged === undefined) return;
    const text = await find(staged);
    if (text !== null) await put(pendingTextId(document), document, text);
    unsettled.delete(document.id);
    inBackground(texts.remove(document.id, "id", [staged], false));
  };

  return {
    settle,
    adopt: ({ id }, stagedId) => void unsettled.set(id, stagedId),
    areSettled: () => unsettled.size === 0,
    async replace(before, after, text, writeRecord) {
      if (text === null) {
        await settle(before); // under another record it could not be told which one the text came with
        return await writeRecord();
      }
      if (!isRead(before)) {
        await put(pendingTextId(before), before, text); // nobody reads it before the record says so
        return await writeRecord();
      }
      const staged = stagedTextId(after);
      await put(staged, before, text);
      let written: Awaited<ReturnType<typeof writeRecord>>;
      try {
        written = await writeRecord();
      } catch (error) {
        inBackground(texts.remove(before.id, "id", [staged], false));
        throw error;
      }
      unsettled.set(before.id, staged);
      // Text and record are on the disk: the change is made, even if the disk is too full for a copy.
      await settle(after).catch(() => undefined);
      return written;
    },
    async read(document) {
      if (unsettled.has(document.id)) await serialize(document.id, () => settle(document));
      return await find(pendingTextId(document));
    },
    async remove(document) {
      const staged = unsettled.get(document.id);
      unsettled.delete(document.id);
      const ids = [pendingTextId(document), ...(staged === undefined ? [] : [staged])];
      try {
        await texts.remove(document.id, "id", ids, false);
      } catch (error) {
        if (staged !== undefined && !unsettled.has(document.id)) unsettled.set(document.id, staged);
        throw error;
      }
    },
  };
};
