import { ApiError } from "../domain/errors.ts";
import { notFound } from "../domain/ids.ts";
import {
  type DocumentRecord,
  type DocumentStatus,
  type Principal,
  type Tenant,
  waitingFields,
} from "../domain/records.ts";
import { type Source, storedSource } from "../ingest/prepare/source.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Store } from "../store/contract.ts";
import { readAnswerText, type TextCount } from "./answer-texts.ts";
import { findDocument } from "./document-records.ts";

interface QueueDependencies {
  store: Store;
  ingest: IngestQueue;
}

/**
 * Has a failed document processed again.
 * @throws ApiError document_not_found; document_busy where it is not failed
 */
export const retryDocument = (deps: QueueDependencies, tenant: Tenant, id: string): Promise<DocumentRecord> =>
  changeInQueue(deps, tenant, id, {
    from: ["failed"],
    rule: "Only a failed document can be retried",
    refusesRunning: true,
    to: async () => ({ fields: waitingFields }),
  });

/**
 * Cancels a waiting document: it is `failed` with the error `cancelled`, and can be retried.
 * @throws ApiError document_not_found; document_busy where it is not waiting
 */
export const cancelDocument = (deps: QueueDependencies, tenant: Tenant, id: string): Promise<DocumentRecord> =>
  changeInQueue(deps, tenant, id, {
    from: ["pending"],
    rule: "Only a pending document can be canceled",
    refusesRunning: true,
    to: async () => ({ fields: { status: "failed", error: "cancelled", nextAttemptAt: null } }),
  });

/** A change of a document's state in the queue. */
interface QueueChange {
  /** The states that it may be in. */
  from: readonly DocumentStatus[];
  /** What is told where it is in another state. */
  rule: string;
  /** Whether a job under way refuses the change whatever the record says: it may not have been marked yet. */
  refusesRunning: boolean;
  /** Made from the record as it is now, while nothing else writes under the document. */
  to(current: DocumentRecord): Promise<{ fields: Partial<DocumentRecord>; pendingText?: string }>;
}

/**
 * Changes a document's state; one that is `pending` afterwards is processed. It is stored when the promise resolves.
 * @throws ApiError document_not_found; document_busy; what `to` throws, and then nothing is changed
 */
const changeInQueue = async (
  { store, ingest }: QueueDependencies,
  tenant: Tenant,
  id: string,
  { from, rule, refusesRunning, to }: QueueChange,
): Promise<DocumentRecord> => {
  const check = ({ status }: Pick<DocumentRecord, "status">): void => {
    if (!from.includes(status)) throw new ApiError("document_busy", `${rule}; this one is ${status}.`);
  };
  check(await findDocument(store, tenant, id));
  if (refusesRunning && ingest.isRunning(id)) check({ status: "processing" });
  return await ingest.exclusively(tenant, id, async () => {
    const current = await store.documents.get(tenant, id);
    if (current === null) throw notFound("document_not_found");
    check(current);
    const { fields, pendingText } = await to(current);
    const changed = await store.documents.patch(tenant, id, { ...fields, updatedAt: Date.now() }, pendingText);
    if (changed === null) throw notFound("document_not_found");
    ingest.notify(id, changed);
    if (changed.status === "pending") ingest.enqueue({ id, organizationId: changed.organizationId });
    return changed;
  });
};

type Work = Pick<IngestWork, "store" | "ingest" | "quotas">;

/**
 * Has a document read again from where it came from, with the parser and the settings of today: its stored file, its
 * address, or its text. What it holds now is found until the new content is published, and stays where reading fails.
 * It is cut and embedded again even where its text turns out to be the same.
 * @param held counts the text of a document that came as text
 * @returns the document, which waits for its turn
 * @throws ApiError document_not_found; document_busy where it is waiting or being read; file_not_found or no_text where
 *   there is nothing left to read; quota_reached; overloaded
 */
export const rereadDocument = (
  work: Work,
  principal: Principal,
  id: string,
  held: TextCount,
): Promise<DocumentRecord> =>
  changeInQueue(work, principal, id, {
    from: ["processed", "failed"],
    rule: "A document can be read again once it is processed or has failed",
    refusesRunning: false,
    async to(current) {
      // What is at an address now may be larger than what was there; nothing is known of it yet that could be reserved.
      (await work.quotas.reserve(principal, { documents: 0, bytes: 0 })).settle(false);
      const source = await sourceToRead(work, current, held);
      return {
        fields: {
          ...waitingFields,
          // Otherwise an address or file with the text of before would end the work before it is cut anew.
          textHash: null,
          progress: { pages: 0, chunks: 0, embedded: 0 },
        },
        ...(source.kind === "text" ? { pendingText: source.text } : {}),
      };
    },
  });

/** What is read, as it is looked up when the document's turn comes. @throws ApiError file_not_found, no_text, overloaded */
const sourceToRead = async ({ store }: Work, current: DocumentRecord, held: TextCount): Promise<Source> => {
  const { documents, blobs } = store;
  const source = await storedSource(
    {
      documents: {
        async getPendingText(record) {
          // A failed replacement waits with its own text; that of a finished one may be about to be removed.
          const waiting = record.status === "processed" ? null : await documents.getPendingText(record);
          return waiting ?? (await readAnswerText(store, record, held));
        },
      },
    },
    current,
  );
  if (source.kind === "file" && !(await hasFile(blobs, source.blobHash)))
    throw new ApiError("file_not_found", "The document's file is gone. Upload it again.");
  return source;
};

const hasFile = async ({ open }: Work["store"]["blobs"], hash: string): Promise<boolean> => {
  const file = await open(hash);
  await file?.stream.cancel();
  return file !== null;
};
