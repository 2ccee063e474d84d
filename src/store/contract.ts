import type { BlobStore, DocumentStore } from "./contract/documents.ts";
import type { Ages, FrozenStore, StoreCondition, StoreDamage } from "./contract/keeping.ts";
import type {
  AuditStore,
  ChatStore,
  DeliveryStore,
  FeedbackStore,
  IdempotencyStore,
  KeyLimitStore,
  KeyStore,
  MessageStore,
  OrganizationStore,
  PartitionStore,
  ReceiptStore,
  SessionStore,
  SitePageStore,
} from "./contract/records.ts";
import type { IndexStore, SnippetView } from "./contract/search.ts";
import type { VectorStore } from "./contract/vectors.ts";

export type { BlobStore, DocumentFilter, DocumentStore, NewName, Publication } from "./contract/documents.ts";
export type {
  Ages,
  CheckProgress,
  CheckReport,
  Damage,
  FrozenFile,
  FrozenStore,
  Reading,
  Replication,
  StoreDamage,
} from "./contract/keeping.ts";
export type {
  ChatStore,
  DeliveryStore,
  FeedbackStore,
  KeyLimitStore,
  KeyStore,
  Page,
  Paging,
  ReceiptStore,
} from "./contract/records.ts";
export type {
  MetadataCondition,
  MetadataFilter,
  MetadataScalar,
  SearchScope,
  SnippetHit,
  SnippetView,
  TermFrequencies,
} from "./contract/search.ts";
export { IndexesChangedError, wholeTenant } from "./contract/search.ts";
export type { PendingVectors, RefusedTexts, SnippetVector, VectorStore } from "./contract/vectors.ts";

/** All that the rest of Carrel knows of the store: one member for each kind of record. */
export interface Store {
  readonly organizations: OrganizationStore;
  readonly keys: KeyStore;
  readonly keyLimits: KeyLimitStore;
  readonly sessions: SessionStore;
  readonly partitions: PartitionStore;
  readonly documents: DocumentStore;
  readonly chats: ChatStore;
  readonly messages: MessageStore;
  readonly blobs: BlobStore;
  readonly indexes: IndexStore;
  readonly vectors: VectorStore;
  readonly idempotency: IdempotencyStore;
  readonly deliveries: DeliveryStore;
  readonly sitePages: SitePageStore;
  readonly audit: AuditStore;
  readonly receipts: ReceiptStore;
  readonly feedback: FeedbackStore;
  readonly condition: StoreCondition;
  readonly damage: StoreDamage;
  /** Opens a view of the active index. */
  openSnippets(): SnippetView;
  /** Keeps the files of the store as they are now, for a backup: see `FrozenStore`. To be released. */
  freeze(): Promise<FrozenStore>;
  /** A secret stored with the data, created at the first start: visitor tokens are signed with it. */
  readonly secret: Uint8Array;
  /** How old records are: for all that ends or is removed for its age. */
  readonly ages: Ages;
  /** Writes the address that the server listens on to the lock file. */
  announce(address: string): void;
  /** Waits for queued writes, stops maintenance, releases the lock. */
  close(): Promise<void>;
}
