import { ApiError } from "../domain/errors.ts";
import { notFound } from "../domain/ids.ts";
import { type DocumentRecord, externalIdOf, isUnfinished, type Principal } from "../domain/records.ts";
import { hashText } from "../ingest/index/analyzed-text.ts";
import { type Labels, relabelDocument } from "../ingest/index/publication.ts";
import { choosePartition, type PartitionChoice } from "../ingest/partition-choice.ts";
import { prepareDocument } from "../ingest/prepare/prepare-document.ts";
import { replaceDocument } from "../ingest/prepare/replace-document.ts";
import type { IngestWork } from "../ingest/work.ts";
import { findDocument } from "./document-records.ts";
import type { DocumentBody } from "./schema.ts";

/**
 * Changes the given fields of a document. A new text replaces the old one in one step, together with the other fields.
 * @returns the document, and its text where a new one was given
 * @throws ApiError document_not_found, partition_not_found, document_busy, quota_reached; ProviderError
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
    const { settle } = await work.quotas.reserve(principal, { documents: 0, bytes: Buffer.byteLength(text) });
    try {
      const replaced = await replaceText(work, principal, document, { text, labels, choice }, signal);
      return { document: replaced, text };
    } finally {
      // The old text has left: what is stored is measured again.
      settle(false);
    }
  }
  const changed = await claims.withPartition(principal, choice, () =>
    ingest.exclusively(principal, id, async () => {
      const current = await store.documents.get(principal, id);
      return current === null ? null : await relabelDocument(work, principal, current, labels);
    }),
  );
  if (changed === null) throw notFound("document_not_found");
  return { document: changed, text: null };
};

const stillWaiting = ({ status }: DocumentRecord): ApiError =>
  new ApiError(
    "document_busy",
    `The document is ${status}. Wait until it is processed, or cancel it, before you send another text.`,
  );

const replaceText = async (
  work: IngestWork,
  principal: Principal,
  document: DocumentRecord,
  { text, labels, choice }: { text: string; labels: Labels; choice: PartitionChoice },
  signal: AbortSignal,
): Promise<DocumentRecord> => {
  const { store, pipeline, ingest, claims } = work;
  const options = { tenant: principal, urgency: "interactive", characters: text.length, signal } as const;
  const steps = await prepareDocument(work, options);
  try {
    const read = await steps.read({ kind: "text", text });
    const indexed = await steps.index(read, labels.name ?? document.name);
    const publish = async () => {
      const replacement = { tenant: principal, documentId: document.id, indexed, signal };
      const deps = { store, pipeline, notify: ingest.notify };
      const replaced = await replaceDocument(deps, replacement, (current) => {
        if (isUnfinished(current)) throw stillWaiting(current);
        const metadata = labels.metadata === undefined ? current.metadata : labels.metadata;
        return {
          ...current,
          name: labels.name ?? current.name,
          metadata,
          externalId: externalIdOf(metadata),
          partitionId: labels.partitionId === undefined ? current.partitionId : labels.partitionId,
          warnings: [],
        };
      });
      if (replaced === null) throw notFound("document_not_found");
      return replaced.published;
    };
    return await claims.withPartition(principal, choice, () => ingest.exclusively(principal, document.id, publish));
  } finally {
    await steps.end();
  }
};
