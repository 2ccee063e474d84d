import { messageOf } from "../domain/thrown.ts";
import { type BackupRecord, type Journal, stoppedDuringBackup } from "./journal.ts";
import { type RunOptions, runBackup } from "./run-backup.ts";

/**
 * Makes a backup and keeps its record in the journal, from its start to its end. A failure becomes part of the record;
 * a journal that cannot be written is no failure.
 */
export const recordBackup = async (
  options: RunOptions,
  journal: Journal,
  requested: BackupRecord,
  signal: AbortSignal,
): Promise<void> => {
  const { log } = options;
  const save = (work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => log.error({ error: String(error) }, "the list of backups could not be written"));
  let current: BackupRecord = { ...requested, status: "running" };
  const change = (changed: BackupRecord): void => {
    current = changed;
    journal.note(changed);
  };
  const complete = (changed: BackupRecord): Promise<void> => save(() => journal.put(changed));
  let removed: readonly string[] = [];
  try {
    await save(() => journal.put(current));
    const done = await runBackup(options, current, change, complete, signal);
    current = done.record;
    removed = done.removed;
    const { id, documents, bytes, newBytes, target } = current;
    log.info({ backup: id, documents, bytes, newBytes, target }, "a backup is complete");
  } catch (error) {
    const reason = signal.aborted ? stoppedDuringBackup : messageOf(error);
    current = { ...current, status: "failed", finishedAt: Date.now(), error: reason };
    log.error({ backup: current.id, target: current.target, error: reason }, "a backup failed");
  }
  await save(() => journal.put(current));
  await save(() => journal.forget(removed));
};
