import type { Command } from "commander";
import type { Environment } from "../../program/environment.ts";
import { addCommand, withJson } from "./define.ts";

/** `backup` and `restore`. */
export const addBackupCommands = (program: Command, environment: Environment): void => {
  withJson(addCommand(program, "backup [target]", "back up everything to a folder or bucket, while the server runs"))
    .option("--verify [id]", "check the backups that are there, or one of them, byte by byte")
    .addHelpText("after", "\nTarget: a folder, or s3://bucket/prefix; without one, backup.path.")
    .action(async (target: string | undefined, _options, command: Command) => {
      const { backup } = await import("../backup.ts");
      await backup(target, command.optsWithGlobals(), environment);
    });

  withJson(
    addCommand(
      program,
      "restore [source]",
      "write a backup into a new data directory, or return to the state before an upgrade",
    ),
  )
    .option("--backup <id>", "which backup; without it, the newest")
    .option("--to <dir>", "the new data directory: missing or empty")
    .option("--list", "list the backups instead")
    .option("--snapshot", "return to the state before the data directory was last upgraded")
    .addHelpText("after", "\nSource: the folder, or s3://bucket/prefix; without one, backup.path.")
    .action(async (source: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals();
      if (options.snapshot === true) {
        const { restoreSnapshotCommand } = await import("../restore-snapshot.ts");
        return await restoreSnapshotCommand(source, options, environment);
      }
      const { restore } = await import("../restore.ts");
      await restore(source, options, environment);
    });
};
