import type { Config } from "../../../config/schema.ts";
import { parseDuration } from "../../../config/values.ts";
import type { NewestBackup } from "../../backup/journal.ts";
import { stoppedDuringBackup } from "../../backup/journal.ts";
import { othersIn, readManifests } from "../../backup/manifests.ts";
import { serverOf, storeName } from "../../backup/run-backup.ts";
import { openTarget, targetName, tryTarget } from "../../backup/target/open-target.ts";
import { BackupFailure } from "../../backup/target/target.ts";
import { codeOf } from "../../domain/errors.ts";
import { storedSecret } from "../../store/recovery/secret.ts";
import { type Check, failed, fine, type Told, warning } from "./finding.ts";

const dayMs = 86_400_000;
/** A backup a day, and one day that was missed. */
const maxAgeMs = 2 * dayMs;

/** What became of the backups so far, and whether the next one could be written. */
export const backupCheck: Check = {
  name: "backup",
  isQuick: false,
  async run({ config, newestBackup, signal }) {
    if (newestBackup === undefined) return [];
    const [made, target] = await Promise.all([
      madeFindings(newestBackup, config.backup),
      targetFindings(config, signal),
    ]);
    return [...made, ...target];
  },
};

const madeFindings = async (read: () => Promise<NewestBackup>, backup: Config["backup"]): Promise<Told[]> => {
  try {
    return backupFindings(await read(), backup, Date.now());
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    return [
      warning(
        `Whether there is a backup is not known: backups.json in the data folder cannot be read (${code}).`,
        "Run this as the user that Carrel runs as, and make the data folder and what is in it belong to that user.",
      ),
    ];
  }
};

/** @param now epoch ms */
export const backupFindings = (
  { completed, lastAttempt }: NewestBackup,
  { path, every }: Pick<Config["backup"], "path" | "every">,
  now: number,
): Told[] => {
  const found: Told[] = [];
  if (lastAttempt?.status === "failed") {
    const { error, finishedAt } = lastAttempt;
    const why = (error ?? "the log says why").replace(/\.$/, "");
    const detail = `The last backup failed at ${new Date(finishedAt).toISOString()}: ${why}.`;
    const fix = "Mend what it names. A schedule tries again within 15 minutes; `carrel backup` does at once.";
    found.push(error === stoppedDuringBackup ? warning(detail, fix) : failed(detail, fix));
  }
  if (completed === null) {
    const fix =
      path === null
        ? "Set backup.path and backup.every, or run `carrel backup TARGET`."
        : every === null
          ? "Set backup.every, or run `carrel backup`."
          : "Start the server, which makes one, or run `carrel backup`.";
    return found.length > 0 ? found : [warning("There is no backup.", fix)];
  }
  const at = new Date(completed.markedAt).toISOString();
  const longest = Math.max(maxAgeMs, every === null ? 0 : 2 * (parseDuration(every) ?? 0));
  if (now - completed.markedAt > longest)
    found.push(
      warning(
        `The newest backup is ${Math.floor((now - completed.markedAt) / dayMs)} days old (${at}).`,
        "Look at the log for why none was made since, or run `carrel backup TARGET`.",
      ),
    );
  else if (found.length === 0) found.push(fine(`The newest backup was finished at ${at}.`));
  return found;
};

/** Tries `backup.path`, and looks for backups of other servers in it. */
const targetFindings = async ({ backup, dataDir }: Config, signal: AbortSignal): Promise<Told[]> => {
  if (backup.path === null) return [];
  try {
    const target = await openTarget(targetName(backup.path, process.cwd()), backup, dataDir);
    try {
      await tryTarget(target, signal);
      const secret = await storedSecret(dataDir).catch(() => null); // none before the first start
      if (secret === null) return [];
      const own = { store: storeName(secret), server: serverOf(dataDir) };
      const others = othersIn(await readManifests(target, signal), own);
      if (others.length === 0) return [];
      return [
        warning(
          `Other servers keep backups in ${target.name} too: ${others.join(", ")}.`,
          "Give each server a folder or prefix of its own (backup.path): a restore must not take another's backup.",
        ),
      ];
    } finally {
      await target.close();
    }
  } catch (error) {
    if (!(error instanceof BackupFailure)) throw error;
    return [
      failed(
        `Nothing can be backed up to ${backup.path} now: ${error.message}`,
        "Mend what it names, or correct backup.path; in a container or service, the server must be allowed to write there.",
      ),
    ];
  }
};
