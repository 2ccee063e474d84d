import type { Static } from "@sinclair/typebox";
import { loadConfig } from "../../config/load.ts";
import { pause } from "../async/waiting.ts";
import type { backupSchema } from "../backup/routes.ts";
import { openTarget, targetName } from "../backup/target/open-target.ts";
import { BackupFailure, type BackupTarget } from "../backup/target/target.ts";
import { findBackups, verifyBackups } from "../backup/verify-backups.ts";
import { CommandFailure, messageOf, UsageFailure } from "../domain/errors.ts";
import type { Environment } from "../program/environment.ts";
import { type ClientOptions, jsonBody, readAnswer, withClient } from "./client/client.ts";
import { printResult, sizeText, terminalLine } from "./output/output.ts";

/**
 * The target in the form in which the server compares it: relative paths would mean another folder there.
 * @throws UsageFailure
 */
const namedTarget = (target: string, cwd: string): string => {
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

/** `carrel backup --verify`: reads backups in full and compares every byte with its checksum. No server is needed. */
const verifyTarget = (
  target: string | undefined,
  options: { config?: string; json?: boolean; verify?: boolean | string },
  environment: Environment,
): Promise<void> =>
  withTarget(target, options, environment, async (opened) => {
    const { write, stop } = environment;
    const line = terminalLine(environment);
    const id = typeof options.verify === "string" ? options.verify : null;
    const backups = await findBackups(opened, id, stop);
    if (backups.length === 0)
      throw new CommandFailure(
        id === null ? `${opened.name} holds no backup.` : `${opened.name} holds no backup ${id}.`,
      );
    let read = 0;
    const verified = await verifyBackups(
      opened,
      backups,
      (bytes) => {
        read += bytes;
        line.show(`${sizeText(read)} checked`);
      },
      stop,
    );
    line.clear();
    if (verified.length === 0) throw new CommandFailure("The backup was removed while it was read.");
    if (options.json === true) write(`${JSON.stringify(verified, null, 2)}\n`);
    else
      for (const { id: name, status, markedAt, bytes, damaged, objects } of verified)
        write(
          `${[`${name}  ${status}  ${markedAt ?? "?"}  ${sizeText(bytes)}`, ...damaged, ...objects].join("\n  ")}\n`,
        );
    const broken = verified.filter(({ status }) => status === "damaged").length;
    if (broken > 0) throw new CommandFailure(`${broken} of ${verified.length} backups are damaged.`);
  });

type Backup = Static<typeof backupSchema>;

interface BackupOptions extends ClientOptions {
  /** True: all backups. */
  verify?: boolean | string;
}

/** What the id of a backup consists of. */
const idStart = /^[0-9a-f-]+$/i;
const lookEveryMs = 250;
/** The requested backup is among this many newest ones. */
const listed = "/api/backup?limit=100";

/**
 * `carrel backup`: makes a backup through the running server, or of the store itself; or checks those that are there.
 */
export const backup = async (
  target: string | undefined,
  options: BackupOptions,
  environment: Environment,
): Promise<void> => {
  if (options.verify !== undefined) {
    const { verify } = options;
    // `carrel backup --verify /mnt/backups` is easily written: the option takes what follows for its id.
    const isTarget = target === undefined && typeof verify === "string" && !idStart.test(verify);
    return isTarget
      ? verifyTarget(verify, { ...options, verify: true }, environment)
      : verifyTarget(target, options, environment);
  }
  const { cwd, stop } = environment;
  const named = target === undefined ? null : namedTarget(target, cwd);
  const line = terminalLine(environment);
  await withClient(options, environment, async (client) => {
    let made = await readAnswer<Backup>(await client.send("/api/backup", jsonBody({ target: named })));
    while (made.status === "pending" || made.status === "running") {
      await pause(lookEveryMs, stop);
      stop.throwIfAborted();
      const { id } = made;
      const found: Backup | undefined = (await readAnswer<Backup[]>(await client.send(listed))).find(
        (other) => other.id === id,
      );
      if (found === undefined) throw new CommandFailure("The server no longer lists the backup: check its log.");
      made = found;
      if (made.status === "running")
        line.show(`${sizeText(made.bytes)} done, ${sizeText(made.newBytes)} of them written`);
    }
    line.clear();
    if (made.status === "failed") throw new CommandFailure(`The backup failed: ${made.error ?? "look at the log"}`);
    printResult(made, inWords, options, environment);
  });
};

const inWords = ({ id, documents, bytes, newBytes, target }: Backup): string =>
  `${id}: ${documents} documents, ${sizeText(bytes)} (${sizeText(newBytes)} new) in ${target}\n`;
