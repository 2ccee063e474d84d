import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Libc } from "../../system/libc.ts";
import { takeExclusiveFile } from "./exclusive-file.ts";

/** Who holds a data directory. */
export interface LockHolder {
  pid: number;
  host: string;
  /** ISO 8601. */
  startedAt: string;
  /** Address the holder listens on, once it does. */
  address: string | null;
  /** Names the run of the machine; null where the system does not tell. */
  boot: string | null;
}

/** Another process holds the data directory; the message names it. */
export class DataDirInUseError extends Error {
  override readonly name = "DataDirInUseError";
}

export interface StoreLock {
  /** Whether the last holder let go in an orderly way; true for a new data directory. */
  readonly cleanBefore: boolean;
  /** Whether the machine may have lost its power under the last holder: files may be torn that were not synced. */
  readonly lostPower: boolean;
  announce(address: string): void;
  /** @param clean false leaves the mark by which the next start reconciles */
  release(clean: boolean): Promise<void>;
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Names the run of the machine; null where the system does not tell. */
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

const describe = (holder: LockHolder | null): string =>
  holder === null
    ? "another process"
    : `process ${holder.pid} on ${holder.host}, started ${holder.startedAt}${holder.address === null ? "" : `, listening on ${holder.address}`}`;

/** Plain descriptors: a FileHandle that nobody refers to any more would be closed, and the lock with it. */
const write = (descriptor: number, text: string): void => {
  // Never empty in between: an empty file says that the last holder stopped in an orderly way.
  writeSync(descriptor, text, 0);
  ftruncateSync(descriptor, Buffer.byteLength(text));
  fsyncSync(descriptor);
};

/**
 * Takes the data directory for this process. The kernel's own lock on the open file decides, so that two starts at
 * once cannot both win and nothing is left over when a process dies; what the file says is for people, and tells
 * whether the last holder stopped in an orderly way.
 * @throws Error that names the holder
 */
export const lockDataDir = async (dataDir: string, libc: Libc | null): Promise<StoreLock> => {
  const path = join(dataDir, "lock");
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  const letGo =
    libc === null
      ? await takeExclusiveFile(join(dataDir, "lock.pid"))
      : libc.tryLock(descriptor)
        ? async () => undefined // the kernel does, when the file is closed
        : null;
  const before = readFileSync(path, "utf8");
  if (letGo === null) {
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
  const cleanBefore = before.trim() === "";
  const bootBefore = parseHolder(before)?.boot ?? null;
  write(descriptor, JSON.stringify(holder));
  let released = false;
  return {
    cleanBefore,
    lostPower: !cleanBefore && (bootBefore === null || bootBefore !== holder.boot),
    announce(address) {
      if (released) return; // the descriptor may be another file's by now
      holder.address = address;
      write(descriptor, JSON.stringify(holder));
    },
    async release(clean) {
      released = true;
      if (clean) write(descriptor, "");
      closeSync(descriptor);
      await letGo();
    },
  };
};
