import type { DocumentRecord } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import type { Ages } from "./contract/keeping.ts";
import type { Store } from "./contract.ts";
import type { DamageRegister } from "./engine/damage.ts";
import type { MaintainedTables } from "./engine/maintained-tables.ts";
import type { StoreTable } from "./engine/store-table.ts";
import {
  createKeyLimitStore,
  createKeyStore,
  createOrganizationStore,
  createSessionStore,
  keyLimitRows,
  keyRows,
  organizationRows,
  partitionRows,
  sessionRows,
} from "./records/accounts.ts";
import { chatRows, messageRows } from "./records/chat-rows.ts";
import { createChatStore, createLeftMessagesSweep, createMessageStore } from "./records/chats.ts";
import { createDeliveryStore, deliveryRows } from "./records/deliveries.ts";
import { createGoneDocumentsSweeps, type IsKnownDocument } from "./records/gone-documents.ts";
import { createPartitionStore } from "./records/partitions.ts";
import {
  createFeedbackStore,
  createReceiptStore,
  createReceiptSweeps,
  feedbackRows,
  receiptRows,
} from "./records/receipts.ts";
import { auditRows, createAuditStore, createIdempotencyStore, idempotencyRows } from "./records/requests.ts";
import { createSitePageStore, sitePageRows } from "./records/site-pages.ts";

interface ResourceOptions {
  openTable: MaintainedTables["open"];
  documents: StoreTable<DocumentRecord>;
  isKnown: IsKnownDocument;
  /** A message was stored that cites a document that is gone: it has to be swept. */
  onGoneDocument(): Promise<void>;
  ages: Ages;
  damage: DamageRegister;
  log: Logger;
  /** Before the tables are closed. */
  onClose(close: () => Promise<void>): void;
}

export type OpenResources = Awaited<ReturnType<typeof openResources>>;

/** Opens the tables of all resources but documents. */
export const openResources = async (options: ResourceOptions) => {
  const { openTable, documents, isKnown, onGoneDocument, ages, damage, log, onClose } = options;
  const chats = await openTable(chatRows);
  const messages = await openTable(messageRows);
  const deliveries = await openTable(deliveryRows);
  const sitePages = await openTable(sitePageRows);
  const idempotency = await openTable(idempotencyRows);
  const receiptTable = await openTable(receiptRows);
  const feedback = await openTable(feedbackRows);
  const receipts = createReceiptStore(receiptTable, { chats, isKnown, ages, damage, log });
  onClose(receipts.close);
  const stores = {
    organizations: await createOrganizationStore(await openTable(organizationRows)),
    keys: await createKeyStore(await openTable(keyRows)),
    keyLimits: await createKeyLimitStore(await openTable(keyLimitRows)),
    sessions: await createSessionStore(await openTable(sessionRows), log),
    partitions: await createPartitionStore(await openTable(partitionRows), documents, damage),
    chats: createChatStore(chats, messages, damage),
    messages: createMessageStore(messages, { isKnown, onStale: onGoneDocument, damage }),
    idempotency: createIdempotencyStore(idempotency, ages),
    deliveries: createDeliveryStore(deliveries, isKnown, ages),
    sitePages: createSitePageStore(sitePages),
    audit: createAuditStore(await openTable(auditRows), ages),
    receipts,
    feedback: createFeedbackStore(feedback),
  } satisfies Partial<Store>;
  /** They remove from these tables what documents and chats that are gone have left there. */
  const sweeps = [
    ...createGoneDocumentsSweeps({ messages, deliveries, sitePages, idempotency, isKnown, ages }),
    createLeftMessagesSweep(chats, messages, damage),
    ...createReceiptSweeps(receipts.flush, { receipts: receiptTable, feedback, chats }, isKnown),
  ];
  return { stores, sweeps };
};
