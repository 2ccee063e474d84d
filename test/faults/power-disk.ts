import { dlopen } from "bun:ffi";
import { mkdir, open, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Random } from "./random.ts";

/**
 * A disk of its own, whose power can be cut: an ext4 file system in a file. The cut is ext4's own emergency stop
 * (EXT4_IOC_SHUTDOWN, which the file system's developers test crashes with): from that moment nothing is written any
 * more, neither data nor journal, whatever the page cache holds. Mounted again, it replays its journal and holds what a
 * machine would find after a power loss.
 */
export interface PowerDisk {
  /** Where it is mounted. */
  readonly folder: string;
  /** Loses everything that is not on the disk. Nobody may have a file of it open afterwards. */
  cut(loss: PowerLoss): Promise<void>;
  /** Mounts it again. */
  restore(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * What else than the synced writes happens to be on the disk:
 *  - `dropped`: what the journal held by then, at most a second old
 *  - `torn`: the names and sizes of all files, but of what was written since the last sync hardly any content, so that
 *    files are empty, cut off or full of zeros
 *  - `mixed`: as `torn`, but the content of some files, or of their beginnings, was written out of turn
 */
export type PowerLoss = "dropped" | "torn" | "mixed";

const shutdownRequest = 0x8004587d; // _IOR('X', 125, __u32)
const flags = { flushJournal: 1, flushNothing: 2 } as const;
/** Sparse: it takes only what is written to it. */
const diskBytes = 2 * 1024 ** 3;
/** The journal is written every second, without waiting for the data that its files are to hold. */
const mountOptions = "loop,commit=1,data=writeback";

const libc = () =>
  dlopen("libc.so.6", {
    ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" },
    sync_file_range: { args: ["i32", "i64", "i64", "u32"], returns: "i32" },
  }).symbols;

const run = async (...command: string[]): Promise<string | null> => {
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  return (await child.exited) === 0 ? null : `${command[0]}: ${said.trim() || "failed"}`;
};

const must = async (...command: string[]): Promise<void> => {
  const failure = await run(...command);
  if (failure !== null) throw new Error(failure);
};

/** The upkeep process of a killed server ends with it, but a moment later. */
const maxBusyMs = 20_000;

const unmount = async (folder: string): Promise<void> => {
  const end = performance.now() + maxBusyMs;
  for (;;) {
    const failure = await run("umount", folder);
    if (failure === null) return;
    if (!failure.includes("busy") || performance.now() > end) throw new Error(failure);
    await Bun.sleep(50);
  }
};

/** Writes the content of a few of the newest files to the disk, or the beginnings of them. */
const writeSomeOut = async (folder: string, random: Random): Promise<void> => {
  const wait = 7; // SYNC_FILE_RANGE_WAIT_BEFORE | WRITE | WAIT_AFTER
  const since = Date.now() - 3_000;
  const files = new Bun.Glob("**/*").scan({ cwd: folder, dot: true, onlyFiles: true });
  for await (const name of files) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found === null || found.mtimeMs < since || random.next() < 0.5) continue;
    const file = await open(path, "r");
    const bytes = random.next() < 0.5 ? 0 : random.below(found.size + 1); // 0: all of it
    libc().sync_file_range(file.fd, 0, bytes, wait);
    await file.close();
  }
};

/**
 * @param parent an existing folder
 * @returns the disk; a sentence that says why there can be none (not root, no loop device, another system)
 */
export const createPowerDisk = async (parent: string, random: Random): Promise<PowerDisk | string> => {
  if (process.platform !== "linux") return "it needs Linux";
  const image = join(parent, "disk");
  const folder = join(parent, "mounted");
  await mkdir(folder, { recursive: true });
  await Bun.write(image, "");
  await truncate(image, diskBytes);
  const failure =
    (await run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=1,nodiscard", image).catch(String)) ??
    (await run("mount", "-o", mountOptions, image, folder).catch(String));
  if (failure !== null) return failure;
  return {
    folder,
    async cut(loss) {
      if (loss === "mixed") await writeSomeOut(folder, random);
      const file = await open(folder, "r");
      const flag = loss === "dropped" ? flags.flushNothing : flags.flushJournal;
      const failed = libc().ioctl(file.fd, shutdownRequest, new Uint32Array([flag]));
      await file.close();
      if (failed !== 0) throw new Error("the file system could not be stopped");
    },
    async restore() {
      await unmount(folder);
      await must("mount", "-o", mountOptions, image, folder);
    },
    async remove() {
      await run("umount", folder);
      await rm(parent, { recursive: true, force: true });
    },
  };
};
