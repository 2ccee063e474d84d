import { generateKey, hashKey, isNameOfVariable, variableKeyName } from "../access/key.ts";
import { invalidField } from "../domain/errors.ts";
import { grantedBy, isRecordId, notFound, partitionField } from "../domain/ids.ts";
import type { KeyLimits, KeyRecord, Role, Tenant } from "../domain/records.ts";
import { noLimits } from "../limits/rates.ts";
import type { Store } from "../store/contract.ts";

interface NewKey {
  name: string;
  role: Role;
  userId: string;
  /** Null: the issuer's own partition, or none. */
  partitionId: string | null;
  /** Epoch milliseconds; null: never. */
  expiresAt: number | null;
  /** Of its own; left out: none. */
  limits?: KeyLimits;
  /** Left out: a new one. */
  id?: string;
}

/** Who issues it. */
interface Issuer extends Tenant {
  keyId?: string | null;
}

/**
 * Issues a key in the tenant's organization. A tenant limited to a partition issues keys of that partition only, and one
 * with limits of its own no key that may use more.
 *
 * @returns the record, and the key, which is shown only once
 * @throws ApiError partition_not_found; invalid_request for an expiry that has passed, or the name of the key of `CARREL_ADMIN_KEY`
 */
export const createKey = async (
  store: Pick<Store, "keys" | "keyLimits" | "partitions">,
  tenant: Issuer,
  input: NewKey,
): Promise<{ record: KeyRecord; limits: KeyLimits; key: string }> => {
  const createdAt = Date.now();
  const key = generateKey();
  const partitionId = input.partitionId ?? tenant.partitionId;
  if (partitionId !== null && (await store.partitions.get(tenant, partitionId)) === null) {
    throw notFound("partition_not_found", partitionField(tenant, partitionId));
  }
  if (isNameOfVariable(input.name.trim())) {
    throw invalidField("name", `is kept for the key that the variable ${variableKeyName} gives: take another one`);
  }
  if (input.expiresAt !== null && input.expiresAt <= createdAt) {
    throw invalidField("expiresAt", "must be in the future");
  }
  const record: KeyRecord = {
    id: input.id ?? Bun.randomUUIDv7(),
    organizationId: tenant.organizationId,
    userId: input.userId,
    name: input.name.trim(),
    role: input.role,
    partitionId,
    hash: hashKey(key),
    createdAt,
    expiresAt: input.expiresAt,
  };
  const ceiling = (typeof tenant.keyId === "string" ? store.keyLimits.get(tenant.keyId) : null) ?? noLimits;
  const limits = withinLimits(input.limits ?? noLimits, ceiling);
  // Before the key: it must never be valid without them.
  if (Object.values(limits).some((limit) => limit !== null)) await store.keyLimits.put(record.id, limits);
  await store.keys.add(record);
  return { record, limits, key };
};

/** The smaller of each. */
const withinLimits = (wanted: KeyLimits, ceiling: KeyLimits): KeyLimits => {
  const smaller = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b));
  return {
    requestsPerMinute: smaller(wanted.requestsPerMinute, ceiling.requestsPerMinute),
    tokensPerDay: smaller(wanted.tokensPerDay, ceiling.tokensPerDay),
    maxDocuments: smaller(wanted.maxDocuments, ceiling.maxDocuments),
    maxBytes: smaller(wanted.maxBytes, ceiling.maxBytes),
  };
};

/**
 * Revokes a key at once, and those that were issued on its word: the next request with one of them is refused.
 * @throws ApiError key_not_found
 */
export const revokeKey = async (
  store: Pick<Store, "keys" | "keyLimits">,
  tenant: Tenant,
  id: string,
): Promise<void> => {
  if (!isRecordId(id) || !(await store.keys.remove(tenant, id))) throw notFound("key_not_found");
  await store.keyLimits.remove(id);
  for (const granted of await keysGrantedBy(store, tenant, id)) {
    await store.keys.remove(tenant, granted.id);
    await store.keyLimits.remove(granted.id);
  }
};

/** The keys of the organization that were issued on the word of this one. */
export const keysGrantedBy = async (store: Pick<Store, "keys">, tenant: Tenant, id: string): Promise<KeyRecord[]> => {
  const ending = grantedBy(id);
  return (await allKeys(store, tenant)).filter((key) => key.id.endsWith(ending));
};

/** Whether it was itself issued on the word of another key of the organization. */
export const isGranted = async (store: Pick<Store, "keys">, tenant: Tenant, id: string): Promise<boolean> =>
  (await allKeys(store, tenant)).some((key) => id.endsWith(grantedBy(key.id)));

const allKeys = async ({ keys }: Pick<Store, "keys">, tenant: Tenant): Promise<KeyRecord[]> => {
  const paging = { limit: Number.MAX_SAFE_INTEGER, skip: 0, sortOrder: "asc" } as const;
  return (await keys.list({ ...tenant, partitionId: null }, paging)).items;
};
