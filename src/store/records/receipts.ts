import { type Feedback, feedbackReasons, type KeptReceipt, ratings } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import type { Ages } from "../contract/keeping.ts";
import type { FeedbackStore, ReceiptStore } from "../contract/records.ts";
import { documentRows } from "../documents/document-rows.ts";
import { isObject, isStrings } from "../engine/cells.ts";
import { boolean, float, json, nullableOneOf, nullableText, oneOf, text } from "../engine/columns.ts";
import type { DamageRegister } from "../engine/damage.ts";
import { allOf, equals, isOneOf, isVisibleTo, visibleTo } from "../engine/filters.ts";
import { byCreation } from "../engine/paging.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { defineTable } from "../engine/table-definition.ts";
import type { Sweep } from "../erasure/erasures.ts";
import { removeAged } from "./ages.ts";
import type { IsKnownDocument } from "./gone-documents.ts";

export const receiptRows = defineTable<KeptReceipt>({
  name: "receipts",
  key: "id",
  indexes: { id: "btree", messageId: "btree" },
  columns: {
    id: text,
    organizationId: text,
    partitionId: nullableText,
    chatId: nullableText,
    messageId: nullableText,
    thread: nullableText,
    documentIds: json(isStrings),
    question: text,
    trace: json(isObject),
    createdAt: float,
  },
});

export const feedbackRows = defineTable<Feedback>({
  name: "feedback",
  key: "id",
  indexes: { id: "btree" },
  columns: {
    id: text,
    organizationId: text,
    partitionId: nullableText,
    receiptId: nullableText,
    messageId: nullableText,
    chatId: nullableText,
    question: text,
    rating: oneOf(...ratings),
    reason: nullableOneOf(...feedbackReasons),
    comment: nullableText,
    expectedDocumentId: nullableText,
    expectedText: nullableText,
    isVisitor: boolean,
    createdAt: float,
  },
});

/**
 * Receipts are written together: one by one they would cost a question much of its time, and a constant stream of commits
 * would keep the table's upkeep from its own.
 */
const writeAfterMs = 5_000;
const maxWaiting = 256;
/** Rows removed in one commit. */
const pageRows = 1_000;

interface ReceiptStoreOptions {
  chats: StoreTable<{ id: string }>;
  isKnown: IsKnownDocument;
  ages: Ages;
  damage: Pick<DamageRegister, "reject">;
  log: Pick<Logger, "warn">;
}

/** Whether the receipt holds the content of a document that is gone. */
const isOfGone = ({ documentIds, organizationId }: KeptReceipt, isKnown: IsKnownDocument): boolean =>
  documentIds.some((id) => !isKnown(id, organizationId));

export const createReceiptStore = (
  table: StoreTable<KeptReceipt>,
  { chats, isKnown, ages, damage, log }: ReceiptStoreOptions,
): ReceiptStore & { flush(): Promise<void>; close(): Promise<void> } => {
  const waiting = new Map<string, KeptReceipt>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let writing: Promise<void> = Promise.resolve();

  const write = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const batch = [...waiting.values()];
    writing = writing
      .then(async () => {
        const kept = await withoutGone(batch);
        await table.add(
          kept.map(({ id }) => id),
          kept,
          false,
        );
      })
      .catch((error: unknown) => log.warn({ err: error }, "receipts could not be kept"))
      .then(() => {
        for (const { id } of batch) waiting.delete(id);
      });
  };
  /** A document or a chat may have been removed meanwhile; later ones are swept. */
  const withoutGone = async (receipts: readonly KeptReceipt[]): Promise<KeptReceipt[]> => {
    const named = [...new Set(present(receipts.map(({ chatId }) => chatId)))];
    const ids =
      named.length === 0 ? [] : await chats.scan(["id"], { where: isOneOf("id", named) }, (row) => row.string("id"));
    const known = new Set(ids);
    return receipts.filter((each) => !isOfGone(each, isKnown) && (each.chatId === null || known.has(each.chatId)));
  };
  const flush = async (): Promise<void> => {
    if (waiting.size > 0) write();
    await writing;
  };
  const find = async (
    tenant: Parameters<ReceiptStore["get"]>[0],
    column: "id" | "messageId",
    value: string,
  ): Promise<KeptReceipt | null> => {
    const early = [...waiting.values()].find(
      (receipt) => receipt[column] === value && (tenant === null || isVisibleTo(tenant)(receipt)),
    );
    const found =
      early ??
      (await table.find({ where: allOf(equals(column, value), tenant !== null && visibleTo(tenant)), limit: 1 }))[0];
    return found === undefined || isOfGone(found, isKnown) ? null : found;
  };

  return {
    add(receipt) {
      waiting.set(receipt.id, receipt);
      if (waiting.size >= maxWaiting) return write();
      timer ??= setTimeout(write, writeAfterMs);
    },
    async get(tenant, id) {
      const found = await find(tenant, "id", id);
      if (found === null)
        await damage.reject(table.definition.name, tenant?.organizationId ?? null, `The receipt ${id} is damaged`);
      return found;
    },
    ofMessage: (tenant, messageId) => find(tenant, "messageId", messageId),
    async removeOlder(ageMs) {
      while ((await removeAged(table, ages, ageMs, false)) > 0);
    },
    flush,
    close: flush,
  };
};

export const createFeedbackStore = (table: StoreTable<Feedback>): FeedbackStore => ({
  // What it replaces has to leave the disk.
  put: (feedback) => table.supersede(feedback.id, [feedback]),
  async list(tenant, { rating, since }, { limit, skip, sortOrder }) {
    const where = allOf(
      visibleTo(tenant),
      rating !== undefined && equals("rating", rating),
      since !== undefined && `"createdAt" >= ${Number(since)}`,
    );
    const [items, total] = await Promise.all([
      table.find({ where, orderBy: byCreation(sortOrder), limit, offset: skip }),
      table.count(where),
    ]);
    return { items, total };
  },
  ofIds: async (tenant, ids) =>
    ids.length === 0
      ? []
      : await table.find({ where: allOf(isOneOf("id", ids), tenant !== null && visibleTo(tenant)), limit: ids.length }),
  async remove(tenant, id) {
    const where = allOf(visibleTo(tenant), equals("id", id));
    if ((await table.count(where)) === 0) return false;
    await table.remove(id, "id", [id]);
    return true;
  },
});

/**
 * Remove receipts and feedback that name a document or a chat that is gone.
 * @param flush writes the receipts that wait: what comes later is looked at before it is written
 */
export const createReceiptSweeps = (
  flush: () => Promise<void>,
  tables: { receipts: StoreTable<KeptReceipt>; feedback: StoreTable<Feedback>; chats: StoreTable<{ id: string }> },
  isKnown: IsKnownDocument,
): Sweep[] => {
  const { receipts, feedback, chats } = tables;
  const removeAll = async (table: StoreTable<KeptReceipt> | StoreTable<Feedback>, ids: readonly string[]) => {
    for (let start = 0; start < ids.length; start += pageRows) {
      const page = ids.slice(start, start + pageRows);
      await table.remove(page, "id", page);
    }
  };
  const sweepDocuments = async (): Promise<void> => {
    await flush();
    const columns = ["id", "organizationId", "documentIds"];
    const ofReceipts = await receipts.scan(columns, {}, (row) => {
      const ids: unknown = JSON.parse(row.string("documentIds"));
      const isGone = isStrings(ids) && ids.some((id) => !isKnown(id, row.string("organizationId")));
      return isGone ? row.string("id") : null;
    });
    const ofFeedback = await feedback.scan(["id", "organizationId", "expectedDocumentId"], {}, (row) => {
      const id = row.nullableString("expectedDocumentId");
      return id !== null && !isKnown(id, row.string("organizationId")) ? row.string("id") : null;
    });
    await removeAll(receipts, present(ofReceipts));
    await removeAll(feedback, present(ofFeedback));
  };
  const sweepChats = async (): Promise<void> => {
    await flush();
    const where = "chatId IS NOT NULL";
    const named = (table: StoreTable<KeptReceipt> | StoreTable<Feedback>) =>
      table.scan(["id", "chatId"], { where }, (row) => ({ id: row.string("id"), chatId: row.string("chatId") }));
    const found = { receipts: await named(receipts), feedback: await named(feedback) };
    if (found.receipts.length + found.feedback.length === 0) return;
    // Read after them: a chat is stored before its first message.
    const known = new Set(await chats.scan(["id"], {}, (row) => row.string("id")));
    const gone = (rows: typeof found.receipts) => rows.filter(({ chatId }) => !known.has(chatId)).map(({ id }) => id);
    await removeAll(receipts, gone(found.receipts));
    await removeAll(feedback, gone(found.feedback));
  };
  return [
    { after: documentRows.name, of: "receipts of removed documents", run: sweepDocuments },
    { after: "chats", of: "receipts of removed chats", run: sweepChats },
  ];
};

const present = (ids: readonly (string | null)[]): string[] => ids.filter((id) => id !== null);
