import type { DocumentRecord, DocumentStatus, JsonObject, NewSnippet, Tenant } from "../../domain/records.ts";
import type { MetadataFilter } from "./metadata-filter.ts";
import type { Page, Paging } from "./paging.ts";

export interface DocumentFilter {
  partitionId?: string;
  status?: DocumentStatus;
  /** Case-insensitive substring of the name. */
  searchValue?: string;
  metadata?: MetadataFilter;
}

/** A document that is to be found from now on; see `publish`. */
export interface Publication {
  document: DocumentRecord;
  text: string;
  snippets: readonly NewSnippet[];
}

export interface DocumentStore {
  get(tenant: Tenant, id: string): Promise<DocumentRecord | null>;
  getMany(tenant: Tenant, ids: readonly string[]): Promise<DocumentRecord[]>;
  getByExternalId(tenant: Tenant, externalId: string): Promise<DocumentRecord | null>;
  /** A processed document with this text, if any: of this partition (null: of none), or of any where it is left out. */
  getByTextHash(tenant: Tenant, textHash: string, partitionId?: string | null): Promise<DocumentRecord | null>;
  list(tenant: Tenant, filter: DocumentFilter, paging: Paging): Promise<Page<DocumentRecord>>;
  /** The text of the document's current revision; for a pending text document the text it came with. */
  getText(document: DocumentRecord): Promise<string | null>;
  /** The same of many, by document id; a document without text is left out. */
  getTexts(documents: readonly DocumentRecord[]): Promise<Map<string, string>>;
  /**
   * Hands over the texts of many one after another, so that few are held at once; where they are long, one caller after
   * another. What `take` throws ends it.
   */
  visitTexts(
    documents: readonly DocumentRecord[],
    take: (document: DocumentRecord, text: string) => void,
  ): Promise<void>;
  /** The text that waits to be processed (see `add` and `patch`), also where an older revision has a text. */
  getPendingText(document: DocumentRecord): Promise<string | null>;
  /**
   * Tells that a document is being prepared and will be published in a moment: writes that come meanwhile wait a little
   * for it. The function returned takes that back: call it once, published or not.
   */
  announce(): () => void;
  /** Adds a record without snippets (pending, failed). `text` is kept where the source is text. */
  add(document: DocumentRecord, text: string | null): Promise<void>;
  /**
   * Changes fields that touch no snippet: status, error, progress, attempts … Name, metadata and partition only while
   * the document has no revision (else `relabel`). `pendingText` is kept as `add` keeps its text.
   */
  patch(
    tenant: Tenant,
    id: string,
    change: Partial<DocumentRecord>,
    pendingText?: string,
  ): Promise<DocumentRecord | null>;
  /**
   * Makes `document` with this text and these snippets current in one step for every reader: snippets and text are
   * appended under `document.revision`, the record is written (added or replaced), then what the old revision held is
   * removed. Nobody sees none or both. Each snippet's `vectors` has an entry for the active index, and for the one
   * being built where it is to be written there too.
   * @throws IndexesChangedError where the active index is another than the snippets were made for
   */
  publish(document: DocumentRecord, text: string, snippets: readonly NewSnippet[]): Promise<void>;
  /**
   * `publish` of documents that nobody knows yet (their ids are new, and they name no file), all at once: they share
   * their commits and fail together.
   */
  publishNew(publications: readonly Publication[]): Promise<void>;
  /**
   * Changes name (with the analysed terms of the new one), metadata and partition of a document, its snippets with it.
   * @param more other fields and a pending text, as `patch` takes them: all of it is changed in one step or not at all
   */
  relabel(
    tenant: Tenant,
    id: string,
    change: { name?: { name: string; titleTerms: string }; metadata?: JsonObject | null; partitionId?: string | null },
    more?: { fields: Partial<DocumentRecord>; pendingText?: string },
  ): Promise<DocumentRecord | null>;
  /** Gone from every index and from the blob folder when it returns. */
  remove(tenant: Tenant, id: string): Promise<boolean>;
  /** Runs work while no other work holds the same external id of the organization: look, then add or replace. */
  withExternalId<T>(tenant: Tenant, externalId: string, work: () => Promise<T>): Promise<T>;
  /** Documents whose work is not done, oldest first, of all organizations: the queue after a start. */
  listUnfinished(limit: number): Promise<DocumentRecord[]>;
  countByStatus(): Promise<Record<DocumentStatus, number>>;
  /** Ids of the documents in a partition, at most `limit`. */
  listIdsInPartition(tenant: Tenant, partitionId: string, limit: number): Promise<string[]>;
}
