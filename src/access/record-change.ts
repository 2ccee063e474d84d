import type { AuditEntry, AuditedChange } from "../domain/audit.ts";
import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";

export interface AuditDependencies {
  store: Pick<Store, "audit" | "keys">;
  log: Logger;
}

/** Who makes a change, and from where. */
export interface ChangeMaker {
  principal: Principal;
  /** Where the principal does not tell. */
  actor?: AuditEntry["actor"];
  /** Of the client. */
  address: string;
  requestId: string | null;
}

/**
 * Makes a change and records it. The entry is committed before the change begins: no crash loses the entry of a change
 * that happened. It reaches the disk with the change's own commit at the latest, so the caller does not wait for the
 * disk twice. A change that was refused leaves no entry; one that failed, or may be done in part, says so. After a crash
 * between the two, the entry may record a change that did not happen.
 *
 * A full disk takes no entry, but must not prevent deletions: the entry is then logged, and stored once the
 * change has made room.
 * @returns what the change returns @throws what it throws
 */
export const recordChange = async <T>(
  { store, log }: AuditDependencies,
  maker: ChangeMaker,
  { mayBePartial = false, ...change }: AuditedChange,
  work: () => Promise<T>,
): Promise<T> => {
  const entry = entryOf(store, maker, change);
  const isStored = await add(store, entry, log);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status < 500 && !mayBePartial;
    const settled = isRefused ? store.audit.remove(entry.id) : store.audit.replace({ ...entry, outcome: "failed" });
    await settled.catch((err: unknown) => log.warn({ err, entry }, "an entry of the audit log could not be corrected"));
    throw error;
  }
  if (!isStored) await add(store, entry, log);
  return result;
};

const add = async (store: AuditDependencies["store"], entry: AuditEntry, log: Logger): Promise<boolean> => {
  try {
    await store.audit.add(entry);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "storage_unavailable")) throw error;
    log.error({ entry }, "an entry of the audit log cannot be stored: the disk is full");
    return false;
  }
};

const entryOf = (
  { keys }: AuditDependencies["store"],
  { principal, actor, address, requestId }: ChangeMaker,
  { action, targetId, details = {} }: AuditedChange,
): AuditEntry => {
  const { keyId, organizationId, userId } = principal;
  return {
    id: Bun.randomUUIDv7(),
    organizationId,
    createdAt: Date.now(),
    action,
    actor: actor ?? (keyId === null ? "operator" : principal.isSession === true ? "session" : "key"),
    keyId,
    keyName: keyId === null ? null : (keys.getById(keyId)?.name ?? null),
    userId,
    targetId,
    details,
    outcome: "done",
    address,
    requestId,
  };
};
