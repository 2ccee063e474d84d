import { resolve } from "node:path";
import type { Config } from "../../../config/schema.ts";
import { isAddress, parseS3Address } from "../../../config/values.ts";
import { isWithin } from "../../system/paths.ts";
import { openFolderTarget } from "./folder-target.ts";
import { openS3Target } from "./s3-target.ts";
import { BackupFailure, type BackupTarget } from "./target.ts";

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
