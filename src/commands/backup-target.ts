import { loadConfig } from "../../config/load.ts";
import { openTarget, targetName } from "../backup/target/open-target.ts";
import { BackupFailure, type BackupTarget } from "../backup/target/target.ts";
import { CommandFailure, messageOf, UsageFailure } from "../domain/errors.ts";
import type { Environment } from "../program/environment.ts";

/**
 * The target in the form in which the server compares it: relative paths would mean another folder there.
 * @throws UsageFailure
 */
export const namedTarget = (target: string, cwd: string): string => {
  try {
    return targetName(target, cwd);
  } catch (error) {
    throw new UsageFailure(messageOf(error));
  }
};

/**
 * Opens a target to read it, for a command that needs no server, and closes it afterwards.
 * @param target undefined: `backup.path`
 * @throws CommandFailure
 */
export const withTarget = async <T>(
  target: string | undefined,
  options: { config?: string },
  { env, cwd }: Environment,
  work: (opened: BackupTarget) => Promise<T>,
): Promise<T> => {
  const { config } = await loadConfig({ file: options.config, env, cwd });
  const named = target ?? config.backup.path;
  if (named === null) throw new CommandFailure("Name the folder or bucket, or set backup.path.");
  try {
    const opened = await openTarget(namedTarget(named, cwd), config.backup, null);
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  } catch (error) {
    throw error instanceof BackupFailure ? new CommandFailure(error.message) : error;
  }
};
