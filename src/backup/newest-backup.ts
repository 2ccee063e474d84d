import { isFromWrongClock } from "../domain/times.ts";
import { readJournal } from "./journal.ts";

/** The state of the backups of a data directory. */
export interface NewestBackup {
  /**
   * The newest backup that is complete: the moment whose state it holds (epoch ms) and where it is; null if there is
   * none.
   */
  readonly completed: {
    readonly id: string;
    readonly markedAt: number;
    readonly bytes: number;
    readonly target: string;
  } | null;
  /**
   * The newest attempt that ended: "completed" or "failed", when (epoch ms), and why it failed; null if there was none.
   */
  readonly lastAttempt: {
    readonly status: "completed" | "failed";
    readonly finishedAt: number;
    readonly error: string | null;
  } | null;
}

/**
 * Time and outcome of the newest backup, for metrics and `carrel doctor`. It reads one small file of the data directory
 * (`backups.json`), whether a server runs on it or not; the target itself is not asked.
 * @throws the error of the file system if the file is there and cannot be read
 */
export const newestBackup = async (dataDir: string): Promise<NewestBackup> => {
  // What a wrong clock dated would be the newest for years.
  const records = (await readJournal(dataDir)).filter(
    ({ createdAt, finishedAt }) => !isFromWrongClock(finishedAt ?? createdAt),
  );
  const completed = records.find(({ status }) => status === "completed");
  const ended = records.find(({ status }) => status === "completed" || status === "failed");
  return {
    completed:
      completed === undefined
        ? null
        : {
            id: completed.id,
            markedAt: completed.markedAt ?? completed.createdAt,
            bytes: completed.bytes,
            target: completed.target,
          },
    lastAttempt:
      ended === undefined
        ? null
        : {
            status: ended.status === "completed" ? "completed" : "failed",
            finishedAt: ended.finishedAt ?? ended.createdAt,
            error: ended.error,
          },
  };
};

/** The moment whose state the newest complete backup holds (epoch ms); null if there is none. @throws as `newestBackup` */
export const newestBackupAt = async (dataDir: string): Promise<number | null> =>
  (await newestBackup(dataDir)).completed?.markedAt ?? null;
