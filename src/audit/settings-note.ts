import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fingerprintsOf } from "../../config/changes.ts";
import type { Config } from "../../config/schema.ts";
import { recordChange } from "../access/record-change.ts";
import type { Principal } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";

/** Fingerprints of the settings that a server ran with last. */
const noteName = "settings-seen.json";

interface SettingsNoteOptions {
  config: Config;
  store: Pick<Store, "audit" | "keys" | "secret">;
  principal: Principal;
  log: Logger;
}

const readNote = async (path: string): Promise<Record<string, unknown> | null> => {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
};

/** Notes the settings that are in force, so that the next start knows which of them differ. */
export const noteSettings = async ({ config, store }: Pick<SettingsNoteOptions, "config" | "store">): Promise<void> => {
  const path = join(config.dataDir, noteName);
  const draft = `${path}.unfinished`;
  await writeFile(draft, `${JSON.stringify(fingerprintsOf(config, store.secret))}\n`, { mode: 0o600 });
  await rename(draft, path);
};

/** Puts the names of the settings that differ from those of the last start into the audit log. Settings that are new in this version are left out. */
export const auditChangedSettings = async ({ config, store, principal, log }: SettingsNoteOptions): Promise<void> => {
  try {
    const before = await readNote(join(config.dataDir, noteName));
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
