import { CommandFailure } from "../domain/command-failure.ts";
import { defaultOrganization } from "../domain/default-organization.ts";
import { generateKey, hashKey, isKey } from "../keys/key-text.ts";
import type { Store } from "../store/contract.ts";
import { defaultUser } from "./operator.ts";

/** @throws CommandFailure where `CARREL_ADMIN_KEY` is set and cannot be a key; the message does not repeat it */
export const readAdminKey = (env: Record<string, string | undefined>): string | null => {
  const key = env.CARREL_ADMIN_KEY;
  if (key === undefined || key === "") return null;
  if (isKey(key)) return key;
  throw new CommandFailure(
    "CARREL_ADMIN_KEY is no key: it must be crl_ and 43 letters (A-Z, a-z) or digits, chosen at random. `carrel key create` prints one.",
  );
};

/**
 * Makes sure that an admin key exists: `adminKey` where it is given and not stored yet, else a generated one while the
 * store has no key at all.
 * @returns the generated key, to be shown once; null where none was generated
 */
export const ensureAdminKey = async (store: Store, adminKey: string | null): Promise<string | null> => {
  if (adminKey === null && !store.keys.isEmpty()) return null;
  const key = adminKey ?? generateKey();
  const hash = hashKey(key);
  if (store.keys.getByHash(hash) !== null) return null;
  const organization = await store.organizations.upsert(defaultOrganization);
  const id = Bun.randomUUIDv7();
  const name = adminKey === null ? "first start" : "CARREL_ADMIN_KEY";
  await store.audit.add({
    id: Bun.randomUUIDv7(),
    organizationId: organization.id,
    createdAt: Date.now(),
    action: "key.created",
    actor: "start",
    keyId: null,
    keyName: null,
    userId: defaultUser,
    targetId: id,
    details: { name, role: "admin", userId: defaultUser, partitionId: null, expiresAt: null },
    outcome: "done",
    address: "local",
    requestId: null,
  });
  await store.keys.add({
    id,
    organizationId: organization.id,
    userId: defaultUser,
    name,
    role: "admin",
    partitionId: null,
    hash,
    createdAt: Date.now(),
    expiresAt: null,
  });
  return adminKey === null ? key : null;
};

/**
 * Text of the first start: a link that signs in with the key, shown only now, and calls from a terminal. The link carries
 * the key in its fragment, which no browser sends to a server.
 */
export const firstStartText = (address: string, key: string): string => `
This is the first start. Open this link to sign in; it ends with your admin key, which is shown only now:

  ${address}/#key=${key}

Or, in a terminal, put the key into a variable, put a document in, ask about it:

  export KEY=crl_…
  curl ${address}/api/ingest -H "Authorization: Bearer $KEY" -d '{"name": "Opening hours", "text": "In winter the reading room opens at nine."}'
  curl ${address}/api/query -H "Authorization: Bearer $KEY" -d '{"query": "When does the reading room open in winter?"}'

A file goes in with -F file=@NAME in place of -d. All operations: ${address}/docs

`;
