import { isAbsolute } from "node:path";
import { loadConfig } from "../../config/load.ts";
import { leaveRestoredNote } from "../audit/notes.ts";
import { readManifests, serverName, serversIn } from "../backup/manifests.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { BackupFailure, type BackupTarget } from "../backup/target/target.ts";
import { findBackups } from "../backup/verify-backups.ts";
import { CommandFailure, UsageFailure } from "../domain/errors.ts";
import type { Environment } from "../program/environment.ts";
import { leaveShared } from "../replication/place.ts";
import { DataDirInUseError } from "../store/disk/lock.ts";
import { NoSnapshotError, restoreSnapshot } from "../store/snapshots/restore-snapshot.ts";
import { diskFault } from "../system/faults.ts";
import { withTarget } from "./backup.ts";
import {
  assertOutside,
  namedPath,
  type OutputOptions,
  quotedForShell,
  sizeText,
  table,
  terminalLine,
} from "./output/output.ts";

interface RestoreOptions extends OutputOptions {
  /** Id of a backup, or its beginning; else the newest. */
  backup?: string;
  /** The new data directory. */
  to?: string;
  list?: boolean;
}

/** `carrel restore`: writes a backup into a new data directory, or lists the backups. No server is needed. */
export const restore = (
  source: string | undefined,
  options: RestoreOptions,
  environment: Environment,
): Promise<void> => {
  const { list, to } = options;
  if (list !== true && to === undefined)
    throw new UsageFailure("Name the new data directory with --to; --list shows the backups.");
  return withTarget(source, options, environment, (target) =>
    to === undefined || list === true
      ? listBackups(target, options, environment)
      : restoreTo(namedPath(to, environment.cwd), target, options, environment),
  );
};

const listBackups = async (
  target: BackupTarget,
  { json }: RestoreOptions,
  { write, stop }: Environment,
): Promise<void> => {
  const found = await readManifests(target, stop);
  const rows = found.map(({ id, manifest }) => {
    const readable = typeof manifest === "string" ? null : manifest;
    return {
      id,
      markedAt: readable?.markedAt ?? null,
      documents: readable?.documents ?? null,
      bytes: readable?.bytes ?? null,
      newBytes: readable?.newBytes ?? null,
      version: readable?.version ?? null,
      store: readable?.store ?? null,
      server: readable?.server ?? null,
      error: typeof manifest === "string" ? manifest : null,
    };
  });
  if (json === true) {
    write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  if (rows.length === 0) throw new CommandFailure(`${target.name} holds no backup.`);
  const cells = found.map(({ id, manifest }) => {
    if (typeof manifest === "string") return [id, manifest, "", "", "", ""];
    const { markedAt, documents, bytes, newBytes } = manifest;
    return [id, markedAt, String(documents), sizeText(bytes), sizeText(newBytes), serverName(manifest)];
  });
  write(table(["backup", "state of", "documents", "size", "new", "server"], cells));
};

const restoreTo = async (
  folder: string,
  target: BackupTarget,
  options: RestoreOptions,
  environment: Environment,
): Promise<void> => {
  const { env, cwd, write, writeError, stop } = environment;
  const line = terminalLine(environment);
  const { config } = await loadConfig({ file: options.config, env, cwd });
  // The data directory itself may be the place: it is often empty after a disk was replaced.
  if (folder !== config.dataDir) await assertOutside(folder, config.dataDir, "the data directory");
  if (isAbsolute(target.name)) await assertOutside(folder, target.name, "the folder of the backups,");
  const chosen = await choose(target, options.backup ?? null, stop);
  let written = 0;
  let leftOut: readonly string[] = [];
  const startedAt = performance.now();
  try {
    leftOut = await restoreBackup({
      source: target,
      manifest: chosen,
      folder,
      onWritten(bytes) {
        written += bytes;
        line.show(`${sizeText(written)} of ${sizeText(chosen.bytes)}`);
      },
      signal: stop,
    });
  } catch (error) {
    if (error instanceof BackupFailure || stop.aborted) throw error;
    throw new CommandFailure(`The backup could not be restored to ${folder}: ${diskFault(error) ?? String(error)}.`);
  } finally {
    line.clear();
  }
  for (const path of leftOut)
    writeError(`${path} was left out: its content is not what its name says. Ingest the file of its document again.\n`);
  const { id, markedAt, documents, bytes, version } = chosen;
  const ms = Math.round(performance.now() - startedAt);
  if (options.json === true) {
    write(`${JSON.stringify({ id, markedAt, documents, bytes, version, to: folder, ms, leftOut }, null, 2)}\n`);
    return;
  }
  write(`${documents} documents, ${sizeText(bytes)}, as of ${markedAt} are in ${folder}\n`);
  writeError(`Start with it: CARREL_DATA_DIR=${quotedForShell(folder)} carrel serve, or set dataDir.\n`);
};

/**
 * The backup that is named, or the newest that can be read where all are of one server.
 * @throws CommandFailure
 */
const choose = async (target: BackupTarget, id: string | null, stop: AbortSignal) => {
  const all = await findBackups(target, id, stop);
  const servers = id === null ? serversIn(all) : [];
  if (servers.length > 1) {
    const newest = servers.map(
      ({ name, backups: [first] }) => `\n  ${name}: ${first?.id ?? "none"}, as of ${first?.markedAt ?? "?"}`,
    );
    throw new CommandFailure(
      `${target.name} holds backups of ${servers.length} servers: say which is meant with --backup (--list shows all). The newest of each:${newest.join("")}`,
    );
  }
  const [found] = all;
  if (found === undefined)
    throw new CommandFailure(`${target.name} holds no ${id === null ? "backup" : `backup ${id}`}; --list shows them.`);
  if (typeof found.manifest === "string")
    throw new CommandFailure(`The backup ${found.id} cannot be used: ${found.manifest}.`);
  return found.manifest;
};

/** `carrel restore --snapshot`: puts the data directory back to the state before the last upgrade. */
export const restoreSnapshotCommand = async (
  source: string | undefined,
  options: RestoreOptions,
  environment: Environment,
): Promise<void> => {
  if (source !== undefined || options.backup !== undefined || options.to !== undefined || options.list === true)
    throw new UsageFailure(
      "--snapshot goes back to the one snapshot of the data directory: it takes no source, --backup, --to or --list.",
    );
  const { config } = await loadConfig({ file: options.config, env: environment.env, cwd: environment.cwd });
  if (config.store.uri !== null)
    throw new CommandFailure(
      `The store is shared (${config.store.uri}), and this data directory a copy of it: the next start would replace what the snapshot brings back. Stop all servers, leave store.uri out, and run this again: the data directory is a store of its own then, which an empty bucket can take.`,
    );
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
  await leaveShared(config.dataDir);
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
