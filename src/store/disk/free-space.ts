import { open, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { ApiError } from "../../domain/errors.ts";
import type { Logger } from "../../log/log.ts";

const reserveBytes = 16 * 1024 * 1024;

/** A file that is removed if the disk is full all the same, because others write to it too: deleting then has space. */
interface ReserveFile {
  readonly isThere: boolean;
  /** Writes it. Where that fails it is not there. */
  write(): Promise<void>;
  /** Gives its space up; it is there no longer. Resolves when the space is free. */
  remove(): Promise<void>;
}

const openReserveFile = async (dataDir: string, log: Logger): Promise<ReserveFile> => {
  const path = join(dataDir, "reserve");
  let isThere = (await stat(path).catch(() => null))?.size === reserveBytes;
  return {
    get isThere() {
      return isThere;
    },
    async write() {
      try {
        const file = await open(path, "w", 0o600);
        try {
          // Written in full: a sparse file would reserve nothing.
          await file.writeFile(new Uint8Array(reserveBytes));
        } finally {
          await file.close();
        }
        isThere = true;
      } catch (error) {
        await rm(path, { force: true });
        log.warn({ error: String(error) }, "the reserve file could not be written");
      }
    },
    async remove() {
      isThere = false;
      await rm(path, { force: true });
    },
  };
};

/** Prevents the disk from filling up: refuses writes while there is still space for deletions. */
export interface FreeSpaceGuard {
  /**
   * Reserves space for a write that is about to begin, so that concurrent writes do not count on the same space.
   * @param kind a write to a table may use the space that running uploads have reserved and not used yet; a removal and
   *   what belongs to it may use all that is left, and the reserve file's too
   * @throws ApiError storage_unavailable if too little is left
   */
  reserve(bytes: number, kind: keyof Reserved | "removals"): Promise<SpaceReservation>;
  /** Whether writes are refused now because too little is left. */
  isShort(): Promise<boolean>;
  /** Turns the error of a write that found no space into the one for the caller; other errors stay as they are. */
  explain(error: unknown): unknown;
}

export interface SpaceReservation {
  /** Call it before this many more bytes are written: reserves more if needed. @throws as `reserve` */
  beforeWrite(bytes: number): Promise<void>;
  /** This many bytes have been written. */
  written(bytes: number): void;
  /** Returns the space that was not used. */
  release(): void;
}

/** Bytes that are reserved and not written yet. */
interface Reserved {
  uploads: number;
  tables: number;
}

interface FreeSpaceOptions {
  dataDir: string;
  log: Logger;
  minFreeBytes?: number;
  /** Free bytes of the file system that holds a folder. */
  freeBytes?: (folder: string) => Promise<number>;
}

/** Writes are refused where less is free. */
export const usualMinFreeBytes = 64 * 1024 * 1024;
/** What the commit of a removal, or of a note of one, takes at most beside its rows. */
const removalBytes = 256 * 1024;
const checkEveryMs = 1_000;
/** Reserved in one step for a write of unknown length. */
const stepBytes = 4 * 1024 * 1024;

/** Free bytes, for users other than root, of the file system that holds a folder. */
export const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Whether the system, or LanceDB, says that a write found no space. */
export const isNoSpace = (error: unknown): boolean =>
  error instanceof Error &&
  /No space left|StorageFull|ENOSPC|EDQUOT|Disk quota|os error (28|122)\b/i.test(
    `${error.message} ${"code" in error ? error.code : ""}`,
  );

const refusal = (cause?: unknown): ApiError =>
  new ApiError("storage_unavailable", "the disk that holds the data is full: free some space. Reading still works", {
    cause,
  });

export const createFreeSpaceGuard = async (options: FreeSpaceOptions): Promise<FreeSpaceGuard> => {
  const { dataDir, log, minFreeBytes = usualMinFreeBytes, freeBytes = freeBytesOf } = options;
  const reserveFile = await openReserveFile(dataDir, log);
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | null = null;
  /** Free bytes at the last check, and bytes written since. */
  let freeThen = 0;
  let writtenSince = 0;
  const reservedBytes: Reserved = { uploads: 0, tables: 0 };
  let isShort = false;

  const check = async (): Promise<void> => {
    writtenSince = 0; // before the check: bytes written meanwhile may count twice, but are never missed
    const free = await freeBytes(dataDir).catch(() => Number.POSITIVE_INFINITY); // unknown: LanceDB reports a full disk
    const isShortNow = free < minFreeBytes;
    if (isShortNow && !isShort)
      log.error({ freeBytes: free, minFreeBytes }, "the disk is nearly full: writes are refused");
    if (!isShortNow && isShort) log.info({ freeBytes: free }, "there is space on the disk again");
    isShort = isShortNow;
    freeThen = free;
    if (!isShort && !reserveFile.isThere && free > minFreeBytes + 2 * reserveBytes) await reserveFile.write();
    checkedAt = performance.now();
  };

  await check();

  const checkIfOld = async (): Promise<void> => {
    if (performance.now() - checkedAt < checkEveryMs) return;
    checking ??= check().finally(() => {
      checking = null;
    });
    await checking;
  };

  const claim = async (bytes: number, kind: keyof Reserved): Promise<void> => {
    await checkIfOld();
    const promised = reservedBytes.tables + (kind === "uploads" ? reservedBytes.uploads : 0);
    if (isShort || freeThen - writtenSince - promised - bytes < minFreeBytes) throw refusal();
    reservedBytes[kind] += bytes;
  };

  const freeNow = (): Promise<number> => freeBytes(dataDir).catch(() => Number.POSITIVE_INFINITY);

  /** Looks at the disk itself: what was left a second ago may be gone. */
  const claimForRemoval = async (bytes: number): Promise<void> => {
    const needed = bytes + removalBytes;
    const free = await freeNow();
    if (free < needed && reserveFile.isThere && free + reserveBytes >= needed) {
      log.error({ freeBytes: free }, "the disk is full: the reserve file is removed, so that data can be removed");
      await reserveFile.remove();
    }
    if (free < needed && (await freeNow()) < needed) throw refusal();
    reservedBytes.tables += bytes;
  };

  return {
    async reserve(bytes, wanted) {
      const kind = wanted === "removals" ? "tables" : wanted;
      await (wanted === "removals" ? claimForRemoval(bytes) : claim(bytes, kind));
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
    async isShort() {
      await checkIfOld();
      return isShort;
    },
    explain(error) {
      if (!isNoSpace(error)) return error;
      if (reserveFile.isThere) {
        log.error({}, "the disk is full: the reserve file is removed");
        void reserveFile.remove();
      }
      isShort = true;
      checkedAt = performance.now();
      return refusal(error);
    },
  };
};

/** The first write that finds no space frees the reserve of the disk: after this it is free. */
const freeingReserveMs = 100;

/**
 * Runs work that a full disk may prevent: a store on a full disk is opened all the same, for reading and deleting.
 * @returns false if there was no space; the next start tries again
 */
export const unlessFull = async (work: () => Promise<void>): Promise<boolean> => {
  const attempt = (): Promise<boolean> =>
    work().then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.code === "storage_unavailable") return false;
        throw error;
      },
    );
  if (await attempt()) return true;
  await Bun.sleep(freeingReserveMs);
  return await attempt();
};
