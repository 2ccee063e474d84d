import { open, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { ApiError } from "../../domain/errors.ts";
import type { Logger } from "../../log.ts";

/** Keeps the disk from filling up under the tables: growing writes stop while deletions still have room to work. */
export interface FreeSpaceGuard {
  /**
   * Sets space aside for a write that is about to begin, so that writes at the same time do not all count on the same
   * space.
   * @param kind a table's write has the space that uploads under way have not used yet
   * @throws ApiError storage_unavailable where too little is left
   */
  reserve(bytes: number, kind: keyof Reserved): Promise<SpaceReservation>;
  /** What the caller is told where a write failed for want of space; other errors unchanged. */
  explain(error: unknown): unknown;
}

export interface SpaceReservation {
  /** Before so many more bytes are written: reserves more where what is reserved does not suffice. @throws as `reserve` */
  beforeWrite(bytes: number): Promise<void>;
  /** So many bytes of it are on the disk. */
  written(bytes: number): void;
  /** Gives back what was not used. */
  release(): void;
}

/** Reserved and not written yet, in bytes. */
interface Reserved {
  uploads: number;
  tables: number;
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
/** Reserved at a time for a write of unknown length. */
const stepBytes = 4 * 1024 * 1024;

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
  /** At the last check, and written since. */
  let freeThen = 0;
  let writtenSince = 0;
  const reservedBytes: Reserved = { uploads: 0, tables: 0 };
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
    writtenSince = 0; // before: what is written meanwhile may count twice, never not at all
    const free = await freeBytes(dataDir).catch(() => Number.POSITIVE_INFINITY); // unknown: LanceDB will say
    const isShort = free < minFreeBytes;
    if (isShort && !short) log.error({ freeBytes: free, minFreeBytes }, "the disk is nearly full: writes are refused");
    if (!isShort && short) log.info({ freeBytes: free }, "there is space on the disk again");
    short = isShort;
    freeThen = free;
    if (!short && !reserved && free > minFreeBytes + 2 * reserveBytes) await keepReserve();
    checkedAt = performance.now();
  };

  await check();

  const claim = async (bytes: number, kind: keyof Reserved): Promise<void> => {
    if (performance.now() - checkedAt >= checkEveryMs) {
      checking ??= check().finally(() => {
        checking = null;
      });
      await checking;
    }
    const promised = reservedBytes.tables + (kind === "uploads" ? reservedBytes.uploads : 0);
    if (short || freeThen - writtenSince - promised - bytes < minFreeBytes) throw refusal();
    reservedBytes[kind] += bytes;
  };

  return {
    async reserve(bytes, kind) {
      await claim(bytes, kind);
      let left = bytes;
      const use = (used: number): void => {
        left -= used;
        reservedBytes[kind] -= used;
      };
      return {
        async beforeWrite(wanted) {
          if (wanted <= left) return;
          const more = Math.max(wanted - left, stepBytes);
          await claim(more, kind);
          left += more;
        },
        written(done) {
          use(Math.min(done, left));
          writtenSince += done;
        },
        release: () => use(left),
      };
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
