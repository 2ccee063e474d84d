/**
 * What a scope means, route by route: the rules that test/contract/key-matrix.test.ts holds every route against. A
 * route without a rule fails there: say here what its id and its scope fields name.
 */

/** Whose the named record is: of the limited key's partition, of another one, of another organization. */
export type Place = "own" | "other" | "foreign";

export interface World {
  /** Its documents hold this word. */
  word: string;
  partitionId: string;
  partition: string;
  documentId: string;
  /** A document that was deleted, which a webhook tells of. */
  deletedId: string;
}

export type RecordKind =
  | "document"
  | "chat"
  | "message"
  | "partition"
  | "key"
  | "delivery"
  | "receipt"
  | "feedback"
  | "model";
export type FieldKind = "partitionId" | "partition" | "documentId";

interface Rule {
  /** What `:id` names. */
  id?: RecordKind;
  /** Fields of the body or query that name a scope, and what they name. */
  scope?: Record<string, FieldKind>;
  /**
   * Fields of the body that name a record which must be seen, `a.b` one of an object: each alone is tried with records of
   * every place. The first is sent where nothing else is tried.
   */
  records?: Record<string, RecordKind>;
  /** Lowest role that may do it to a record of somebody else, where those below may do it to their own alone. */
  othersBy?: "writer" | "admin";
  /** What else the body needs. `world`: whose record `:id` names. */
  body?(world: World, unique: string): object;
  /** What else the query needs. */
  query?: Record<string, string>;
  /** The body is NDJSON, its lines as this says. */
  lines?: boolean;
  /** Status of `""` for a key that is not limited; else 404, or 400 for a partition's name. */
  empty?: number;
  /** Status of a call that is allowed; 200 where not given. */
  status?: number;
  /** Fields that only look as if they named a scope, and why they do not. */
  harmless?: Record<string, string>;
}

const ingest = (_world: World, unique: string): object => ({ name: `N ${unique}`, text: `Something about ${unique}.` });
const ask = (): object => ({ query: "Where does the bird nest?" });
const place = { partitionId: "partitionId", partition: "partition" } as const;
const scope = { partitionId: "partitionId", documentId: "documentId" } as const;
const site = "SITE";

export const rules: Record<string, Rule> = {
  "POST /api/ingest": { scope: place, body: ingest },
  "POST /api/ingest/batch": { scope: place, body: ingest, lines: true },
  "GET /api/document": { scope: { partitionId: "partitionId" } },
  "GET /api/document/:id": { id: "document" },
  "PUT /api/document/:id": { id: "document", scope: { partitionId: "partitionId" } },
  "DELETE /api/document/:id": { id: "document" },
  "GET /api/document/:id/text": { id: "document" },
  "GET /api/document/:id/file": { id: "document" },
  "GET /api/document/:id/snippets": { id: "document" },
  "GET /api/document/:id/events": { id: "document" },
  "POST /api/document/:id/retry": { id: "document" },
  "POST /api/document/:id/reread": { id: "document", status: 202 },
  "POST /api/document/:id/cancel": { id: "document" },
  "POST /api/scanPageContent": { scope: place, body: (_world, unique) => ({ url: `${site}/page/${unique}` }) },
  "POST /api/scanSitemap": {
    scope: place,
    body: (_world, unique) => ({ rootDomain: `${site}/sitemap/${unique}.xml` }),
  },
  "POST /api/query": { scope, body: ask },
  "POST /api/search": { scope, body: ask },
  "POST /api/chat": { scope, body: () => ({ public: true }) },
  "GET /api/chat": {},
  "GET /api/chat/:id": { id: "chat" },
  "PUT /api/chat/:id": { id: "chat", scope },
  "POST /api/chat/:id": { id: "chat", scope },
  "DELETE /api/chat/:id": { id: "chat" },
  "POST /api/chat/:id/message": { id: "chat", body: () => ({ message: "Where does the bird nest?" }) },
  "POST /api/chat/:id/public": { id: "chat", body: () => ({ message: "Where does the bird nest?" }) },
  "POST /api/chat/:id/private": { id: "chat", body: () => ({ message: "Where does the bird nest?" }) },
  "POST /api/partition": { body: ({ partition }) => ({ name: partition }) },
  "GET /api/partition": {},
  "GET /api/partition/search": { query: { searchValue: "a" } },
  "GET /api/partition/:id": { id: "partition" },
  "PUT /api/partition/:id": { id: "partition", body: ({ partition }) => ({ name: partition }) },
  "DELETE /api/partition/:id": {
    id: "partition",
    harmless: { documents: "`delete` or `detach`: what becomes of the partition's own documents" },
  },
  "POST /api/key": { scope: { partitionId: "partitionId" }, body: (_world, unique) => ({ name: unique }) },
  "GET /api/key": {},
  "DELETE /api/key/:id": { id: "key" },
  "GET /api/session": {},
  "DELETE /api/session": {},
  "GET /api/embedder": {},
  "POST /api/backup": { status: 409 }, // no target is set
  "GET /api/backup": {},
  "GET /api/settings": {},
  "GET /api/settings/storage": {},
  "GET /api/settings/answer-model": {},
  "POST /api/settings/try": { body: () => ({ part: "answer" }) },
  "GET /api/doctor": {},
  "POST /api/check": {},
  "GET /api/webhook/delivery": { scope: { documentId: "documentId" }, empty: 200 },
  "POST /api/webhook/delivery/:id/replay": { id: "delivery" },
  "GET /api/audit": {},
  "GET /api/export": {},
  "POST /api/import": {
    lines: true,
    body: ({ partitionId, partition }) => ({
      kind: "partition",
      record: { id: partitionId, name: partition, createdAt: "2026-01-01T00:00:00.000Z" },
    }),
  },
  "GET /metrics": {},
  "GET /v1/models": {},
  "POST /v1/chat/completions": {
    body: () => ({ model: "carrel", messages: [{ role: "user", content: "Where does the bird nest?" }] }),
  },
  "POST /v1/responses": { body: () => ({ model: "carrel", input: "Where does the bird nest?" }) },
  "GET /v1/models/:id": { id: "model" },
  "GET /api/receipt/:id": { id: "receipt" },
  "POST /api/feedback": {
    records: { receiptId: "receipt", messageId: "message", "expected.documentId": "document" },
    body: () => ({ rating: "down" }),
  },
  "GET /api/feedback": {},
  "DELETE /api/feedback/:id": { id: "feedback", othersBy: "writer" },
};
