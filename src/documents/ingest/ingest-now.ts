import type { Principal } from "../../domain/principal.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import { hashText } from "../../ingest/index/analyzed-text.ts";
import type { IndexedText } from "../../ingest/index/index-text.ts";
import { nameOfSource } from "../../ingest/names.ts";
import type { ReadText } from "../../ingest/read-source.ts";
import { takeDocumentTurn } from "../../ingest/work/document-turn.ts";
import type { Urgency } from "../../ingest/work/turns.ts";
import { externalIdOf } from "../../store/documents/document-writes.ts";
import type { Ingested, IngestPlan } from "./ingest.ts";
import type { IngestWork } from "./ingest-work.ts";
import { keepUnchanged } from "./keep-unchanged.ts";
import { newDocument, sourceFields } from "./new-document.ts";

/**
 * Reads, indexes and publishes a document in one go. Until the last step nothing is stored, so that a failure leaves
 * nothing behind.
 */
export const ingestNow = async (
  work: IngestWork,
  principal: Principal,
  plan: IngestPlan,
  urgency: Urgency,
  signal: AbortSignal,
): Promise<Ingested> => {
  const { source } = plan.request;
  const { ingest } = work;
  const length = source.kind === "text" ? source.text.length : 0;
  const turn = await takeDocumentTurn(ingest, principal.organizationId, urgency, length, signal);
  let read: ReadText | null = null;
  let isTaken = false;
  try {
    const text = await ingest.pipeline.read(source, signal);
    read = text;
    const publish = async (): Promise<Ingested> => {
      await turn.beforeIndexing(text);
      const toIndex = { text: text.text, pages: text.pages, name: plan.request.name ?? undefined };
      const indexed = await ingest.pipeline.index(toIndex, signal, {
        owner: { tenant: principal, document: plan.existing },
        isPatient: urgency === "background",
      });
      turn.beforePublishing(indexed);
      const document = await store(work, principal, plan, text, indexed, signal);
      // The store takes a file over where the record did not name it yet, or where a finished document is replaced.
      isTaken = document.blobHash !== plan.existing?.blobHash || plan.existing.status === "processed";
      return { document, text: text.text, unchanged: false, takesFile: isTaken && source.kind === "file" };
    };
    if (!plan.request.upsert) return await publish();
    return await unlessKnown(work, principal, plan, hashText(text.text), publish);
  } finally {
    turn.end();
    if (read?.putsBlob && read.blobHash !== null && !isTaken) await work.store.blobs.release(read.blobHash);
  }
};

/** Publishes unless a document has this text already: the one of the external id, or without one any of the partition. */
const unlessKnown = async (
  work: IngestWork,
  principal: Principal,
  plan: IngestPlan,
  textHash: string,
  publish: () => Promise<Ingested>,
): Promise<Ingested> => {
  const { existing, request } = plan;
  if (request.externalId !== null) {
    const isKnown = existing?.status === "processed" && existing.textHash === textHash;
    return (isKnown ? await keepUnchanged(work, principal, existing, plan) : null) ?? (await publish());
  }
  return await work.contentLock(JSON.stringify([principal.organizationId, textHash]), async () => {
    const known = await findByContent(work, principal, plan, textHash);
    return (known === null ? null : await keepUnchanged(work, principal, known, plan)) ?? (await publish());
  });
};

/** The processed document of the same partition with this text. */
export const findByContent = async (
  { store }: Pick<IngestWork, "store">,
  principal: Principal,
  { choice }: IngestPlan,
  textHash: string,
): Promise<DocumentRecord | null> => {
  const partition = choice.kind === "byName" ? await store.partitions.getByName(principal, choice.name) : null;
  const partitionId = choice.kind === "existing" ? choice.id : (partition?.id ?? null);
  if (choice.kind === "byName" && partitionId === null) return null;
  return await store.documents.getByTextHash(principal, textHash, partitionId);
};

const store = async (
  work: IngestWork,
  principal: Principal,
  plan: IngestPlan,
  read: ReadText,
  indexed: IndexedText,
  signal: AbortSignal,
): Promise<DocumentRecord> => {
  const { request, choice, existing } = plan;
  const { ingest, claims } = work;
  const origin = sourceFields(request.source, request.mimeType);
  const labels = {
    ...origin,
    name: request.name ?? nameOfSource(origin, read),
    mimeType: read.mimeType ?? origin.mimeType,
    warnings: read.warnings,
    blobHash: read.blobHash,
  };
  return await claims.withPartition(principal, choice, async (partitionId) => {
    const create = () => {
      signal.throwIfAborted();
      const document = newDocument(principal, request, labels.name);
      return ingest.pipeline.publish({ ...document, ...labels, partitionId }, indexed, signal);
    };
    if (existing === null) return await create();
    return await ingest.exclusively(principal, existing.id, async () => {
      const current = await work.store.documents.get(principal, existing.id);
      if (current === null) return await create();
      signal.throwIfAborted();
      const replaced: DocumentRecord = {
        ...current,
        ...labels,
        metadata: request.metadata,
        externalId: externalIdOf(request.metadata),
        partitionId: choice.kind === "unnamed" ? current.partitionId : partitionId,
      };
      const document = await ingest.pipeline.publish(replaced, indexed, signal);
      ingest.tell(document.id, document);
      return document;
    });
  });
};
