import { type Check, type Finding, fine, warning } from "../finding.ts";

/** A backup a day, and one day that was missed. */
const maxAgeMs = 2 * 86_400_000;

export const backupCheck: Check = {
  name: "backup",
  isQuick: false,
  run: async ({ newestBackupAt }) =>
    newestBackupAt === undefined ? [] : [backupFinding(await newestBackupAt(), Date.now())],
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
