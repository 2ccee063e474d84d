/**
 * The records of the store: plain objects, times in epoch milliseconds, ids UUIDv7 (a caller may choose the id of a
 * chat). The schemas of the routes say what each field means to a client.
 */

export type Role = "reader" | "writer" | "admin";

/** Free-form JSON object. */
export type JsonObject = { [key: string]: unknown };

/** Characters of a question or message, at most. */
export const maxQuestionCharacters = 8_000;

/**
 * The owner of the records that a call may read or write: the first argument of every call, so that none can forget it.
 * `partitionId` is set if the caller's key is limited to one partition: other records do not exist for it.
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
  /** SHA-256 of the key, hex. The key itself is not stored. */
  hash: string;
  createdAt: number;
  expiresAt: number | null;
}

/** What a key may use; null: as the settings say for all keys. */
export interface KeyLimits {
  requestsPerMinute: number | null;
  /** Tokens that the answering model reads and writes. */
  tokensPerDay: number | null;
  /** Maximum number of documents and of bytes of texts and files: the key adds nothing once it can see this many. */
  maxDocuments: number | null;
  maxBytes: number | null;
}

/** A browser that is signed in with a key. */
export interface Session {
  /** SHA-256 of its token, hex. The token itself is not stored. */
  id: string;
  keyId: string;
  createdAt: number;
  /** When it was last used, within a few minutes. */
  seenAt: number;
}

export interface Partition {
  id: string;
  organizationId: string;
  name: string;
  createdAt: number;
}

export type DocumentStatus = "pending" | "processing" | "processed" | "failed";

/** Where a document's text came from. */
type SourceKind = "text" | "file" | "url" | "website";

export interface DocumentRecord {
  id: string;
  organizationId: string;
  partitionId: string | null;
  name: string;
  addedByUserId: string;
  createdAt: number;
  updatedAt: number;
  sourceKind: SourceKind;
  /** The address that it was fetched from; null for text and uploads. */
  originalUrl: string | null;
  mimeType: string | null;
  /** The type that the caller declared at ingest. */
  declaredMimeType: string | null;
  metadata: JsonObject | null;
  /** `metadata.externalId`, if it is a string: unique within the organization if all ingests use `upsert`. */
  externalId: string | null;
  tokens: number | null;
  status: DocumentStatus;
  /** Why processing failed; null if it did not. */
  error: string | null;
  /** The message of the model or parser server that failed: for admin keys only. */
  errorReason: string | null;
  warnings: string[];
  /** Identifies the current snippets and text; null until the document is first processed. */
  revision: string | null;
  /** SHA-256 of the text, hex, to detect unchanged content. */
  textHash: string | null;
  /** SHA-256 of the original file in the blob folder, hex; null for text. */
  blobHash: string | null;
  /** The number of attempts to process it, and when the next may begin (epoch ms). */
  attempts: number;
  nextAttemptAt: number | null;
  /** Attempts that began and never ended, since the last one that did: they hung or crashed the server. */
  begun: number;
  /** Pages and chunks so far. */
  progress: { pages: number; chunks: number; embedded: number };
}

/** A part of a document's text that is searched and quoted. `text` is the document's text from `start` to `end`. */
export interface SnippetRecord {
  id: string;
  organizationId: string;
  documentId: string;
  partitionId: string | null;
  revision: string;
  /** 0-based order within the document. */
  position: number;
  text: string;
  /** What the snippet needs to be understood alone, such as a table's column names; may be empty. */
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

/** A new snippet: with a vector for each index, by index id; null if the model of that index cannot be reached. */
export interface NewSnippet extends SnippetRecord {
  vectors: ReadonlyMap<string, Float32Array | null>;
}

/**
 * A search index: a table of snippets made with one embedding model and one version of the text analysis. Questions use
 * the active index. When the model or the analysis changes, a second index is built beside it, and new documents are
 * written to both.
 */
export interface IndexInfo {
  id: string;
  provider: string;
  model: string;
  /** Length of the vectors; 0 if it is not known yet: then the index holds no snippets. */
  dimensions: number;
  /** `EmbeddingModel.revision`: what else changes the vectors, such as prefixes; may be empty. */
  modelRevision: string;
  /** Version of src/text/analysis/analyze.ts and of the chunker that made the rows. */
  analysisVersion: number;
  state: "active" | "building";
  createdAt: number;
}

/** How a new index is made. */
export type IndexDescription = Pick<IndexInfo, "provider" | "model" | "dimensions" | "analysisVersion"> &
  Partial<Pick<IndexInfo, "modelRevision">>;

/**
 * The vectors of one embedding model, beside the search index, which holds the built-in static vector of every snippet.
 * They are made after a document is stored. Questions use the active set. When the model or the analysis changes, a
 * second set is built; without an active set, questions use what the one being built holds so far.
 */
export type VectorSetInfo = IndexInfo;

/** How a new vector set is made. */
export type VectorSetDescription = Required<IndexDescription>;

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
  /** Whether it has a name or title from a caller or its first message; if not, the first message names it. */
  named: boolean;
}

/** If `deleted` is true, the document was removed, and its content with it. */
export interface SourceDocument {
  metadata: { id: string; content?: string; _distance: number; deleted?: true } & JsonObject;
  pageContent: string;
  deleted?: true;
}

export interface Message {
  id: string;
  organizationId: string;
  chatId: string;
  /** The visitor or end user of the message: identifies a conversation within a public chat. */
  thread: string;
  userId: string;
  isSystem: boolean;
  message: string;
  sourceDocuments: SourceDocument[];
  createdAt: number;
}

/** A request with an `Idempotency-Key`, kept for as long as the key is valid. */
export interface IdempotentRequest {
  /** Derived from the organization, the caller and the key. */
  id: string;
  /** SHA-256 of the request, hex. */
  requestHash: string;
  /** The id of the document, chosen before it is stored: after a crash it shows whether it was. */
  documentId: string;
  /** The answer as JSON text, without the content of the document; null until there is one. */
  answer: string | null;
  createdAt: number;
}

export type WebhookEvent = "document.processed" | "document.failed" | "document.deleted";

/**
 * An event for one configured address. It is `prepared` before the change that it reports, and removed if that change
 * fails. After the change it is `waiting`, until it is `delivered` or, after a day, `abandoned`.
 */
export interface WebhookDelivery {
  /** Also the `webhook-id` of the message, the same for every attempt. */
  id: string;
  /** SHA-256 of the address, hex: the address itself may hold a secret. */
  endpoint: string;
  /** Scheme and host of the address. */
  origin: string;
  organizationId: string;
  partitionId: string | null;
  documentId: string;
  event: WebhookEvent;
  /** The revision of the document, for `document.processed`: after a crash it shows whether it was published. */
  revision: string | null;
  /** The body that is sent, as JSON text. */
  body: string;
  state: "prepared" | "waiting" | "delivered" | "abandoned";
  attempts: number;
  nextAttemptAt: number | null;
  /** The error of the last attempt; null if it succeeded or there was none. */
  error: string | null;
  createdAt: number;
  /** When the day until `abandoned` began: creation, or the last replay. */
  since: number;
  /** When it was delivered or abandoned. */
  settledAt: number | null;
}

/** A page of a site that the configuration synchronizes. */
export interface SitePage {
  /** Made by the crawler from the address of the site and of the page. */
  id: string;
  /** Identifies the entry of the configuration. */
  siteId: string;
  url: string;
  /** Number of links from the first page. */
  depth: number;
  /** Null for a page without a document, such as a sitemap. */
  documentId: string | null;
  /** Response headers of the last fetch. */
  etag: string | null;
  lastModified: string | null;
  /** SHA-256 of the fetched bytes, hex. */
  sha256: string;
  /** Addresses that it links to. */
  links: string[];
  /** For the first page: when the site was last crawled to its end. */
  visitedAt: number;
}

/** How an answer came about, kept for a while. It is erased with the documents and the chat that it names. */
export interface KeptReceipt {
  id: string;
  organizationId: string;
  /** The partition that was asked; null for all. */
  partitionId: string | null;
  /** Of a message to a chat: the chat, the answer's message, and the conversation in it. */
  chatId: string | null;
  messageId: string | null;
  thread: string | null;
  /** Whose content it holds. */
  documentIds: string[];
  /** The question as it was sent. */
  question: string;
  /** All else: see `receiptSchema` of src/receipts/schema.ts. */
  trace: JsonObject;
  createdAt: number;
}

export const ratings = ["up", "down"] as const;
export const feedbackReasons = ["wrong", "incomplete", "not_found", "outdated", "other"] as const;
/** Characters of what is said of an answer, and of what should have been found, at most. */
export const maxFeedbackCharacters = 2_000;

/** What somebody says of an answer. */
export interface Feedback {
  /** Of the answer and its author: said again, it is replaced. */
  id: string;
  organizationId: string;
  partitionId: string | null;
  receiptId: string | null;
  messageId: string | null;
  chatId: string | null;
  question: string;
  rating: (typeof ratings)[number];
  reason: (typeof feedbackReasons)[number] | null;
  comment: string | null;
  /** What should have been found. */
  expectedDocumentId: string | null;
  expectedText: string | null;
  isVisitor: boolean;
  createdAt: number;
}

/** Whether the document waits for its processing, or is being processed. */
export const isUnfinished = ({ status }: Pick<DocumentRecord, "status">): boolean =>
  status === "pending" || status === "processing";

/** What a record becomes that waits for its first attempt. */
export const waitingFields = {
  status: "pending",
  error: null,
  errorReason: null,
  attempts: 0,
  nextAttemptAt: null,
  begun: 0,
} as const satisfies Partial<DocumentRecord>;

/** `metadata.externalId`, if it is a string. */
export const externalIdOf = (metadata: JsonObject | null): string | null =>
  metadata !== null && Object.hasOwn(metadata, "externalId") && typeof metadata.externalId === "string"
    ? metadata.externalId
    : null;

/** The metadata that identifies the document of a scanned page. @param address as `pageAddress` returns it */
export const scannedMetadata = (address: string): JsonObject => ({
  externalId: address,
  site: new URL(address).origin,
});

/**
 * Whether a scan added the document: its page is then crawled, with respect for robots.txt and with pauses.
 */
export const isScanned = ({ originalUrl, metadata }: Pick<DocumentRecord, "originalUrl" | "metadata">): boolean =>
  originalUrl !== null &&
  metadata !== null &&
  metadata.externalId === originalUrl &&
  URL.canParse(originalUrl) &&
  metadata.site === new URL(originalUrl).origin;

/** A file part of a multipart body, already in the blob folder. It is removed when the request ends, unless it is taken. */
export interface UploadedFile {
  name: string | null;
  /** Type the part declared, if any. */
  mimeType: string | null;
  hash: string;
  bytes: number;
  /** Passes the file to the handler, which stores a document that names it, or releases it. */
  take(): void;
}

/** The caller, as identified by the key or the operator's socket. */
export interface Principal extends Tenant {
  readonly userId: string;
  readonly role: Role;
  /** Null on the operator's socket. */
  readonly keyId: string | null;
  /** The key was given by a session's cookie. */
  readonly isSession?: boolean;
}

/** Whether a caller may see the messages and addresses of model and parser servers. */
export const seesReasons = (reader: Reader): boolean => reader?.role === "admin";

/** The reader of an answer; null for a visitor. */
export type Reader = Pick<Principal, "role"> | null;
