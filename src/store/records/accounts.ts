import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import type { KeyLimits, KeyRecord, Organization, Partition, Session } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import { IdTakenError } from "../contract/documents.ts";
import type { KeyLimitStore, KeyStore, OrganizationStore, SessionStore } from "../contract/records.ts";
import { float, nullableFloat, nullableText, oneOf, text } from "../engine/columns.ts";
import { isVisibleTo } from "../engine/filters.ts";
import { pageOf } from "../engine/paging.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { defineTable } from "../engine/table-definition.ts";

export const organizationRows = defineTable<Organization>({
  name: "organizations",
  key: "id",
  indexes: {},
  columns: { id: text, name: text, createdAt: float },
});

export const keyRows = defineTable<KeyRecord>({
  name: "keys",
  key: "id",
  indexes: {},
  columns: {
    id: text,
    organizationId: text,
    userId: text,
    name: text,
    role: oneOf("reader", "writer", "admin"),
    partitionId: nullableText,
    hash: text,
    createdAt: float,
    expiresAt: nullableFloat,
  },
});

export const partitionRows = defineTable<Partition>({
  name: "partitions",
  key: "id",
  indexes: {},
  columns: { id: text, organizationId: text, name: text, createdAt: float },
});

/** Keys are cached in memory by their hash, because every request looks one up. */
export const createKeyStore = async (table: StoreTable<KeyRecord>): Promise<KeyStore> => {
  const byHash = new Map((await table.find({})).map((key) => [key.hash, key]));
  const byId = new Map([...byHash.values()].map((key) => [key.id, key]));
  return {
    getByHash: (hash) => byHash.get(hash) ?? null,
    getById: (id) => byId.get(id) ?? null,
    isEmpty: () => byHash.size === 0,
    async add(key) {
      if ((await table.insert(key.id, [key])).size > 0) throw new IdTakenError("key", key.id);
      byHash.set(key.hash, key);
      byId.set(key.id, key);
    },
    async change(key) {
      const before = byId.get(key.id);
      await table.change([key.id], () => key);
      if (before !== undefined) byHash.delete(before.hash);
      byHash.set(key.hash, key);
      byId.set(key.id, key);
    },
    list: async (tenant, paging) => pageOf([...byHash.values()].filter(isVisibleTo(tenant)), paging),
    async remove(tenant, id) {
      const key = byId.get(id);
      if (key === undefined || !isVisibleTo(tenant)(key)) return false;
      byId.delete(id);
      byHash.delete(key.hash); // refused from now on, even before it is removed from the disk
      try {
        await table.remove(id, "id", [id]);
      } catch (error) {
        byHash.set(key.hash, key);
        byId.set(id, key);
        throw error;
      }
      return true;
    },
  };
};

interface KeyLimitRow extends KeyLimits {
  keyId: string;
}

export const keyLimitRows = defineTable<KeyLimitRow>({
  name: "key_limits",
  key: "keyId",
  indexes: {},
  columns: {
    keyId: text,
    requestsPerMinute: nullableFloat,
    tokensPerDay: nullableFloat,
    maxDocuments: nullableFloat,
    maxBytes: nullableFloat,
  },
});

/** Limits are cached in memory, because every request by key looks them up. */
export const createKeyLimitStore = async (table: StoreTable<KeyLimitRow>): Promise<KeyLimitStore> => {
  const byKey = new Map((await table.find({})).map(({ keyId, ...limits }) => [keyId, limits as KeyLimits]));
  return {
    get: (keyId) => byKey.get(keyId) ?? null,
    async put(keyId, limits) {
      await table.upsert(keyId, [{ ...limits, keyId }]);
      byKey.set(keyId, limits);
    },
    async remove(keyId) {
      if (!byKey.delete(keyId)) return;
      await table.remove(keyId, "keyId", [keyId]);
    },
  };
};

/** Organizations are few: all are in memory. */
export const createOrganizationStore = async (table: StoreTable<Organization>): Promise<OrganizationStore> => {
  const byName = new Map((await table.find({})).map((organization) => [organization.name, organization]));
  const byId = new Map([...byName.values()].map((organization) => [organization.id, organization]));
  const serialize = createKeyedMutex();
  return {
    getByName: async (name) => byName.get(name) ?? null,
    getById: (id) => byId.get(id) ?? null,
    list: async () => [...byName.values()].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
    upsert: (name) =>
      serialize(name, async () => {
        const existing = byName.get(name);
        if (existing !== undefined) return existing;
        const organization = { id: Bun.randomUUIDv7(), name, createdAt: Date.now() };
        await table.add(organization.id, [organization]);
        byName.set(name, organization);
        byId.set(organization.id, organization);
        return organization;
      }),
  };
};

export const sessionRows = defineTable<Session>({
  name: "sessions",
  key: "id",
  indexes: {},
  columns: { id: text, keyId: text, createdAt: float, seenAt: float },
});

/** A session's last use is written when it is this much later than the one on the disk. */
const seenEveryMs = 10 * 60_000;
/** Sessions of one key; beyond this the least recently used one ends. */
const maxSessionsOfKey = 100;

/** Sessions are cached in memory, because every request by cookie looks one up. */
export const createSessionStore = async (table: StoreTable<Session>, log: Logger): Promise<SessionStore> => {
  const byId = new Map((await table.find({})).map((session) => [session.id, session]));

  const removeAll = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) byId.delete(id);
    await table.remove("sessions", "id", ids, false);
  };

  return {
    get: (id) => byId.get(id) ?? null,
    async add(session, isOver) {
      const known = [...byId.values()];
      const ended = known.filter(isOver);
      const ofKey = known.filter((other) => other.keyId === session.keyId && !isOver(other));
      const surplus = ofKey.sort((a, b) => b.seenAt - a.seenAt).slice(maxSessionsOfKey - 1);
      await removeAll([...ended, ...surplus].map(({ id }) => id));
      await table.upsert(session.id, [session]);
      byId.set(session.id, session);
    },
    touch(id, seenAt) {
      const session = byId.get(id);
      if (session === undefined || Math.abs(seenAt - session.seenAt) < seenEveryMs) return;
      const seen = { ...session, seenAt };
      byId.set(id, seen);
      table
        .upsert(id, [seen], false)
        .catch((error: unknown) => log.warn({ error: String(error) }, "the last use of a session could not be stored"));
    },
    async remove(id) {
      byId.delete(id); // refused from now on, even before it is removed from the disk
      await table.remove(id, "id", [id]);
    },
  };
};
