import type { KeyLimits, KeyRecord, Organization, Partition, Session, Tenant } from "../../domain/records.ts";
import type { Page, Paging } from "./records.ts";

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
