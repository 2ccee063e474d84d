import type { Chat, DocumentRecord, NewSnippet, Tenant } from "../../src/domain/records.ts";

export const tenantOf = (organizationId = "organization-1", partitionId: string | null = null): Tenant => ({
  organizationId,
  partitionId,
});

export const sampleChat = (change: Partial<Chat> = {}): Chat => ({
  id: Bun.randomUUIDv7(),
  organizationId: "organization-1",
  name: "New chat",
  title: null,
  userId: "user",
  documentId: null,
  partitionId: null,
  public: false,
  logoUrl: null,
  brandSettings: { colour: "#fff", nested: { a: [1] } },
  createdAt: Date.now(),
  named: false,
  ...change,
});

/** A processed text document; its revision is new each time. */
export const sampleDocument = (change: Partial<DocumentRecord> = {}): DocumentRecord & { revision: string } => ({
  id: Bun.randomUUIDv7(),
  organizationId: "organization-1",
  partitionId: null,
  name: "Handbook",
  addedByUserId: "user-1",
  createdAt: Date.now(),
  updatedAt: Date.now(),
  sourceKind: "text",
  originalUrl: null,
  mimeType: "text/plain",
  declaredMimeType: null,
  metadata: null,
  externalId: null,
  tokens: 3,
  status: "processed",
  error: null,
  errorReason: null,
  warnings: [],
  textHash: null,
  blobHash: null,
  attempts: 0,
  nextAttemptAt: null,
  begun: 0,
  progress: { pages: 0, chunks: 0, embedded: 0 },
  ...change,
  revision: change.revision ?? Bun.randomUUIDv7(),
});

/** Deterministic vectors in all directions. */
export const sampleVector = (seed: number, dimensions = 8): Float32Array =>
  Float32Array.from({ length: dimensions }, (_, index) => Math.sin(seed * 12.9898 + index * 78.233));

/** One snippet a text, in order; terms are the words of the text. */
export const sampleSnippets = (
  document: DocumentRecord & { revision: string },
  indexIds: readonly string[],
  texts: readonly string[],
  vectorOf: (position: number) => Float32Array | null = sampleVector,
): NewSnippet[] =>
  texts.map((text, position) => ({
    id: Bun.randomUUIDv7(),
    organizationId: document.organizationId,
    documentId: document.id,
    partitionId: document.partitionId,
    revision: document.revision,
    position,
    text,
    context: "",
    headings: ["Chapter"],
    page: 1,
    start: 0,
    end: text.length,
    terms: text,
    headingTerms: "chapter",
    titleTerms: document.name.toLowerCase(),
    vectors: new Map(indexIds.map((id) => [id, vectorOf(position)])),
  }));
