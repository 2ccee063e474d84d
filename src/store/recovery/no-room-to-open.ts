import { ApiError } from "../../domain/errors.ts";
import { isNoSpace, usualMinFreeBytes } from "../disk/free-space.ts";
import { listSnapshots } from "../snapshots/snapshots.ts";

/** The disk has no room for what a start has to write. */
export class NoRoomToOpenError extends Error {
  override readonly name = "NoRoomToOpenError";
}

const isOfFullDisk = (error: unknown): boolean =>
  error instanceof ApiError ? error.code === "storage_unavailable" : isNoSpace(error);

/**
 * What a start says of a full disk, which the system and LanceDB name in their own words: what to do, and in the midst
 * of an upgrade that there is a way back. Other errors stay as they are.
 */
export const explainFullDisk = async (dataDir: string, error: unknown): Promise<unknown> => {
  if (!isOfFullDisk(error)) return error;
  const [newest] = await listSnapshots(dataDir);
  const isUpgrading = newest !== undefined && !newest.isComplete;
  const next = isUpgrading
    ? ` The upgrade from schema ${newest.schema} to ${newest.target} then goes on; or go back to the state before it with \`carrel restore --snapshot\`.`
    : "";
  const needed = usualMinFreeBytes / 1024 / 1024;
  return new NoRoomToOpenError(
    `The disk of the data in ${dataDir} is full: free at least ${needed} MB and start again. Nothing that was stored is lost.${next}`,
    { cause: error },
  );
};
