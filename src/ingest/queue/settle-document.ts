import { ProviderError } from "../../../providers/contract.ts";
import type { KeyedMutex } from "../../async/keyed-mutex.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Tenant } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import { toApiError } from "../../models/model-failure.ts";
import type { Store } from "../../store/contract.ts";
import { isOutOfFiles } from "../../system/faults.ts";
import { hashText } from "../index/analyzed-text.ts";
import { relabelDocument } from "../index/publication.ts";
import type { Watchers } from "../prepare/replace-document.ts";
import { type ReadText, withProperties } from "../prepare/source.ts";

/** Attempts before a document is failed: with the pauses below, more than two hours of an outage. */
export const maxAttempts = 30;
/** An address that does not answer is more likely wrong than down: the document fails soon. */
const maxFetchAttempts = 3;
/** A file that reaches the parser's time limit once mostly does so again. */
const maxParserTimeouts = 2;
const firstPauseMs = 1_000;
const maxPauseMs = 300_000;

/** The attempts that a failure of this kind allows; 1 where another attempt cannot help. */
const attemptsAllowed = (error: unknown): number => {
  if (error instanceof ProviderError) {
    if (error.kind === "too_long" || error.kind === "aborted") return 1;
    if (error.service !== "parser") return maxAttempts;
    if (error.kind === "timeout") return maxParserTimeouts;
    return error.kind === "bad_answer" && (error.status ?? 500) < 500 ? 1 : maxAttempts;
  }
  if (isOutOfFiles(error)) return maxAttempts;
  if (!(error instanceof ApiError)) return 1;
  if (error.code === "fetch_timeout") return maxFetchAttempts;
  // With a cause there was no answer at all; without one the other server answered with an error.
  if (error.code === "fetch_failed" && error.cause !== undefined) return maxFetchAttempts;
  if (error.code === "storage_unavailable") return maxAttempts;
  return 1;
};

/**
 * The pause before the next attempt at failed work.
 * @param attempts attempts before this one
 * @param random in [0, 1): spreads documents that failed together
 * @returns milliseconds; null where the failure is final
 */
export const pauseBeforeRetry = (error: unknown, attempts: number, random: number): number | null => {
  if (attempts + 1 >= attemptsAllowed(error)) return null;
  const backoff = Math.min(firstPauseMs * 2 ** attempts, maxPauseMs);
  const requested = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(Math.max(backoff, requested), maxPauseMs) * (0.75 + random / 4);
};

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
    const fields = {
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
    } as const;
    const labels = { metadata: withProperties(current.metadata, read) };
    const kept = await relabelDocument({ store }, tenant, current, labels, { fields });
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
