import type { KeyLimits } from "../../domain/records.ts";
import type { KeyLimitStore } from "../contract/accounts.ts";
import { nullableFloat, text } from "../engine/columns.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { defineTable } from "../engine/table-definition.ts";

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
