import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { codeOf } from "../../domain/errors.ts";
import type { Libc } from "../../system/libc.ts";

// A lock made of a file, for systems without a kernel lock that Bun can call (Windows).

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
};

/**
 * A process that read a stale file may move away a new file of another process and put it back; a third process may
 * come in between. After this time, the file names its owner.
 */
const settleMs = 100;

/**
 * Creates the file, or takes it over from a process that has ended.
 * @returns the function that releases it; null if a running process has it
 */
export const takeExclusiveFile = async (path: string): Promise<(() => Promise<void>) | null> => {
  const mine = `${process.pid} ${Bun.randomUUIDv7()}`;
  for (;;) {
    try {
      await writeFile(path, mine, { flag: "wx", mode: 0o600, flush: true });
      await Bun.sleep(settleMs);
      const kept = await readFile(path, "utf8").catch(() => "");
      return kept === mine ? () => rm(path, { force: true }) : null;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    const theirs = await readFile(path, "utf8").catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    });
    if (theirs === null) continue; // released just now
    const pid = Number(theirs.split(" ")[0]);
    if (theirs === "" || pid === process.pid || isAlive(pid)) return null;
    // Only one process can rename the stale file; one that renamed a new file puts it back.
    const aside = `${path}.${Bun.randomUUIDv7()}`;
    try {
      await rename(path, aside);
    } catch (error) {
      if (codeOf(error) === "ENOENT") continue;
      throw error;
    }
    if ((await readFile(aside, "utf8")) !== theirs) await link(aside, path).catch(() => undefined);
    await rm(aside, { force: true });
  }
};

/** The process that holds a data directory. */
export interface LockHolder {
  pid: number;
  host: string;
  /** ISO 8601. */
  startedAt: string;
  /** The address that the holder listens on; null until it does. */
  address: string | null;
  /** Identifies the boot of the machine; null if the system does not show it. */
  boot: string | null;
}

/** Another process holds the data directory; the message names it. */
export class DataDirInUseError extends Error {
  override readonly name = "DataDirInUseError";
}

/**
 * The mark in the lock file of a restored backup: the data are as a killed process would have left them, on a disk that
 * lost nothing.
 */
export const restoredMark = "restored from a backup";

/** Not empty, so that the file keeps its place on the disk: the next holder is written there on a full disk too. */
const cleanMark = "\n";

export interface StoreLock {
  /** Whether the last holder released the lock cleanly; true for a new data directory. */
  readonly wasClean: boolean;
  /** Whether the machine may have lost power under the last holder: files that were not synced may be damaged. */
  readonly hasLostPower: boolean;
  announce(address: string): void;
  /** The directory holds a restored backup: the next start is told so. */
  markRestored(): void;
  /** @param isClean false leaves the mark that makes the next start reconcile */
  release(isClean: boolean): Promise<void>;
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Identifies the boot of the machine; null if the system does not show it. */
const readBoot = (): string | null => {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
};

const parseHolder = (text: string): LockHolder | null => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    const { pid, host, startedAt, address, boot } = value as Record<string, unknown>;
    if (typeof pid !== "number" || typeof host !== "string" || typeof startedAt !== "string") return null;
    return { pid, host, startedAt, address: textOrNull(address), boot: textOrNull(boot) };
  } catch {
    return null;
  }
};

/**
 * Who holds a data directory, as its lock file says, without taking the lock: the process that it names may have ended.
 */
export const readLockHolder = async (dataDir: string): Promise<LockHolder | null> =>
  parseHolder(await readFile(join(dataDir, "lock"), "utf8").catch(() => ""));

const describe = (holder: LockHolder | null): string =>
  holder === null
    ? "another process"
    : `process ${holder.pid} on ${holder.host}, started ${holder.startedAt}${holder.address === null ? "" : `, listening on ${holder.address}`}`;

/** A plain descriptor: an unreferenced FileHandle would be closed, and the lock released with it. */
const write = (descriptor: number, text: string): void => {
  // Never empty in between: an empty file means that the last holder stopped cleanly.
  writeSync(descriptor, text, 0);
  ftruncateSync(descriptor, Buffer.byteLength(text));
  fsyncSync(descriptor);
};

/**
 * Locks the data directory for this process. The kernel's lock on the open file decides, so that of two concurrent
 * starts only one wins, and nothing is left when a process dies. The content of the file is for people, and shows
 * whether the last holder stopped cleanly.
 * @throws DataDirInUseError that names the holder
 */
export const lockDataDir = async (dataDir: string, libc: Libc | null): Promise<StoreLock> => {
  const path = join(dataDir, "lock");
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  const unlock =
    libc === null
      ? await takeExclusiveFile(join(dataDir, "lock.pid"))
      : libc.tryLock(descriptor)
        ? async () => undefined // the kernel unlocks it when the file is closed
        : null;
  const before = readFileSync(path, "utf8");
  if (unlock === null) {
    closeSync(descriptor);
    throw new DataDirInUseError(`the data directory ${dataDir} is in use by ${describe(parseHolder(before))}`);
  }
  const holder: LockHolder = {
    pid: process.pid,
    host: hostname(),
    startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    address: null,
    boot: readBoot(),
  };
  const wasClean = before.trim() === "";
  const bootBefore = parseHolder(before)?.boot ?? null;
  try {
    write(descriptor, JSON.stringify(holder));
  } catch (error) {
    closeSync(descriptor);
    await unlock();
    throw error;
  }
  let isReleased = false;
  return {
    wasClean: wasClean,
    hasLostPower: !wasClean && before.trim() !== restoredMark && (bootBefore === null || bootBefore !== holder.boot),
    announce(address) {
      if (isReleased) return; // the descriptor may belong to another file by now
      holder.address = address;
      write(descriptor, JSON.stringify(holder));
    },
    markRestored: () => write(descriptor, restoredMark),
    async release(clean) {
      isReleased = true;
      if (clean) write(descriptor, cleanMark);
      closeSync(descriptor);
      await unlock();
    },
  };
};
