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
  /** Analysed terms of text and context, separated by spaces (src/retrieval/analyze.ts). */
  terms: string;
  /** Analysed terms of title and heading path. */
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
  /** Length of the vectors. */
  dimensions: number;
  /** Version of src/retrieval/analyze.ts and of the chunker that made the rows. */
  analysisVersion: number;
  state: "active" | "building";
  createdAt: number;
}

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
  /** The name came from `title` or is still "New chat": the first message may rename the latter. */
  named: boolean;
}

export interface SourceDocument {
  metadata: { id: string; content: string; _distance: number } & JsonObject;
  pageContent: string;
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
