/** A backup, its check or a restore failed. The message says what to do next, and holds no secret of the target. */
export class BackupFailure extends Error {
  override readonly name = "BackupFailure";
}
