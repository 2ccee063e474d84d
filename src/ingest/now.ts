import { type DocumentRecord, externalIdOf, type Principal } from "../domain/records.ts";
import { hashText, type Urgency } from "./index/analyzed-text.ts";
import type { IndexedText } from "./index/index-text.ts";
import { keepUnchanged, newDocument, publishUnlessStored, sourceFields } from "./new-document.ts";
import { prepareDocument } from "./prepare/prepare-document.ts";
import { replaceDocument } from "./prepare/replace-document.ts";
import { nameOfSource, type ReadText, withProperties } from "./prepare/source.ts";
import type { Ingested, IngestPlan } from "./request.ts";
import type { IngestWork } from "./work.ts";

/**
 * Reads, indexes and publishes a document in one go. Nothing is stored until the last step, so that a failure leaves
 * nothing behind.
 */
export const ingestNow = async (
  work: IngestWork,
  principal: Principal,
  plan: IngestPlan,
  urgency: Urgency,
  signal: AbortSignal,
): Promise<Ingested> => {
  const { request, existing } = plan;
  const { source } = request;
  const characters = source.kind === "text" ? source.text.length : 0;
  const options = { tenant: principal, urgency, characters, signal };
  const steps = await prepareDocument(work, options);
  try {
    const read = await steps.read(source);
    const publish = async (): Promise<Ingested> => {
      const indexed = await steps.index(read, request.name ?? undefined);
      const document = await publishIngested(work, principal, plan, read, indexed, signal);
      // The store takes the file where the record did not have it yet, or where a finished document is replaced.
      const takesBlob = document.blobHash !== existing?.blobHash || existing.status === "processed";
      if (takesBlob) steps.keepBlob();
      return { document, text: read.text, unchanged: false, takesFile: takesBlob && source.kind === "file" };
    };
    if (!request.upsert) return await publish();
    return await unlessKnown(work, principal, plan, hashText(read.text), publish);
  } finally {
    await steps.end();
  }
};

/** Publishes unless this text is stored already: under the external id, or without one anywhere in the partition. */
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
  return await publishUnlessStored(work, principal, plan, { textHash }, publish);
};

const publishIngested = async (
  work: IngestWork,
  principal: Principal,
  { request, choice, existing }: IngestPlan,
  read: ReadText,
  indexed: IndexedText,
  signal: AbortSignal,
): Promise<DocumentRecord> => {
  const { store, pipeline, ingest, claims } = work;
  const origin = sourceFields(request.source, request.mimeType);
  const fields = {
    ...origin,
    name: request.name ?? nameOfSource(origin, read),
    mimeType: read.mimeType ?? origin.mimeType,
    warnings: read.warnings,
    blobHash: read.blobHash,
  };
  const metadata = withProperties(request.metadata, read);
  return await claims.withPartition(principal, choice, async (partitionId) => {
    const create = () => {
      signal.throwIfAborted();
      const document = { ...newDocument(principal, request, fields.name), ...fields, metadata, partitionId };
      return pipeline.publish(document, indexed, signal);
    };
    if (existing === null) return await create();
    return await ingest.exclusively(principal, existing.id, async () => {
      const replacement = { tenant: principal, documentId: existing.id, indexed, signal };
      const deps = { store, pipeline, notify: ingest.notify };
      const replaced = await replaceDocument(deps, replacement, (current) => ({
        ...current,
        ...fields,
        metadata,
        externalId: externalIdOf(request.metadata),
        partitionId: choice.kind === "unnamed" ? current.partitionId : partitionId,
      }));
      return replaced?.published ?? (await create());
    });
  });
};
