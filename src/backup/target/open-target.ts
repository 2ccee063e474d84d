import { rmdir, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Config } from "../../../config/schema.ts";
import { isAddress, parseS3Address } from "../../../config/values.ts";
import { graceAfter } from "../../async/waiting.ts";
import { createS3Calls, type S3Access } from "../../s3/calls.ts";
import { isWithin } from "../../system/paths.ts";
import { claimsFolder } from "../format/format.ts";
import { openFolderTarget } from "./folder-target.ts";
import { BackupFailure, type BackupTarget, maxObjectBytes } from "./target.ts";

/** A bucket as a target. */
const openS3Target = (bucket: string, prefix: string, access: S3Access): BackupTarget => {
  const { name, attempt, list, persist, unusable, notFound } = createS3Calls({
    bucket,
    prefix,
    access,
    settings: "backup.s3",
    maxObjectBytes,
    failure: (message) => new BackupFailure(message),
  });
  return {
    name,
    list,
    async read(object, signal) {
      const found = await persist(signal, () => attempt(object, { method: "GET" }, signal));
      return typeof found === "string" ? null : found;
    },
    async write(object, bytes, signal) {
      const written = await persist(signal, () => attempt(object, { method: "PUT", body: bytes }, signal));
      if (written === null) throw unusable(notFound);
    },
    async remove(object, signal) {
      await persist(signal, () => attempt(object, { method: "DELETE" }, signal));
    },
    flush: async () => undefined, // what a bucket acknowledged is kept
    close: async () => undefined,
  };
};

/** The target as it is shown and compared: an absolute path, or an address without a slash at its end. @throws BackupFailure */
export const targetName = (target: string, cwd: string): string => {
  // A shell's variable without a value must not stand for the working directory.
  if (target === "") throw new BackupFailure("The target of the backup is empty: name a folder or s3://bucket/prefix.");
  if (!isAddress(target)) return resolve(cwd, target);
  const s3 = parseS3Address(target);
  if (s3 === null) throw new BackupFailure("A backup's target is a folder or an address such as s3://bucket/prefix.");
  return s3.prefix === "" ? `s3://${s3.bucket}` : `s3://${s3.bucket}/${s3.prefix}`;
};

/**
 * Opens a target; a folder need not exist yet.
 * @param target as `targetName` returns it
 * @param dataDir null if the target is only read
 * @throws BackupFailure if it cannot be one
 */
export const openTarget = async (
  target: string,
  { s3: access }: Config["backup"],
  dataDir: string | null,
): Promise<BackupTarget> => {
  const s3 = parseS3Address(target);
  if (s3 === null) {
    if (dataDir !== null && (await isWithin(resolve(dataDir), target)))
      throw new BackupFailure(
        `${target} is inside the data directory: a backup there would be lost together with the data. Choose another disk.`,
      );
    return openFolderTarget(target);
  }
  const { accessKeyId, secretAccessKey } = access;
  if (accessKeyId === null || secretAccessKey === null)
    throw new BackupFailure(`${target} needs keys: set backup.s3.accessKeyId and backup.s3.secretAccessKey.`);
  return openS3Target(s3.bucket, s3.prefix, {
    ...access,
    accessKeyId: accessKeyId.reveal(),
    secretAccessKey: secretAccessKey.reveal(),
  });
};

/** A target that hangs is told of after this long. */
const limitMs = 20_000;
/** After that, the object that was written may take so long to be removed. */
const removeWithinMs = 2_000;

/**
 * Writes, reads and removes one small object, and leaves the target as it was: folders that it had to make go too.
 * @throws BackupFailure that says what does not work; the signal's reason
 */
export const tryTarget = async (target: BackupTarget, signal: AbortSignal): Promise<void> => {
  const late = AbortSignal.timeout(limitMs);
  const limit = AbortSignal.any([signal, late]);
  const name = `${claimsFolder}/try.${crypto.randomUUID()}`;
  const written = crypto.getRandomValues(new Uint8Array(16));
  const made = isAbsolute(target.name) ? await firstMissing(join(target.name, claimsFolder)) : null;
  try {
    try {
      await target.write(name, written, limit);
      const read = await target.read(name, limit);
      if (read === null || !Buffer.from(read).equals(written))
        throw new BackupFailure(
          `${target.name} does not keep what is written to it: what was read back was different.`,
        );
      await target.remove(name, limit);
    } catch (error) {
      const grace = graceAfter(limit, removeWithinMs);
      await target.remove(name, grace.signal).catch(() => undefined);
      grace.end();
      throw error;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw new BackupFailure(`${target.name} did not answer within ${limitMs / 1_000} seconds.`);
    throw error;
  } finally {
    if (made !== null) await removeEmpty(join(target.name, claimsFolder), made);
  }
};

/** The uppermost folder of a path that is not there; null if all are. */
const firstMissing = async (path: string): Promise<string | null> => {
  let missing: string | null = null;
  for (let at = path; ; at = dirname(at)) {
    if ((await stat(at).catch(() => null)) !== null || at === dirname(at)) return missing;
    missing = at;
  }
};

/** Removes empty folders from one up to another that is above it. */
const removeEmpty = async (from: string, to: string): Promise<void> => {
  for (let at = from; at.length >= to.length; at = dirname(at)) await rmdir(at).catch(() => undefined);
};
