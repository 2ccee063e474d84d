import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { BucketFailure, type SharedBucket } from "./bucket.ts";
import { type Head, newestNumber, newHead, readHead, readNewerHead, writeHead } from "./head.ts";

/** A keeper whose head stood still for so long is taken for dead: writes pause for no longer than that and a start. */
const deadAfterMs = 8_000;

const markSchema = Type.Object({ bucket: Type.String(), id: Type.String() });
const markName = "shared.json";

const readMark = async (dataDir: string): Promise<Static<typeof markSchema> | null> => {
  const found: unknown = await readFile(join(dataDir, markName), "utf8").then(JSON.parse, () => null);
  return Value.Check(markSchema, found) ? found : null;
};

/**
 * The data directory is a store of its own from now on: what it stores no bucket has, and the copy of one may not replace it.
 * @returns the name of the shared store that it was a part of; null: of none
 */
export const leaveShared = async (dataDir: string): Promise<string | null> => {
  const mark = await readMark(dataDir);
  if (mark !== null) await rm(join(dataDir, markName));
  return mark?.bucket ?? null;
};

/**
 * Who this data directory is among the processes of a shared store: one process at a time has it.
 * @throws BucketFailure where the directory holds another store, which the shared one would replace
 */
export const ownId = async (dataDir: string, bucket: SharedBucket, isNew: boolean): Promise<string> => {
  const path = join(dataDir, markName);
  const mark = await readMark(dataDir);
  if (mark?.bucket === bucket.name) return mark.id;
  if ((await holdsTables(dataDir)) && !(isNew && mark === null))
    throw new BucketFailure(
      `The data directory ${dataDir} holds another store than ${bucket.name}${mark === null ? "" : `: that of ${mark.bucket}`}. Give this server a new data directory, or a bucket without a store, which then takes that of the directory.`,
    );
  const next: Static<typeof markSchema> = { bucket: bucket.name, id: crypto.randomUUID() };
  await writeFile(`${path}.part`, `${JSON.stringify(next)}\n`, { mode: 0o600 });
  await rename(`${path}.part`, path);
  return next.id;
};

/**
 * Takes the keeper's place.
 * @param before the head whose keeper is gone; null: the bucket holds no store yet
 * @param bringsStore whether the data directory has a store that the bucket is to have; asked where it holds none
 * @returns null where another process was first
 */
export const takePlace = async (
  bucket: SharedBucket,
  before: Head | null,
  keeper: { id: string; address: string },
  bringsStore: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<Head | null> => {
  const { nonce: _, number, ...head } = before ?? { ...newHead, arriving: await bringsStore() };
  return await writeHead(bucket, { ...head, epoch: head.epoch + 1, keeper }, number, signal);
};

/**
 * Whether a process makes the store of a bucket that has a head, and no tables yet: the keeper itself, or any other when it
 * is gone, unless it was bringing a store that nobody else has.
 */
export const mayMakeStore = ({ keeper, arriving }: Head, id: string, isFree: boolean): boolean =>
  keeper?.id === id || (isFree && !arriving);

/** Whether a data directory has tables. */
export const holdsTables = async (dataDir: string): Promise<boolean> =>
  (await readdir(join(dataDir, "tables")).catch((): string[] => [])).length > 0;

/** What the bucket says, looked at again and again. */
export interface HeadWatch {
  /** Looks now. @returns null while the bucket holds no store */
  look(signal: AbortSignal): Promise<Head | null>;
  /** Whether the place is free: nobody has it, or who has it is dead, or was this data directory before it started. */
  isFree(): boolean;
}

/** @param id see `ownId` */
export const watchHead = (bucket: SharedBucket, id: string): HeadWatch => {
  let seen: Head | null = null;
  /** When the head was first seen as it is, and last (`performance.now()`). */
  let firstSeenAt = performance.now();
  let lastSeenAt = performance.now();
  return {
    async look(signal) {
      const found = seen === null ? await readHead(bucket, signal) : await readNewerHead(bucket, seen.number, signal);
      const now = performance.now();
      // A process that stood still itself begins to wait anew.
      if (found !== null || now - lastSeenAt > deadAfterMs / 2) firstSeenAt = now;
      lastSeenAt = now;
      seen = found ?? seen;
      // The next head may have been removed as an old one while this process stood still.
      if (seen !== null && found === null && now - firstSeenAt >= deadAfterMs / 2)
        if ((await newestNumber(bucket, signal)) !== seen.number) {
          seen = await readHead(bucket, signal);
          firstSeenAt = now;
        }
      return seen;
    },
    isFree() {
      const keeper = seen?.keeper ?? null;
      return keeper === null || keeper.id === id || lastSeenAt - firstSeenAt >= deadAfterMs;
    },
  };
};
