import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { Config } from "../../config/schema.ts";
import { parseDuration } from "../../config/values.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { replaceControls } from "../text/clean-text.ts";
import { createClaims } from "./claims.ts";
import type { Manifest } from "./format/format.ts";
import type { BackupRecord } from "./journal.ts";
import { prune } from "./prune.ts";
import { takeBackup } from "./take-backup.ts";
import { openTarget } from "./target/open-target.ts";

export interface RunOptions {
  config: Pick<Config, "dataDir" | "backup">;
  store: Pick<Store, "freeze" | "secret">;
  version: string;
  log: Logger;
}

const shortDigest = (text: string | Uint8Array, digits: number): string =>
  createHash("sha256").update("carrel backup\n").update(text).digest("hex").slice(0, digits);

/** Names a store in its backups. The secret is part of the data: a restored store keeps the name. */
export const storeName = (secret: Uint8Array): string => shortDigest(secret, 32);

/** Where a server is, as its backups say. */
export const serverOf = (dataDir: string): NonNullable<Manifest["server"]> => ({
  host: plain(hostname(), 255),
  dataDir: plain(resolve(dataDir), 4_096),
});

/** As a manifest takes it. */
const plain = (text: string, maxLength: number): string => replaceControls(text, "?").slice(0, maxLength);

/**
 * Makes one backup and removes those that are too old.
 * @param onChange called with the record whenever it changes
 * @param onComplete called when the backup is complete, before old ones are removed
 * @returns ids of the backups that were removed
 * @throws BackupFailure, the signal's reason
 */
export const runBackup = async (
  options: RunOptions,
  record: BackupRecord,
  onChange: (record: BackupRecord) => void,
  onComplete: (record: BackupRecord) => Promise<void>,
  signal: AbortSignal,
): Promise<{ record: BackupRecord; removed: readonly string[] }> => {
  const { config, version, log } = options;
  const dataDir = resolve(config.dataDir);
  const store = storeName(options.store.secret);
  const target = await openTarget(record.target, config.backup, dataDir);
  try {
    const claims = createClaims(target, shortDigest(`${hostname()}\n${dataDir}\n${store}`, 16));
    const removeOld = async (): Promise<readonly string[]> => {
      try {
        const { backups, objects, left } = await prune(target, {
          claims,
          keep: config.backup.keep,
          everyMs: config.backup.every === null ? null : parseDuration(config.backup.every),
          made: record.id,
          signal,
        });
        if (left !== null) log.warn({ reason: left }, "unused parts of old backups were left in the target");
        else if (objects > 0) log.info({ backups: backups.length, objects }, "old backups were removed");
        return backups;
      } catch (error) {
        // The backup is complete all the same; the next one removes them.
        if (!signal.aborted) log.warn({ error: String(error) }, "old backups could not be removed");
        return [];
      }
    };
    const claim = await claims.forBackup(signal);
    let current = record;
    try {
      const manifest = await takeBackup({
        id: record.id,
        createdAt: record.createdAt,
        target,
        freeze: options.store.freeze,
        assertHeld: claim.assertHeld,
        store,
        server: serverOf(dataDir),
        version,
        onProgress(progress) {
          current = { ...current, ...progress };
          onChange(current);
        },
        onOthers: (servers) =>
          log.warn(
            { target: target.name, servers },
            "other servers keep backups in the same target: give each a folder or prefix of its own",
          ),
        onMissing: (path) =>
          log.warn({ path }, "a file that documents name is missing or damaged: the backup lacks it"),
        signal,
      });
      const { bytes, newBytes, documents } = manifest;
      current = {
        ...current,
        bytes,
        newBytes,
        documents,
        status: "completed",
        finishedAt: Date.parse(manifest.finishedAt),
      };
    } finally {
      await claim.release();
    }
    await onComplete(current);
    return { record: current, removed: await removeOld() };
  } finally {
    await target.close();
  }
};
