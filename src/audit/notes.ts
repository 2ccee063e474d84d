import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fingerprintsOf } from "../../config/changes.ts";
import type { Config } from "../../config/schema.ts";
import { recordChange } from "../access/record-change.ts";
import type { AuditEntry } from "../domain/audit.ts";
import { derivedId } from "../domain/ids.ts";
import type { JsonObject, Principal } from "../domain/records.ts";
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

const restoredName = "restored.json";

/** Leaves a note of a restore in a data directory; the next server that starts there adds it to the audit log. */
export const leaveRestoredNote = async (
  folder: string,
  action: RestoredNote["action"],
  details: JsonObject,
): Promise<void> => {
  const note: RestoredNote = { id: Bun.randomUUIDv7(), action, restoredAt: Date.now(), details };
  await writeFile(join(folder, restoredName), `${JSON.stringify(note)}\n`, { mode: 0o600, flush: true });
};

const isNote = (value: unknown): value is RestoredNote => {
  if (typeof value !== "object" || value === null) return false;
  const { id, action, restoredAt, details } = value as Record<string, unknown>;
  const isKnown = action === "backup.restored" || action === "snapshot.restored";
  return isKnown && typeof id === "string" && typeof restoredAt === "number" && typeof details === "object";
};

const readRestored = async (path: string): Promise<RestoredNote | null> => {
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
  const path = join(dataDir, restoredName);
  try {
    const note = await readRestored(path);
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

/** Fingerprints of the settings that a server ran with last. */
const settingsName = "settings-seen.json";

interface SettingsNoteOptions {
  config: Config;
  store: Pick<Store, "audit" | "keys" | "secret">;
  principal: Principal;
  log: Logger;
}

const readSettings = async (path: string): Promise<Record<string, unknown> | null> => {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
};

/** Notes the settings that are in force, so that the next start knows which of them differ. */
export const noteSettings = async ({ config, store }: Pick<SettingsNoteOptions, "config" | "store">): Promise<void> => {
  const path = join(config.dataDir, settingsName);
  const draft = `${path}.unfinished`;
  await writeFile(draft, `${JSON.stringify(fingerprintsOf(config, store.secret))}\n`, { mode: 0o600 });
  await rename(draft, path);
};

/** Puts the names of the settings that differ from those of the last start into the audit log. Settings that are new in this version are left out. */
export const auditChangedSettings = async ({ config, store, principal, log }: SettingsNoteOptions): Promise<void> => {
  try {
    const before = await readSettings(join(config.dataDir, settingsName));
    const now = fingerprintsOf(config, store.secret);
    const settings = Object.keys(now).filter((name) => name in (before ?? {}) && before?.[name] !== now[name]);
    const change = { action: "settings.changed", targetId: null, details: { settings } } as const;
    const maker = { principal, actor: "start", address: "local", requestId: null } as const;
    if (settings.length > 0) await recordChange({ store, log }, maker, change, () => noteSettings({ config, store }));
    else if (before === null) await noteSettings({ config, store });
  } catch (err) {
    log.warn({ err }, "changed settings could not be put into the audit log");
  }
};

const hourMs = 3_600_000;
/** How long entries of the audit log are kept. */
const auditMs = 90 * 24 * hourMs;

/** Removes old entries of the audit log and old receipts, now and every hour. */
export const pruneOld = (
  store: Pick<Store, "audit" | "receipts">,
  { receiptsMs }: { receiptsMs: number },
  log: Logger,
): { close(): Promise<void> } => {
  const removal = (what: string, work: () => Promise<void>): Promise<void> =>
    work().catch((err: unknown) => log.warn({ err }, `old ${what} could not be removed`));
  const prune = async (): Promise<void> => {
    await removal("entries of the audit log", () => store.audit.removeOlder(auditMs));
    await removal("receipts", () => store.receipts.removeOlder(receiptsMs));
  };
  let pruning = prune();
  const timer = setInterval(() => {
    pruning = pruning.then(prune);
  }, hourMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await pruning;
    },
  };
};
