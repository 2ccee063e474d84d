import type { DocumentRecord, DocumentStatus, JsonObject, NewSnippet, Tenant } from "../../domain/records.ts";
import type { Page, Paging } from "./records.ts";
import type { MetadataFilter } from "./search.ts";

/** A record was to be added under an id that another one holds, in any organization. Nothing of it was written. */
export class IdTakenError extends Error {
  override readonly name = "IdTakenError";

  constructor(kind: string, id: string) {
    super(`the id ${id} belongs to another ${kind}`);
  }
}

export interface DocumentFilter {
  /** Only these; ids that no document has are left out. */
  ids?: readonly string[];
  partitionId?: string;
  status?: DocumentStatus;
  /** Case-insensitive substring of the name. */
  searchValue?: string;
  metadata?: MetadataFilter;
}

/** A document with its text and snippets; see `publish`. */
export interface Publication {
  document: DocumentRecord;
  text: string;
  snippets: readonly NewSnippet[];
}

/** Another name of a document with its analyzed terms. */
export interface NewName {
  name: string;
  titleTerms: string;
  /** The analyzed terms of the name before: the terms of a cover, which follow them in the snippets, stay. */
  formerTitleTerms?: string;
}

export interface DocumentStore {
  get(tenant: Tenant, id: string): Promise<DocumentRecord | null>;
  getMany(tenant: Tenant, ids: readonly string[]): Promise<DocumentRecord[]>;
  getByExternalId(tenant: Tenant, externalId: string): Promise<DocumentRecord | null>;
  /** Which of these external ids a document has. */
  takenExternalIds(tenant: Tenant, externalIds: readonly string[]): Promise<Set<string>>;
  /** A processed document with this text, if any. @param partitionId null: in no partition; left out: in any or none */
  getByTextHash(tenant: Tenant, textHash: string, partitionId?: string | null): Promise<DocumentRecord | null>;
  /** The newest document of this file that has not failed: processed or in the queue. @param partitionId as above */
  getByFile(tenant: Tenant, blobHash: string, partitionId?: string | null): Promise<DocumentRecord | null>;
  list(tenant: Tenant, filter: DocumentFilter, paging: Paging): Promise<Page<DocumentRecord>>;
  /** The documents whose id comes after this one, by id: to read all of them while they change. */
  listAfter(tenant: Tenant, id: string, limit: number): Promise<DocumentRecord[]>;
  /** Whether there is a document with this id, in any organization, or one is being added. */
  isTaken(id: string): boolean;
  /** The text of the current revision; if the document has none yet, the text that it was sent with. */
  getText(document: DocumentRecord): Promise<string | null>;
  /** The same for many, by document id; documents without text are left out. */
  getTexts(documents: readonly DocumentRecord[]): Promise<Map<string, string>>;
  /**
   * Calls `take` with each text in turn, so that few are in memory at once; long texts are read for one caller at a
   * time. If `take` throws, the visit ends with that error.
   */
  visitTexts(
    documents: readonly DocumentRecord[],
    take: (document: DocumentRecord, text: string) => void,
  ): Promise<void>;
  /** The text that is to be processed next (see `add` and `patch`), even if the document has a revision with a text. */
  getPendingText(document: DocumentRecord): Promise<string | null>;
  /**
   * Announces that a document is being prepared and is published in a moment: other writes wait a little, to share its
   * commits. Call the returned function once when the document is published, or when it will not be.
   */
  announce(): () => void;
  /**
   * Waits while questions are asked and so much is not indexed yet that more would make each of them read it from the disk:
   * what takes in many documents waits here before each. Resolves too when the time is over, or the signal fires.
   * @param isInLine of those that wait in line one at a time is let through when its time is over
   */
  untilIndexed(wait: { maxMs: number; isInLine: boolean }, signal: AbortSignal): Promise<void>;
  /**
   * Adds a record without snippets (pending, failed).
   * @param text the text to process, if the source is text
   * @throws IdTakenError
   */
  add(document: DocumentRecord, text: string | null): Promise<void>;
  /**
   * Changes fields that no snippet carries: status, error, progress, attempts … Name, metadata and partition only while
   * the document has no revision (else `relabel`).
   * @param pendingText the text to process next
   */
  patch(
    tenant: Tenant,
    id: string,
    change: Partial<DocumentRecord>,
    pendingText?: string,
  ): Promise<DocumentRecord | null>;
  /**
   * Makes `document` with this text and these snippets current, in one step for every reader: snippets and text are
   * added under `document.revision`, the record is added or replaced, then the content of the old revision is removed.
   * No reader sees both revisions, or neither. The `vectors` of each snippet have an entry for the active index, and
   * for the one being built if they are to be written there too.
   * @throws IndexesChangedError if the snippets were made for another index than the active one; IdTakenError
   */
  publish(document: DocumentRecord, text: string, snippets: readonly NewSnippet[]): Promise<void>;
  /**
   * Publishes documents that are new, all at once: they share their commits and fail together. The caller put the file
   * that one names for it.
   * @throws IdTakenError
   */
  publishNew(publications: readonly Publication[]): Promise<void>;
  /**
   * Changes the name (with its analyzed terms), metadata and partition of a document and its snippets.
   * @param more other fields and a pending text, as for `patch`: everything changes in one step or not at all
   */
  relabel(
    tenant: Tenant,
    id: string,
    change: { name?: NewName; metadata?: JsonObject | null; partitionId?: string | null },
    more?: { fields: Partial<DocumentRecord>; pendingText?: string },
  ): Promise<DocumentRecord | null>;
  /** When it returns, the document is removed from every index and its file from the blob folder. */
  remove(tenant: Tenant, id: string): Promise<boolean>;
  /** Runs work for one caller per external id of the organization at a time: to look first, then add or replace. */
  withExternalId<T>(tenant: Tenant, externalId: string, work: () => Promise<T>): Promise<T>;
  /** Documents of all organizations that are not processed yet, oldest first: the queue after a start. */
  listUnfinished(limit: number): Promise<DocumentRecord[]>;
  countByStatus(): Promise<Record<DocumentStatus, number>>;
  /**
   * How much a tenant has stored: documents, and bytes of their texts and original files.
   * @param withBytes false: they are not measured (0), which is much faster
   */
  usage(tenant: Tenant, withBytes: boolean): Promise<{ documents: number; bytes: number }>;
  /** Ids of the documents in a partition, at most `limit`. */
  listIdsInPartition(tenant: Tenant, partitionId: string, limit: number): Promise<string[]>;
}

/**
 * Files beside the tables, named by their hash. A file that was put or held is held until a document that names it is stored,
 * or until it is released; after that it stays as long as a document names it.
 */
export interface BlobStore {
  /**
   * Writes a stream of bytes, at most `maxBytes`.
   * @param declaredBytes the declared length of the stream: this much space is reserved before it is read
   * @throws ApiError document_too_large, storage_unavailable
   */
  put(
    source: ReadableStream<Uint8Array> | Uint8Array,
    maxBytes: number,
    declaredBytes?: number,
  ): Promise<{ hash: string; bytes: number }>;
  /** Holds a file that is there, as `put` does with its bytes. @returns false where it is not */
  hold(hash: string): Promise<boolean>;
  /** @throws ApiError data_damaged where the file does not hold what was put, or is missing though a document names it */
  read(hash: string): Promise<Uint8Array | null>;
  /** The length of a file; null if it is not there. */
  size(hash: string): Promise<number | null>;
  /** Opens the file to send it in a response. It is compared with its hash before. @throws ApiError data_damaged as `read` */
  open(hash: string): Promise<{ stream: ReadableStream<Uint8Array>; bytes: number } | null>;
  /** Ends the hold of one `put` or `hold` that no document will name: removes the file unless it is held or named elsewhere. */
  release(hash: string): Promise<void>;
}
