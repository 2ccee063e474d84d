import type { KeyedMutex } from "../../async/keyed-mutex.ts";
import type { Tenant } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import { toApiError } from "../../models/api-error.ts";
import type { Store } from "../../store/contract.ts";
import { hashText } from "../index/analyzed-text.ts";
import type { ReadText } from "../read-source.ts";
import { pauseBeforeRetry } from "./retry.ts";
import type { Watchers } from "./watchers.ts";

export interface SettleDependencies extends Pick<Watchers, "notify"> {
  store: Store;
  /** Serializes what is written under one document. */
  lock: KeyedMutex;
  log: Logger;
}

/** The pause where not even the failure can be stored. */
const storePauseMs = 30_000;

/**
 * Ends the work on a document whose source has the same text as before: nothing is embedded.
 * @returns false where the document has another text by now, or is gone
 */
export const keepText = async (
  { store, lock, notify }: SettleDependencies,
  tenant: Tenant,
  id: string,
  read: ReadText,
  signal: AbortSignal,
): Promise<boolean> =>
  lock(id, async () => {
    signal.throwIfAborted();
    const current = await store.documents.get(tenant, id);
    if (current === null || current.revision === null || current.textHash !== hashText(read.text)) return false;
    const view = store.openSnippets();
    const scope = { documentId: id, partitionId: null, metadata: null };
    const { snippets: chunks } = await view.count(tenant, scope).finally(() => view.close());
    const kept = await store.documents.patch(tenant, id, {
      status: "processed",
      error: null,
      attempts: 0,
      nextAttemptAt: null,
      begun: 0,
      updatedAt: Date.now(),
      mimeType: read.mimeType ?? current.mimeType,
      warnings: read.warnings,
      ...(read.putsBlob ? { blobHash: read.blobHash } : {}),
      progress: { pages: read.pages.length, chunks, embedded: chunks },
    });
    if (kept !== null) notify(id, kept);
    return kept !== null;
  });

/** Makes a document whose processing was aborted `pending` again. */
export const putBack = async (
  { store, log }: Pick<SettleDependencies, "store" | "log">,
  tenant: Tenant,
  id: string,
): Promise<void> => {
  await store.documents
    .patch(tenant, id, { status: "pending", begun: 0 })
    .catch((error) => log.warn({ error, documentId: id }, "a document could not be put back into the queue"));
};

/**
 * Stores why an attempt failed.
 * @returns the pause in milliseconds before the next attempt; null where the failure is final
 */
export const settleFailure = async (
  { store, notify, log }: Pick<SettleDependencies, "store" | "notify" | "log">,
  tenant: Tenant,
  id: string,
  attempts: number,
  error: unknown,
): Promise<number | null> => {
  const pauseMs = pauseBeforeRetry(error, attempts, Math.random());
  const { code, message, reason } = toApiError(error);
  const fields = { documentId: id, code, attempts: attempts + 1, pauseMs, ...(code === "internal" ? { error } : {}) };
  log[code === "internal" ? "error" : "warn"](fields, `a document was not ingested: ${reason ?? message}`);
  const now = Date.now();
  try {
    const patched = await store.documents.patch(tenant, id, {
      status: pauseMs === null ? "failed" : "pending",
      error: pauseMs === null ? message : null,
      errorReason: pauseMs === null ? reason : null,
      attempts: attempts + 1,
      nextAttemptAt: pauseMs === null ? null : now + pauseMs,
      begun: 0,
      updatedAt: now,
    });
    if (patched !== null) notify(id, patched);
    return patched === null ? null : pauseMs;
  } catch (failure) {
    log.error({ error: failure, documentId: id }, "a failed document could not be written down");
    return storePauseMs;
  }
};
