/**
 * The records of the store as the rest of Carrel sees them: plain objects, times in epoch milliseconds, ids UUIDv7
 * (a chat's may be the caller's own). What each field means to a client stands in the routes' schemas.
 */

export type Role = "reader" | "writer" | "admin";

/** Free-form JSON object. */
export type JsonObject = { [key: string]: unknown };

/**
 * Whose records a read or write may touch: the first argument of every call, so that none can forget it.
 * `partitionId` is set where the caller's key is limited to one partition: records elsewhere do not exist for it.
 */
export interface Tenant {
  readonly organizationId: string;
  readonly partitionId: string | null;
}

export interface Organization {
  id: string;
  name: string;
  createdAt: number;
}

export interface KeyRecord {
  id: string;
  organizationId: string;
  userId: string;
  name: string;
  role: Role;
  partitionId: string | null;
  /** SHA-256 of the key, hex. The key itself is stored nowhere. */
  hash: string;
  createdAt: number;
  expiresAt: number | null;
}

export interface Partition {
  id: string;
  organizationId: string;
  name: string;
  createdAt: number;
}

export type DocumentStatus = "pending" | "processing" | "processed" | "failed";

/** Where a document's text came from. */
export type SourceKind = "text" | "file" | "url" | "website";

export interface DocumentRecord {
  id: string;
  organizationId: string;
  partitionId: string | null;
  name: string;
  addedByUserId: string;
  createdAt: number;
  updatedAt: number;
  sourceKind: SourceKind;
  /** Address it came from; null for text and uploads. */
  originalUrl: string | null;
  mimeType: string | null;
  /** Type the caller declared at ingest. */
  declaredMimeType: string | null;
  metadata: JsonObject | null;
  /** `metadata.externalId` where it is a string: unique within the organization under `upsert`. */
  externalId: string | null;
  tokens: number | null;
  status: DocumentStatus;
  /** Why it failed; null otherwise. */
  error: string | null;
  /** What a model or parser server said of it, where one failed: for admin keys alone. */
  errorReason: string | null;
  warnings: string[];
  /** Names the snippets and the text that are current; null until first processed. */
  revision: string | null;
  /** SHA-256 hex of the text, to tell unchanged content. */
  textHash: string | null;
  /** SHA-256 hex of the original bytes in the blob folder; null for text. */
  blobHash: string | null;
  /** How often processing was tried, and when it may be tried next (epoch ms). */
  attempts: number;
  nextAttemptAt: number | null;
  /** How often its processing was begun without an end since it last ended, well or not: what hangs or kills the server. */
  begun: number;
  /** Pages and chunks so far. */
  progress: { pages: number; chunks: number; embedded: number };
}

/** A piece of a document's text that is searched and quoted. `text` is exactly the document's text from start to end. */
export interface SnippetRecord {
  id: string;
  organizationId: string;
  documentId: string;
  partitionId: string | null;
  revision: string;
  /** 0-based order within the document. */
  position: number;
  text: string;
  /** What a reader of the snippet alone also needs, such as a table's column names; may be empty. */
  context: string;
  /** Heading path, outermost first. */
  headings: string[];
  page: number | null;
  /** UTF-16 offsets into the document's text, end exclusive. */
  start: number;
  end: number;
  /** Analyzed terms of text and context, separated by spaces (src/text/analysis/analyze.ts). */
  terms: string;
  /** Analyzed terms of the heading path. */
  headingTerms: string;
  /** Analyzed terms of the document's name: the same for all snippets of a document. */
  titleTerms: string;
}

/** A snippet as it is written: with a vector for each live index (by index id), null where its model cannot be reached. */
export interface NewSnippet extends SnippetRecord {
  vectors: ReadonlyMap<string, Float32Array | null>;
}

/**
 * One search index: a snippets table made with one embedding model and one version of the text analysis. Questions go
 * to the active one; while the model or the analysis changes, a second one is being built beside it and every
 * document that comes in is written to both.
 */
export interface IndexInfo {
  id: string;
  provider: string;
  model: string;
  /** Length of the vectors; 0 while it is not known: such an index holds no snippets yet. */
  dimensions: number;
  /** What else made the vectors: revision of a built-in table, prefixes (`EmbeddingModel.revision`); may be empty. */
  modelRevision: string;
  /** Version of src/text/analysis/analyze.ts and of the chunker that made the rows. */
  analysisVersion: number;
  state: "active" | "building";
  createdAt: number;
}

/** What a new index is to be made with. */
export type IndexDescription = Pick<IndexInfo, "provider" | "model" | "dimensions" | "analysisVersion"> &
  Partial<Pick<IndexInfo, "modelRevision">>;

export interface Chat {
  id: string;
  organizationId: string;
  name: string;
  title: string | null;
  userId: string;
  documentId: string | null;
  partitionId: string | null;
  public: boolean;
  logoUrl: string | null;
  brandSettings: JsonObject | null;
  createdAt: number;
  /** Somebody gave it a name or a title, or its first message did; until then that message will. */
  named: boolean;
}

/** Where `deleted` is true, the document was removed, and the source has lost its content with it. */
export interface SourceDocument {
  metadata: { id: string; content?: string; _distance: number; deleted?: true } & JsonObject;
  pageContent: string;
  deleted?: true;
}

export interface Message {
  id: string;
  organizationId: string;
  chatId: string;
  /** Visitor or end user whose turn or answer this is: the conversation it belongs to within a public chat. */
  thread: string;
  userId: string;
  isSystem: boolean;
  message: string;
  sourceDocuments: SourceDocument[];
  createdAt: number;
}

/** A request that carried an `Idempotency-Key`, for as long as the key is remembered. */
export interface IdempotentRequest {
  /** Made of the organization, who called and the key. */
  id: string;
  /** SHA-256 of what was asked for, hex. */
  requestHash: string;
  /** Id that the document gets, fixed before it is made: after a crash it tells whether it was. */
  documentId: string;
  /** What it was answered with, as JSON text, without anything of the document itself; null until there was an answer. */
  answer: string | null;
  createdAt: number;
}

export type WebhookEvent = "document.processed" | "document.failed" | "document.deleted";

/**
 * One event for one configured address. `prepared`: written down before what it tells of; it counts from the moment
 * that is done, and goes where that fails. Then `waiting`, until it is `delivered` or, after a day, `abandoned`.
 */
export interface WebhookDelivery {
  /** Also the message's `webhook-id`, the same at every attempt. */
  id: string;
  /** SHA-256 of the address, hex: the address itself may hold a secret. */
  endpoint: string;
  /** Scheme and host of the address. */
  origin: string;
  organizationId: string;
  partitionId: string | null;
  documentId: string;
  event: WebhookEvent;
  /** Of the document, for `document.processed`: tells after a crash whether it was published. */
  revision: string | null;
  /** What is sent, as JSON text. */
  body: string;
  state: "prepared" | "waiting" | "delivered" | "abandoned";
  attempts: number;
  nextAttemptAt: number | null;
  /** What the last attempt met; null where it was well or there was none. */
  error: string | null;
  createdAt: number;
  /** From when on the day is counted: creation, or the last replay. */
  since: number;
  /** When it was delivered or abandoned. */
  settledAt: number | null;
}

/** A page of a site that the configuration has kept in step. */
export interface SitePage {
  /** As the crawler names it: the site's and the page's address in one form. */
  id: string;
  /** Names the entry of the configuration. */
  siteId: string;
  url: string;
  /** How many links away from the first page. */
  depth: number;
  /** Null for what is no document: a sitemap. */
  documentId: string | null;
  /** What the far side said of it when it was last fetched. */
  etag: string | null;
  lastModified: string | null;
  /** SHA-256 of what was fetched, hex. */
  sha256: string;
  /** Where its links lead. */
  links: string[];
  /** Of the first page: when the last complete crawl of the site ended. */
  visitedAt: number;
}
