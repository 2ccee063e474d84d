import { codeOf } from "../../domain/thrown.ts";
import { type Check, type Finding, fine, warning } from "../finding.ts";

/** A backup a day, and one day that was missed. */
const maxAgeMs = 2 * 86_400_000;

export const backupCheck: Check = {
  name: "backup",
  isQuick: false,
  async run({ newestBackupAt }) {
    if (newestBackupAt === undefined) return [];
    try {
      return [backupFinding(await newestBackupAt(), Date.now())];
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
  },
};

/** @param newestAt when the newest backup was finished (epoch ms) */
export const backupFinding = (newestAt: number | null, now: number): Omit<Finding, "check"> => {
  if (newestAt === null)
    return warning("There is no backup.", "Set backup.path and backup.every, or run `carrel backup TARGET`.");
  const at = new Date(newestAt).toISOString();
  return now - newestAt > maxAgeMs
    ? warning(
        `The newest backup is ${Math.floor((now - newestAt) / 86_400_000)} days old (${at}).`,
        "Look at the log for why none was made since, or run `carrel backup TARGET`.",
      )
    : fine(`The newest backup was finished at ${at}.`);
};
