import type { Role } from "../src/domain/records.ts";
import { createKey } from "../src/keys/keys.ts";
import type { Store } from "../src/store/contract.ts";

export interface KeyOptions {
  /** Made where there is none of that name. */
  organization?: string;
  role?: Role;
  userId?: string;
  partitionId?: string | null;
  name?: string;
}

/** A new key, of role `writer` in organization `default` where nothing else is said. */
export const issueKey = async (
  store: Store,
  { organization = "default", role = "writer", userId = "user-1", partitionId = null, name = "test" }: KeyOptions = {},
): Promise<string> => {
  const tenant = { organizationId: (await store.organizations.upsert(organization)).id, partitionId: null };
  return (await createKey(store, tenant, { name, role, userId, partitionId, expiresAt: null })).key;
};
