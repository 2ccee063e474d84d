import { ApiError } from "../domain/errors.ts";
import { notFound } from "../domain/ids.ts";
import type { Principal } from "../domain/principal.ts";
import type { DocumentRecord } from "../domain/records.ts";
import { hashText } from "../ingest/index/analyzed-text.ts";
import { takeDocumentTurn } from "../ingest/work/document-turn.ts";
import { isUnfinished } from "../ingest/work/job.ts";
import { externalIdOf } from "../store/documents/document-writes.ts";
import { findDocument } from "./find-document.ts";
import type { IngestWork } from "./ingest/ingest-work.ts";
import { type Labels, relabel } from "./ingest/keep-unchanged.ts";
import { choosePartition, type PartitionChoice } from "./partition-choice.ts";
import type { DocumentBody } from "./schema.ts";

/**
 * Changes what is given of a document; nothing given, nothing changed. A new text replaces the old one at once, with
 * whatever else is given.
 * @returns the document, and its text where a new one was given
 * @throws ApiError document_not_found, partition_not_found, document_busy; ProviderError
 */
export const updateDocument = async (
  work: IngestWork,
  principal: Principal,
  id: string,
  body: DocumentBody,
  signal: AbortSignal,
): Promise<{ document: DocumentRecord; text: string | null }> => {
  const { store, ingest, claims } = work;
  const document = await findDocument(store, principal, id);
  // For a key limited to a partition, null is that partition: it cannot take a document out of it.
  const partitionId = body.partitionId === null ? principal.partitionId : body.partitionId;
  const labels: Labels = { name: body.name, metadata: body.metadata, partitionId };
  const choice: PartitionChoice =
    typeof partitionId === "string"
      ? await choosePartition(store, principal, { partitionId, partition: null })
      : { kind: "unnamed" };
  const { text } = body;
  if (text !== undefined && isUnfinished(document)) throw stillWaiting(document);
  if (text !== undefined && !(document.status === "processed" && document.textHash === hashText(text))) {
    const replaced = await replaceText(work, principal, document, { text, labels, choice }, signal);
    return { document: replaced, text };
  }
  const changed = await claims.withPartition(principal, choice, () =>
    ingest.exclusively(principal, id, async () => {
      const current = await store.documents.get(principal, id);
      return current === null ? null : await relabel(work, principal, current, labels);
    }),
  );
  if (changed === null) throw notFound("document_not_found");
  return { document: changed, text: null };
};

const stillWaiting = ({ status }: DocumentRecord): ApiError =>
  new ApiError(
    "document_busy",
    `The document is ${status}. Wait until it is processed, or cancel it, before giving it another text.`,
  );

const replaceText = async (
  { store, ingest, claims }: IngestWork,
  principal: Principal,
  document: DocumentRecord,
  { text, labels, choice }: { text: string; labels: Labels; choice: PartitionChoice },
  signal: AbortSignal,
): Promise<DocumentRecord> => {
  const turn = await takeDocumentTurn(ingest, principal.organizationId, "interactive", text.length, signal);
  try {
    const read = await ingest.pipeline.read({ kind: "text", text }, signal);
    await turn.beforeIndexing(read);
    const indexed = await ingest.pipeline.index(
      { text: read.text, pages: read.pages, name: labels.name ?? document.name },
      signal,
      { owner: { tenant: principal, document } },
    );
    turn.beforePublishing(indexed);
    const publish = async () => {
      const current = await store.documents.get(principal, document.id);
      if (current === null) throw notFound("document_not_found");
      if (isUnfinished(current)) throw stillWaiting(current);
      signal.throwIfAborted();
      const metadata = labels.metadata === undefined ? current.metadata : labels.metadata;
      const published = await ingest.pipeline.publish(
        {
          ...current,
          name: labels.name ?? current.name,
          metadata,
          externalId: externalIdOf(metadata),
          partitionId: labels.partitionId === undefined ? current.partitionId : labels.partitionId,
          warnings: [],
        },
        indexed,
        signal,
      );
      ingest.tell(published.id, published);
      return published;
    };
    return await claims.withPartition(principal, choice, () => ingest.exclusively(principal, document.id, publish));
  } finally {
    turn.end();
  }
};
