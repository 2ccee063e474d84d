import type { AuditAction, AuditEntry } from "../../domain/audit.ts";
import type {
  Chat,
  Feedback,
  IdempotentRequest,
  KeptReceipt,
  KeyLimits,
  KeyRecord,
  Message,
  Organization,
  Partition,
  Session,
  SitePage,
  Tenant,
  WebhookDelivery,
} from "../../domain/records.ts";

/** One page of a list, and the number of items in the whole list. */
export interface Page<T> {
  items: T[];
  total: number;
}

export interface Paging {
  limit: number;
  skip: number;
  sortOrder: "asc" | "desc";
}

/** Requests that had an idempotency key. */
export interface IdempotencyStore {
  get(id: string): Promise<IdempotentRequest | null>;
  put(request: IdempotentRequest): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes some that are older. @returns how many were removed; 0: none are left */
  removeOlder(ageMs: number): Promise<number>;
}

/** Pages of the sites that are synchronized: what was found at the last visit. */
export interface SitePageStore {
  list(siteId: string): Promise<SitePage[]>;
  put(page: SitePage): Promise<void>;
  remove(page: SitePage): Promise<void>;
  /** Removes the pages of all sites but these; their documents stay. */
  removeOthers(siteIds: readonly string[]): Promise<void>;
}

/** Webhooks that were sent or wait to be sent. */
export interface DeliveryStore {
  add(deliveries: readonly WebhookDelivery[]): Promise<void>;
  /** In any organization: for the sender. */
  find(id: string): Promise<WebhookDelivery | null>;
  get(tenant: Tenant, id: string): Promise<WebhookDelivery | null>;
  list(
    tenant: Tenant,
    filter: { states?: readonly WebhookDelivery["state"][]; documentId?: string },
    paging: Paging,
  ): Promise<Page<WebhookDelivery>>;
  /** Replaces the stored delivery. @param durable whether to wait until it is on disk (default true) */
  put(delivery: WebhookDelivery, durable?: boolean): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Deliveries that are `prepared`, oldest first. */
  listPrepared(limit: number): Promise<WebhookDelivery[]>;
  /** Ids of the deliveries to one address that are `prepared` or `waiting`, oldest first. */
  listUnsettled(endpoint: string, limit: number): Promise<string[]>;
  /** Deliveries that are `waiting`, to all addresses but these. */
  listOthers(endpoints: readonly string[], limit: number): Promise<WebhookDelivery[]>;
  /**
   * Removes some settled deliveries, oldest first: those that are older, else those beyond the newest `most`.
   * @returns how many were removed; 0: none are left
   */
  removeSettled(limits: { olderThanMs: number; most: number }): Promise<number>;
}

interface AuditFilter {
  action?: AuditAction;
  /** Epoch ms: only entries from then on. */
  since?: number;
}

export interface AuditStore {
  /**
   * Adds an entry. It survives a crash of the process from here on; it is on the disk with the next durable write to any
   * table.
   */
  add(entry: AuditEntry): Promise<void>;
  replace(entry: AuditEntry): Promise<void>;
  /** Of a change that did not happen. */
  remove(id: string): Promise<void>;
  list(organizationId: string, filter: AuditFilter, paging: Paging): Promise<Page<AuditEntry>>;
  /** Removes the entries of all organizations that are older. */
  removeOlder(ageMs: number): Promise<void>;
}

export interface ReceiptStore {
  /** Keeps a receipt. It is written a moment later, with others: a crash may lose the last ones. */
  add(receipt: KeptReceipt): void;
  /** @param tenant null: of any organization @throws ApiError data_damaged */
  get(tenant: Tenant | null, id: string): Promise<KeptReceipt | null>;
  ofMessage(tenant: Tenant | null, messageId: string): Promise<KeptReceipt | null>;
  /** Removes those of all organizations that are older. */
  removeOlder(ageMs: number): Promise<void>;
}

export interface FeedbackStore {
  /** Adds it, or replaces the one of its id. */
  put(feedback: Feedback): Promise<void>;
  list(
    tenant: Tenant,
    filter: { rating?: Feedback["rating"]; since?: number },
    paging: Paging,
  ): Promise<Page<Feedback>>;
  /** Those of some ids. @param tenant null: of any organization */
  ofIds(tenant: Tenant | null, ids: readonly string[]): Promise<Feedback[]>;
  /** @returns false if there is none */
  remove(tenant: Tenant, id: string): Promise<boolean>;
}

export interface ChatStore {
  /** In any organization: a chat id is unique in the whole store. */
  find(id: string): Promise<Chat | null>;
  get(tenant: Tenant, id: string): Promise<Chat | null>;
  list(
    tenant: Tenant,
    filter: { searchValue?: string; sortBy: "createdAt" | "name" | "title" },
    paging: Paging,
  ): Promise<Page<Chat>>;
  /** The chats whose id comes after this one, by id. */
  listAfter(tenant: Tenant, id: string, limit: number): Promise<Chat[]>;
  /** Adds the chat. @returns false if the id is taken, in any organization */
  add(chat: Chat): Promise<boolean>;
  patch(tenant: Tenant, id: string, change: Partial<Chat>): Promise<Chat | null>;
  /** Removes the chat and its messages. */
  remove(tenant: Tenant, id: string): Promise<boolean>;
}

export interface MessageStore {
  /** @param tenant null: of any organization */
  get(tenant: Tenant | null, id: string): Promise<Message | null>;
  /** The newest messages, at most `limit`, in order of time; with `thread` those of one visitor only. */
  list(tenant: Tenant, chatId: string, options: { thread: string | null; limit: number }): Promise<Message[]>;
  /** @throws IdTakenError where another message has its id, in any chat of any organization */
  add(message: Message): Promise<void>;
  /**
   * Adds messages of any chats in one commit.
   * @returns ids that other messages have, in any chat of any organization: their messages are not added
   */
  addMany(messages: readonly Message[]): Promise<ReadonlySet<string>>;
  /** The messages of all chats whose id comes after this one, by id. */
  listAfter(tenant: Tenant, id: string, limit: number): Promise<Message[]>;
  /** Which of these ids messages of these chats have, each with its chat. */
  known(tenant: Tenant, chatIds: readonly string[], ids: readonly string[]): Promise<Map<string, string>>;
}

export interface OrganizationStore {
  getByName(name: string): Promise<Organization | null>;
  /** Answered from memory. */
  getById(id: string): Organization | null;
  list(): Promise<Organization[]>;
  /** The organization of that name; it is created if there is none. */
  upsert(name: string): Promise<Organization>;
}

export interface KeyStore {
  /** Answered from memory, because every request needs it. */
  getByHash(hash: string): KeyRecord | null;
  /** Of any organization, from memory too. */
  getById(id: string): KeyRecord | null;
  /** True if there is no key, as at the first start. */
  isEmpty(): boolean;
  /** @throws IdTakenError */
  add(key: KeyRecord): Promise<void>;
  /** Writes another record for a key that is there: it keeps its id. Of another hash, the key before is refused at once. */
  change(key: KeyRecord): Promise<void>;
  list(tenant: Tenant, paging: Paging): Promise<Page<KeyRecord>>;
  /** @returns false if there is no such key */
  remove(tenant: Tenant, id: string): Promise<boolean>;
}

/** Limits of single keys, beside their records. */
export interface KeyLimitStore {
  /** Answered from memory; null for a key without limits of its own. */
  get(keyId: string): KeyLimits | null;
  put(keyId: string, limits: KeyLimits): Promise<void>;
  remove(keyId: string): Promise<void>;
}

export interface SessionStore {
  /** Answered from memory. */
  get(id: string): Session | null;
  /** Adds a session and removes those that are over, and the least recently used of a key with too many. */
  add(session: Session, isOver: (session: Session) => boolean): Promise<void>;
  /** Notes that the session is used; it is written now and then. */
  touch(id: string, seenAt: number): void;
  remove(id: string): Promise<void>;
}

export interface PartitionStore {
  get(tenant: Tenant, id: string): Promise<Partition | null>;
  getByName(tenant: Tenant, name: string): Promise<Partition | null>;
  /** The partition of that name; it is created if there is none. Concurrent calls never create two. */
  upsert(tenant: Tenant, name: string): Promise<{ partition: Partition; created: boolean }>;
  /** Adds a partition that has an id already. @returns false if the id is taken in any organization, or the name in its own */
  add(partition: Partition): Promise<boolean>;
  /** Whether there is a partition with this id, in any organization. */
  isTaken(id: string): boolean;
  /** Case-insensitive substring search of the name. */
  list(tenant: Tenant, paging: Paging, searchValue: string | null): Promise<Page<Partition & { documents: number }>>;
  /** @returns "taken" if another partition has the name, null if the partition does not exist */
  rename(tenant: Tenant, id: string, name: string): Promise<Partition | "taken" | null>;
  remove(tenant: Tenant, id: string): Promise<boolean>;
  countDocuments(tenant: Tenant, id: string): Promise<number>;
}
