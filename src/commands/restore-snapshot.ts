import { loadConfig } from "../../config/load.ts";
import { leaveRestoredNote } from "../audit/restored-note.ts";
import { CommandFailure, UsageFailure } from "../domain/errors.ts";
import type { Environment } from "../program/environment.ts";
import { DataDirInUseError } from "../store/disk/lock.ts";
import { NoSnapshotError, restoreSnapshot } from "../store/snapshots/restore-snapshot.ts";
import { diskFault } from "../system/faults.ts";

/** `carrel restore --snapshot`: puts the data directory back to the state before the last upgrade. */
export const restoreSnapshotCommand = async (
  source: string | undefined,
  options: { config?: string; json?: boolean; backup?: string; to?: string; list?: boolean },
  environment: Environment,
): Promise<void> => {
  if (source !== undefined || options.backup !== undefined || options.to !== undefined || options.list === true)
    throw new UsageFailure(
      "--snapshot goes back to the one snapshot of the data directory: it takes no source, --backup, --to or --list.",
    );
  const { config } = await loadConfig({ file: options.config, env: environment.env, cwd: environment.cwd });
  process.umask(0o077);
  const { snapshot, setAside } = await restoreSnapshot(config.dataDir).catch((error: unknown) => {
    if (error instanceof DataDirInUseError)
      throw new CommandFailure(`${error.message}: stop it before you go back to a snapshot.`);
    if (error instanceof NoSnapshotError) throw new CommandFailure(error.message);
    const fault = diskFault(error);
    if (fault !== null)
      throw new CommandFailure(
        `${config.dataDir} could not be put back: ${fault}. Nothing is lost: run the command again when that has changed.`,
      );
    throw error;
  });
  const { schema, program, createdAt } = snapshot;
  await leaveRestoredNote(config.dataDir, "snapshot.restored", { createdAt, schema }).catch((error: unknown) =>
    environment.writeError(`The audit log will not name this: ${diskFault(error) ?? String(error)}.\n`),
  );
  if (options.json === true) {
    environment.write(`${JSON.stringify({ schema, program, createdAt, setAside }, null, 2)}\n`);
    return;
  }
  const older = program === null ? `the Carrel that used schema ${schema}` : `Carrel ${program}`;
  environment.write(
    `Went back to the snapshot of ${createdAt} (schema ${schema}). Start ${older} now: a newer one upgrades the data again.\nWhat was stored since is in ${setAside}: delete it when you no longer need it.\n`,
  );
};
