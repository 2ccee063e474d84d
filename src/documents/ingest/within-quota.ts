import type { Principal } from "../../domain/principal.ts";
import type { Usage } from "../../limits/usage.ts";
import type { Ingested, IngestPlan } from "./ingest-plan.ts";
import type { IngestWork } from "./ingest-work.ts";

export const textAmount = (text: string): Usage => ({ documents: 1, bytes: Buffer.byteLength(text) });

/** Ingests if there is room for the document. @throws ApiError quota_reached, and what the work throws */
export const withinQuota = async (
  work: IngestWork,
  principal: Principal,
  plan: IngestPlan,
  ingest: () => Promise<Ingested>,
): Promise<Ingested> => {
  const { settle } = await work.quotas.reserve(principal, await amountOf(work, principal, plan));
  let isStored = false;
  try {
    const ingested = await ingest();
    isStored = !ingested.unchanged && plan.existing === null;
    return ingested;
  } finally {
    settle(isStored);
  }
};

/** What the source adds, as far as it is known before it is read. */
const amountOf = async (
  { store }: IngestWork,
  { keyId }: Principal,
  { request: { source }, existing }: IngestPlan,
): Promise<Usage> => {
  const documents = existing === null ? 1 : 0;
  // Callers on the operator's socket have no limits.
  if (keyId === null) return { documents, bytes: 0 };
  if (source.kind === "text") return { documents, bytes: Buffer.byteLength(source.text) };
  if (source.kind === "file") return { documents, bytes: (await store.blobs.size(source.blobHash)) ?? 0 };
  return { documents, bytes: 0 };
};
