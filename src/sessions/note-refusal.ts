import { RateLimiterMemory } from "rate-limiter-flexible";
import type { AuditDependencies, ChangeMaker } from "../access/record-change.ts";
import type { ErrorCode } from "../domain/errors.ts";
import { defaultOrganization } from "../domain/ids.ts";
import type { KeyRecord } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

export type Client = Pick<ChangeMaker, "address" | "requestId">;

/** Somebody could not sign in. */
export interface Refusal {
  client: Client;
  /** A key that was valid once; null for an unknown key. */
  key: KeyRecord | null;
  code: ErrorCode;
  /** How many keys its address has tried within a minute. */
  wrongKeys: number;
  now: number;
}

/** Entries that strangers can make in an hour: many addresses must not fill the disk. */
const maxEntries = 100;
const hourSeconds = 3_600;

/**
 * Puts refused sign-ins into the audit log: of the key's organization, else of `default`. Where that cannot be done,
 * they are in the log like every request.
 */
export const createRefusalNotes = ({
  store,
  log,
}: {
  store: Pick<Store, "audit" | "organizations">;
  log: AuditDependencies["log"];
}): ((refusal: Refusal) => Promise<void>) => {
  const entries = new RateLimiterMemory({ points: maxEntries, duration: hourSeconds });

  return async ({ client, key, code, wrongKeys, now }) => {
    const { consumedPoints } = await entries.penalty("all");
    if (consumedPoints > maxEntries) return;
    try {
      const organizationId = key?.organizationId ?? (await store.organizations.getByName(defaultOrganization))?.id;
      if (organizationId === undefined) return;
      await store.audit.add({
        ...client,
        id: Bun.randomUUIDv7(),
        organizationId,
        createdAt: now,
        action: "session.refused",
        actor: "nobody",
        keyId: key?.id ?? null,
        keyName: key?.name ?? null,
        userId: key?.userId ?? "",
        targetId: null,
        details: { code, wrongKeys },
        outcome: "done",
      });
    } catch (err) {
      log.warn({ err }, "a refused sign-in could not be put into the audit log");
    }
  };
};
