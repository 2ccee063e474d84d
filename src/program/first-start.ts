import { readVariable } from "../../config/environment.ts";
import { generateKey, hashKey, isKey, isNameOfVariable, variableKeyName } from "../access/key.ts";
import { recordChange } from "../access/record-change.ts";
import { CommandFailure } from "../domain/errors.ts";
import type { KeyRecord, Principal } from "../domain/records.ts";
import { revokeKey } from "../keys/keys.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { configuredPrincipal, defaultUser } from "./operator.ts";

/**
 * The key that `CARREL_ADMIN_KEY`, or the file that `CARREL_ADMIN_KEY_FILE` names, gives.
 * @throws CommandFailure where it cannot be a key; the message does not repeat it
 */
export const readAdminKey = async (env: Record<string, string | undefined>, cwd: string): Promise<string | null> => {
  const key = await readVariable(env, variableKeyName, cwd);
  if (key === null || isKey(key)) return key;
  throw new CommandFailure(
    "CARREL_ADMIN_KEY is no key: it must be crl_ and 43 letters (A-Z, a-z) or digits, chosen at random. `carrel key create` prints one.",
  );
};

type Accounts = Pick<Store, "audit" | "keyLimits" | "keys" | "organizations">;

/**
 * Makes sure that an admin key exists: `adminKey` where it is given, in place of the one that was given before, which is
 * revoked; else a generated one while the store has no key at all.
 * @returns the generated key, to be shown once; null where none was generated
 */
export const ensureAdminKey = async (store: Accounts, adminKey: string | null, log: Logger): Promise<string | null> => {
  if (adminKey === null && !store.keys.isEmpty()) return null;
  const principal = await configuredPrincipal(store);
  const maker = { principal, actor: "start", address: "local", requestId: null } as const;
  const key = adminKey ?? generateKey();
  const known = store.keys.getByHash(hashKey(key));
  const given = known ?? {
    id: Bun.randomUUIDv7(),
    organizationId: principal.organizationId,
    userId: defaultUser,
    name: adminKey === null ? "first start" : variableKeyName,
    role: "admin" as const,
    partitionId: null,
    hash: hashKey(key),
    createdAt: Date.now(),
    expiresAt: null,
  };
  if (known === null) {
    const { id, name, role, userId, partitionId, expiresAt } = given;
    const details = { name, role, userId, partitionId, expiresAt };
    await recordChange({ store, log }, maker, { action: "key.created", targetId: id, details }, () =>
      store.keys.add(given),
    );
  }
  if (adminKey === null) return key;
  if (!isWholeAdmin(given, principal)) {
    log.warn(
      { keyId: given.id, keyName: given.name, role: given.role },
      "CARREL_ADMIN_KEY is a key of the store that is no admin key of the whole organization `default`: set another one",
    );
    return null;
  }
  // A key that somebody made and then put into the variable is the variable's from now on.
  if (!isNameOfVariable(given.name))
    await store.keys.change({ ...given, name: `${variableKeyName} (${given.name})`.slice(0, 255) });
  for (const earlier of await keysOfVariable(store, principal)) {
    if (earlier.id === given.id) continue;
    const details = { name: earlier.name, role: earlier.role };
    await recordChange({ store, log }, maker, { action: "key.revoked", targetId: earlier.id, details }, () =>
      revokeKey(store, principal, earlier.id),
    );
    log.warn(
      { keyId: earlier.id, newKeyId: given.id },
      "CARREL_ADMIN_KEY has another value: the key that it gave before is revoked",
    );
  }
  return null;
};

const isWholeAdmin = ({ role, partitionId, organizationId }: KeyRecord, principal: Principal): boolean =>
  role === "admin" && partitionId === null && organizationId === principal.organizationId;

/** Usually one: each start with another value revokes the one before. */
const keysOfVariable = async ({ keys }: Accounts, principal: Principal): Promise<KeyRecord[]> => {
  const all = await keys.list(principal, { skip: 0, limit: Number.MAX_SAFE_INTEGER, sortOrder: "desc" });
  return all.items.filter((key) => isNameOfVariable(key.name) && isWholeAdmin(key, principal));
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
