import { ApiError } from "../domain/errors.ts";
import { type DocumentRecord, externalIdOf, isUnfinished, type Principal, type Tenant } from "../domain/records.ts";
import { relabelDocument } from "./index/publication.ts";
import { propertiesIn, type Source } from "./prepare/source.ts";
import type { Ingested, IngestPlan, IngestRequest } from "./request.ts";
import type { IngestWork } from "./work.ts";

type SourceFields = Pick<
  DocumentRecord,
  "sourceKind" | "originalUrl" | "mimeType" | "declaredMimeType" | "blobHash" | "warnings"
>;

/** The fields of a record about its source, before that is read. A text has the type its sender declared, or plain. */
export const sourceFields = (source: Source, mimeType: string | null): SourceFields => ({
  sourceKind: source.kind,
  originalUrl: source.kind === "url" || source.kind === "website" ? source.url : null,
  mimeType: source.kind === "text" ? (mimeType ?? "text/plain") : null,
  declaredMimeType: source.kind === "url" || source.kind === "file" ? source.declaredMimeType : mimeType,
  blobHash: source.kind === "file" ? source.blobHash : null,
  warnings: [],
});

/** A new `pending` document, without text or partition. */
export const newDocument = (principal: Principal, request: IngestRequest, name: string): DocumentRecord => {
  const now = Date.now();
  return {
    id: request.documentId ?? Bun.randomUUIDv7(),
    organizationId: principal.organizationId,
    partitionId: null,
    name,
    addedByUserId: principal.userId,
    createdAt: now,
    updatedAt: now,
    ...sourceFields(request.source, request.mimeType),
    metadata: request.metadata,
    externalId: externalIdOf(request.metadata),
    tokens: null,
    status: "pending",
    error: null,
    errorReason: null,
    revision: null,
    textHash: null,
    attempts: 0,
    nextAttemptAt: null,
    begun: 0,
    progress: { pages: 0, chunks: 0, embedded: 0 },
  };
};

/**
 * Ends an upsert whose content is stored already: nothing is embedded; name, metadata and partition change where they
 * are given.
 * @returns null where the document was removed meanwhile, or its text is damaged
 */
export const keepUnchanged = async (
  work: IngestWork,
  tenant: Tenant,
  existing: DocumentRecord,
  { request, choice }: IngestPlan,
): Promise<Ingested | null> =>
  work.claims.withPartition(tenant, choice, async (partitionId) => {
    const labels = {
      name: request.name ?? existing.name,
      metadata: request.metadata === null ? existing.metadata : { ...propertiesIn(existing), ...request.metadata },
      partitionId: choice.kind === "unnamed" ? existing.partitionId : partitionId,
    };
    const text = await soundText(work, existing);
    if (text === undefined) return null;
    const relabel = () => relabelDocument(work, tenant, existing, labels);
    // What its job is about to publish must not lose them. A job is only disturbed for labels that differ.
    const { name, metadata, partitionId: before } = existing;
    const isSame = Bun.deepEquals(labels, { name, metadata, partitionId: before });
    const isInWork = isUnfinished(existing) && !isSame;
    const document = isInWork ? await work.ingest.exclusively(tenant, existing.id, relabel) : await relabel();
    if (document === null) return null;
    return { document, text, unchanged: true, takesFile: false };
  });

/** @returns undefined where the stored text is damaged: what is sent takes its place */
const soundText = ({ store }: IngestWork, document: DocumentRecord): Promise<string | null | undefined> =>
  store.documents.getText(document).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "data_damaged") return undefined;
    throw error;
  });

/** What an upsert without an external id is known by: its text, or the bytes and the declared type of its file. */
type Content = { textHash: string } | { blobHash: string; declaredMimeType: string | null };

/**
 * For an upsert without an external id: `keepUnchanged` where a document of the same partition has this content, else
 * `publish`. A processed document counts; of a file, known before anybody reads it, also one that waits in the queue.
 */
export const publishUnlessStored = (
  work: IngestWork,
  tenant: Tenant,
  plan: IngestPlan,
  content: Content,
  publish: () => Promise<Ingested>,
): Promise<Ingested> => {
  const hash = "textHash" in content ? content.textHash : content.blobHash;
  return work.contentLock(JSON.stringify([tenant.organizationId, hash]), async () => {
    const partitionId = await chosenPartition(work, tenant, plan);
    const existing = partitionId === undefined ? null : await sameContent(work, tenant, content, partitionId);
    return (existing === null ? null : await keepUnchanged(work, tenant, existing, plan)) ?? (await publish());
  });
};

const sameContent = async (
  { store: { documents } }: IngestWork,
  tenant: Tenant,
  content: Content,
  partitionId: string | null,
): Promise<DocumentRecord | null> => {
  if ("textHash" in content) return await documents.getByTextHash(tenant, content.textHash, partitionId);
  const existing = await documents.getByFile(tenant, content.blobHash, partitionId);
  return existing?.declaredMimeType === content.declaredMimeType ? existing : null;
};

/** Null: no partition; undefined: one that does not exist yet. */
const chosenPartition = async (
  { store }: IngestWork,
  tenant: Tenant,
  { choice }: IngestPlan,
): Promise<string | null | undefined> => {
  if (choice.kind === "byName") return (await store.partitions.getByName(tenant, choice.name))?.id;
  return choice.kind === "existing" ? choice.id : null;
};
