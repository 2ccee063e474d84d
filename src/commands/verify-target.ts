import { findBackups, verifyBackups } from "../backup/verify-backups.ts";
import { CommandFailure } from "../domain/thrown.ts";
import type { Environment } from "../program/environment.ts";
import { withTarget } from "./backup-target.ts";
import { sizeText } from "./output/output.ts";

/** `carrel backup --verify`: reads backups in full and compares every byte with its checksum. No server is needed. */
export const verifyTarget = (
  target: string | undefined,
  options: { config?: string; json?: boolean; verify?: boolean | string },
  environment: Environment,
): Promise<void> =>
  withTarget(target, options, environment, async (opened) => {
    const { write, writeError, isTerminal, stop } = environment;
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
        if (isTerminal) writeError(`\r\u001b[K${sizeText(read)} checked`);
      },
      stop,
    );
    if (isTerminal) writeError("\r\u001b[K");
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
