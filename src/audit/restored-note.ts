import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AuditEntry } from "../domain/audit.ts";
import { derivedId } from "../domain/ids.ts";
import type { JsonObject } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";

/** What a restore leaves in the data directory for the audit log, which is in the tables that it replaces. */
interface RestoredNote {
  id: string;
  action: "backup.restored" | "snapshot.restored";
  /** Epoch ms. */
  restoredAt: number;
  details: JsonObject;
}

const noteName = "restored.json";

/** Leaves a note of a restore in a data directory; the next server that starts there adds it to the audit log. */
export const leaveRestoredNote = async (
  folder: string,
  action: RestoredNote["action"],
  details: JsonObject,
): Promise<void> => {
  const note: RestoredNote = { id: Bun.randomUUIDv7(), action, restoredAt: Date.now(), details };
  await writeFile(join(folder, noteName), `${JSON.stringify(note)}\n`, { mode: 0o600, flush: true });
};

const isNote = (value: unknown): value is RestoredNote => {
  if (typeof value !== "object" || value === null) return false;
  const { id, action, restoredAt, details } = value as Record<string, unknown>;
  const isKnown = action === "backup.restored" || action === "snapshot.restored";
  return isKnown && typeof id === "string" && typeof restoredAt === "number" && typeof details === "object";
};

const readNote = async (path: string): Promise<RestoredNote | null> => {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isNote(value) ? value : null;
  } catch {
    return null;
  }
};

/**
 * Records in the audit log of every organization that the data were restored. A crash in between leaves the note for
 * the next start.
 */
export const auditRestoredNote = async (
  { store, log }: { store: Pick<Store, "audit" | "organizations">; log: Logger },
  dataDir: string,
): Promise<void> => {
  const path = join(dataDir, noteName);
  try {
    const note = await readNote(path);
    if (note === null) return;
    const { id, action, restoredAt, details } = note;
    const shared: Omit<AuditEntry, "id" | "organizationId"> = {
      createdAt: restoredAt,
      action,
      actor: "operator",
      keyId: null,
      keyName: null,
      userId: "",
      targetId: null,
      details,
      outcome: "done",
      address: "local",
      requestId: null,
    };
    for (const { id: organizationId } of await store.organizations.list())
      await store.audit.replace({ ...shared, id: derivedId(organizationId, id), organizationId });
    await rm(path, { force: true });
  } catch (err) {
    log.warn({ err }, "a restore could not be put into the audit log");
  }
};
