import { open, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { ApiError } from "../errors.ts";
import type { Logger } from "../log.ts";

/** Keeps the disk from filling up under the tables: growing writes stop while deletions still have room to work. */
export interface FreeSpaceGuard {
  /** @throws ApiError storage_unavailable where too little is left */
  beforeGrowth(): Promise<void>;
  /** What the caller is told where a write failed for want of space; other errors unchanged. */
  explain(error: unknown): unknown;
}

export interface FreeSpaceOptions {
  dataDir: string;
  log: Logger;
  minFreeBytes?: number;
  /** Free bytes of the file system that holds a folder. */
  freeBytes?: (folder: string) => Promise<number>;
}

const defaultMinFreeBytes = 64 * 1024 * 1024;
/** Given up when the disk is full all the same (others write to it too), so that deleting and compacting go on. */
const reserveBytes = 16 * 1024 * 1024;
const checkEveryMs = 1_000;

const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

const isNoSpace = (error: unknown): boolean =>
  error instanceof Error &&
  /No space left|StorageFull|ENOSPC|EDQUOT|Disk quota|os error (28|122)\b/i.test(
    `${error.message} ${"code" in error ? error.code : ""}`,
  );

const refusal = (cause?: unknown): ApiError =>
  new ApiError("storage_unavailable", "the disk that holds the data is full: free some space; reading goes on", {
    cause,
  });

export const createFreeSpaceGuard = async (options: FreeSpaceOptions): Promise<FreeSpaceGuard> => {
  const { dataDir, log, minFreeBytes = defaultMinFreeBytes, freeBytes = freeBytesOf } = options;
  const reserve = join(dataDir, "reserve");
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | null = null;
  let short = false;
  let reserved = (await stat(reserve).catch(() => null))?.size === reserveBytes;

  const keepReserve = async (): Promise<void> => {
    try {
      const file = await open(reserve, "w", 0o600);
      try {
        // Written out, not only sized: a hole would reserve nothing.
        await file.writeFile(new Uint8Array(reserveBytes));
      } finally {
        await file.close();
      }
      reserved = true;
    } catch (error) {
      await rm(reserve, { force: true });
      log.warn({ error: String(error) }, "no space could be kept in reserve");
    }
  };

  const check = async (): Promise<void> => {
    const free = await freeBytes(dataDir).catch(() => Number.POSITIVE_INFINITY); // unknown: LanceDB will say
    const isShort = free < minFreeBytes;
    if (isShort && !short) log.error({ freeBytes: free, minFreeBytes }, "the disk is nearly full: writes are refused");
    if (!isShort && short) log.info({ freeBytes: free }, "there is space on the disk again");
    short = isShort;
    if (!short && !reserved && free > minFreeBytes + 2 * reserveBytes) await keepReserve();
    checkedAt = performance.now();
  };

  await check();

  return {
    async beforeGrowth() {
      if (performance.now() - checkedAt >= checkEveryMs) {
        checking ??= check().finally(() => {
          checking = null;
        });
        await checking;
      }
      if (short) throw refusal();
    },
    explain(error) {
      if (!isNoSpace(error)) return error;
      if (reserved) {
        reserved = false;
        log.error({}, "the disk is full: the space kept in reserve is given up");
        void rm(reserve, { force: true });
      }
      short = true;
      checkedAt = performance.now();
      return refusal(error);
    },
  };
};
