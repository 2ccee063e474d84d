import type {
  Chat,
  DocumentRecord,
  DocumentStatus,
  IdempotentRequest,
  IndexDescription,
  IndexInfo,
  JsonObject,
  KeyRecord,
  Message,
  NewSnippet,
  Organization,
  Partition,
  SitePage,
  SnippetRecord,
  Tenant,
  WebhookDelivery,
} from "../domain/records.ts";

/** One page of a list, and how many there are in all. */
export interface Page<T> {
  items: T[];
  total: number;
}

export interface Paging {
  limit: number;
  skip: number;
  sortOrder: "asc" | "desc";
}

/** Metadata filter as the contract has it: `{key: value}` or `{key: {$in: [...], $gt: …}}`; already validated. */
export type MetadataFilter = Record<string, MetadataCondition>;
export type MetadataScalar = string | number | boolean | null;
export type MetadataCondition =
  | MetadataScalar
  | {
      $in?: MetadataScalar[];
      $ne?: MetadataScalar;
      $gt?: number | string;
      $gte?: number | string;
      $lt?: number | string;
      $lte?: number | string;
    };

export interface DocumentFilter {
  partitionId?: string;
  status?: DocumentStatus;
  /** Case-insensitive substring of the name. */
  searchValue?: string;
  metadata?: MetadataFilter;
}

/** What a question is asked over, under the tenant. */
export interface SearchScope {
  documentId: string | null;
  partitionId: string | null;
  metadata: MetadataFilter | null;
}

/** A snippet found by one leg. `score` is BM25 (text) or absent; `vector` the stored one, so that both scores can be had for all candidates. */
export interface SnippetHit extends SnippetRecord {
  /** BM25 of terms, heading terms and title terms, weighted and added; null where the text leg did not find it. */
  textScore: number | null;
  vector: Float32Array | null;
}

/** Read view of the snippets that never sees half a replacement; close it when the last search is done. */
export interface SnippetView {
  /** The index that is looked into. */
  readonly index: IndexInfo;
  /** `terms`: analysed query terms with their weights. @returns best first, at most `limit` */
  searchText(
    tenant: Tenant,
    scope: SearchScope,
    terms: readonly { term: string; weight: number }[],
    options: { limit: number; titleWeight: number; headingWeight: number },
  ): Promise<SnippetHit[]>;
  /** Exact or indexed nearest neighbours by cosine. @returns best first, at most `limit` */
  searchVectors(tenant: Tenant, scope: SearchScope, vector: Float32Array, limit: number): Promise<SnippetHit[]>;
  /** Snippets of a document by position, inclusive range: the neighbours of a hit. */
  neighbours(tenant: Tenant, documentId: string, from: number, to: number): Promise<SnippetRecord[]>;
  /** In how many snippets of the index each term occurs, for idf; and how many snippets there are. */
  documentFrequencies(
    tenant: Tenant,
    terms: readonly string[],
  ): Promise<{ snippets: number; counts: Map<string, number> }>;
  /** How many snippets and documents the scope holds. */
  count(tenant: Tenant, scope: SearchScope): Promise<{ snippets: number; documents: number }>;
  close(): void;
}

export interface OrganizationStore {
  getByName(name: string): Promise<Organization | null>;
  list(): Promise<Organization[]>;
  /** The organization of that name, made where there is none. */
  upsert(name: string): Promise<Organization>;
}

export interface KeyStore {
  /** Answered from memory: it is asked on every request. */
  getByHash(hash: string): KeyRecord | null;
  /** True while no key was ever made: the first start. */
  isEmpty(): boolean;
  add(key: KeyRecord): Promise<void>;
  list(tenant: Tenant, paging: Paging): Promise<Page<KeyRecord>>;
  /** @returns false where there is no such key */
  remove(tenant: Tenant, id: string): Promise<boolean>;
}

export interface PartitionStore {
  get(tenant: Tenant, id: string): Promise<Partition | null>;
  getByName(tenant: Tenant, name: string): Promise<Partition | null>;
  /** The partition of that name, made where there is none; never two, whatever runs at once. */
  upsert(tenant: Tenant, name: string): Promise<{ partition: Partition; created: boolean }>;
  /** Case-insensitive substring search of the name. */
  list(tenant: Tenant, paging: Paging, searchValue: string | null): Promise<Page<Partition & { documents: number }>>;
  /** @returns "taken" where another partition has the name, null where it does not exist */
  rename(tenant: Tenant, id: string, name: string): Promise<Partition | "taken" | null>;
  remove(tenant: Tenant, id: string): Promise<boolean>;
  countDocuments(tenant: Tenant, id: string): Promise<number>;
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

export interface ChatStore {
  /** Whatever the organization: a chat id is unique in the whole store. */
  find(id: string): Promise<Chat | null>;
  get(tenant: Tenant, id: string): Promise<Chat | null>;
  list(
    tenant: Tenant,
    filter: { searchValue?: string; sortBy: "createdAt" | "name" | "title" },
    paging: Paging,
  ): Promise<Page<Chat>>;
  /** Adds the chat. @returns false where the id is taken, by whomever */
  add(chat: Chat): Promise<boolean>;
  patch(tenant: Tenant, id: string, change: Partial<Chat>): Promise<Chat | null>;
  /** The chat and its messages. */
  remove(tenant: Tenant, id: string): Promise<boolean>;
}

export interface MessageStore {
  /** Oldest first; `thread` narrows to one visitor's. At most `limit` of the newest. */
  list(tenant: Tenant, chatId: string, options: { thread: string | null; limit: number }): Promise<Message[]>;
  add(message: Message): Promise<void>;
}

/**
 * Content-addressed files beside the tables. A file that was put stays until a document that names it is stored, or
 * until it is released; after that it stays as long as a document names it. Removing or replacing the document removes it.
 */
export interface BlobStore {
  /**
   * Writes a stream of bytes, at most `maxBytes`.
   * @param declaredBytes how long the stream is said to be: so much space is set aside before it is read
   * @throws ApiError document_too_large, storage_unavailable
   */
  put(
    source: ReadableStream<Uint8Array> | Uint8Array,
    maxBytes: number,
    declaredBytes?: number,
  ): Promise<{ hash: string; bytes: number }>;
  read(hash: string): Promise<Uint8Array | null>;
  /** For an answer that sends the file. */
  open(hash: string): Promise<{ stream: ReadableStream<Uint8Array>; bytes: number } | null>;
  /** Takes back one `put` that no document will name: removes the file where nobody else needs it. */
  release(hash: string): Promise<void>;
}

/** The snippets were embedded for indexes that are no longer the live ones: embed again and publish again. */
export class IndexesChangedError extends Error {
  override readonly name = "IndexesChangedError";

  constructor() {
    super("the search index changed while the document was being processed");
  }
}

/** The active index, and the one being built during a change of embedding model or analysis. */
export interface IndexStore {
  active(): IndexInfo;
  building(): IndexInfo | null;
  /** Starts (or, with the same description, resumes) a new index beside the active one; another half-built one is dropped. */
  begin(description: IndexDescription): Promise<IndexInfo>;
  /** Processed documents whose current revision the building index does not hold yet, oldest first, and how many in all. */
  missing(limit: number): Promise<{ documents: DocumentRecord[]; done: number; total: number }>;
  /** Writes one document's snippets into the building index only; a revision that is no longer current is passed over. */
  fill(document: DocumentRecord, snippets: readonly NewSnippet[]): Promise<void>;
  /** What the active index holds of the documents' revisions: by document id, in the order of their positions. */
  snippetsOf(
    documents: readonly DocumentRecord[],
  ): Promise<Map<string, (SnippetRecord & { vector: Float32Array | null })[]>>;
  /** True where the active index holds snippets without a vector: their model could not be reached. */
  lacksVectors(): Promise<boolean>;
  /**
   * Makes the building index the active one in one commit and drops the old.
   * @returns false, with nothing changed, where it does not hold every document yet
   */
  promote(): Promise<boolean>;
  /** Drops the building index. */
  abandon(): Promise<void>;
}

/** Requests that carried an idempotency key. */
export interface IdempotencyStore {
  get(id: string): Promise<IdempotentRequest | null>;
  put(request: IdempotentRequest): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes some of those made before a moment (epoch ms). @returns how many; 0: none are left */
  removeBefore(createdAt: number): Promise<number>;
}

/** Webhooks sent and to be sent. */
export interface DeliveryStore {
  add(deliveries: readonly WebhookDelivery[]): Promise<void>;
  /** Whosever it is: for those who send. */
  find(id: string): Promise<WebhookDelivery | null>;
  get(tenant: Tenant, id: string): Promise<WebhookDelivery | null>;
  list(
    tenant: Tenant,
    filter: { states?: readonly WebhookDelivery["state"][]; documentId?: string },
    paging: Paging,
  ): Promise<Page<WebhookDelivery>>;
  /** Replaces what is stored of it. `durable` (true unless given): as for any write. */
  put(delivery: WebhookDelivery, durable?: boolean): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** `prepared` ones, oldest first. */
  listPrepared(limit: number): Promise<WebhookDelivery[]>;
  /** Ids of one address's `prepared` and `waiting` ones, oldest first. */
  listUnsettled(endpoint: string, limit: number): Promise<string[]>;
  /** `waiting` ones of all addresses but these. */
  listOthers(endpoints: readonly string[], limit: number): Promise<WebhookDelivery[]>;
  /**
   * Removes some of the settled ones that were made before a moment (epoch ms), or of which there are more than
   * `most`, the oldest first. @returns how many; 0: none are left
   */
  removeSettled(limits: { before: number; most: number }): Promise<number>;
}

/** What is known of the pages of sites that are kept in step. */
export interface SitePageStore {
  list(siteId: string): Promise<SitePage[]>;
  put(page: SitePage): Promise<void>;
  remove(page: SitePage): Promise<void>;
  /** Forgets the pages of all sites but these; their documents stay. */
  removeOthers(siteIds: readonly string[]): Promise<void>;
}

export interface Store {
  readonly organizations: OrganizationStore;
  readonly keys: KeyStore;
  readonly partitions: PartitionStore;
  readonly documents: DocumentStore;
  readonly chats: ChatStore;
  readonly messages: MessageStore;
  readonly blobs: BlobStore;
  readonly indexes: IndexStore;
  readonly idempotency: IdempotencyStore;
  readonly deliveries: DeliveryStore;
  readonly sitePages: SitePageStore;
  /** View of the active index. */
  openSnippets(): SnippetView;
  /** A secret that lives with the data (visitor tokens are signed with it), made at first start. */
  readonly secret: Uint8Array;
  /** Adds the address that is listened on to what the lock file says of its holder. */
  announce(address: string): void;
  /** Waits for queued writes, stops maintenance, releases the lock. */
  close(): Promise<void>;
}
