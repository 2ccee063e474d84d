import { statSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CommandFailure, codeOf, messageOf } from "../domain/errors.ts";
import { setNativeSettings } from "../store/engine/native-settings.ts";
import { DamagedProgram, isUnpacked, type PackedFile, placeFile, writeUnpacked } from "../system/packed-file.ts";

/**
 * Makes LanceDB loadable: checks the processor, and in the compiled binary unpacks the addon to `folder`, checks the
 * copy and tells LanceDB where it is. Call it before anything imports LanceDB; a second call does no harm.
 * @throws CommandFailure that says what is wrong
 */
export const prepareNativeAddon = async (addon: PackedFile | null, folder: string): Promise<void> => {
  await requireAvx2();
  if (addon === null) return;
  const path = addonPath(addon, folder);
  if (!(await isUnpacked(addon, path))) await unpackInProcess(path);
  process.env.NAPI_RS_NATIVE_LIBRARY_PATH = path;
  setNativeSettings();
  try {
    // LanceDB would only say that it found no binding; loading it here first gives the system's own message.
    createRequire(import.meta.url)(path);
  } catch (error) {
    throw new CommandFailure(loadFailure(path, folder, messageOf(error)));
  }
};

/** Where the addon is unpacked to in a folder. */
const addonPath = (addon: PackedFile, folder: string): string =>
  join(folder, `lancedb-${addon.sha256.slice(0, 16)}.node`);

/** Bytes that `prepareNativeAddon` would write into the folder, as far as this user can tell. */
export const bytesToUnpack = (addon: PackedFile | null, folder: string): number => {
  if (addon === null) return 0;
  try {
    const found = statSync(addonPath(addon, folder), { throwIfNoEntry: false });
    return found?.size === addon.bytes ? 0 : addon.bytes;
  } catch {
    return 0; // this user may not look: not known
  }
};

/** In a process of its own: what it reads of the binary, and its buffers, would stay in this one's memory. */
const unpackInProcess = async (path: string): Promise<void> => {
  const child = Bun.spawn([process.execPath, "unpack-addon", path], { stdio: ["ignore", "ignore", "pipe"] });
  const message = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new CommandFailure(message.trim());
};

/** Writes the addon to `path`, completely or not at all. @throws CommandFailure */
export const unpackAddon = async (addon: PackedFile, path: string): Promise<void> => {
  const folder = dirname(path);
  const write = async (partial: string): Promise<void> => {
    await writeUnpacked(addon, partial);
    if (!(await isUnpacked(addon, partial)))
      throw new CommandFailure(
        `The copy of LanceDB's addon at ${partial} is damaged: check the disk, and install the program again.`,
      );
  };
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await placeFile(path, write, () => isUnpacked(addon, path));
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    if (error instanceof DamagedProgram) throw new CommandFailure(error.message);
    const code = codeOf(error) ?? String(error);
    if (code === "ENOSPC")
      throw new CommandFailure(
        `No room in ${folder} for LanceDB's addon: ${Math.ceil(addon.bytes / 1e6)} MB are needed. Free as much, or set dataDir (CARREL_DATA_DIR) to a folder on another disk.`,
      );
    throw new CommandFailure(
      `Cannot write LanceDB's addon to ${folder} (${code}): set dataDir (CARREL_DATA_DIR) to a folder this user may write to.`,
    );
  }
  await removeOthers(path, folder);
};

/** Removes copies of earlier versions; a running program keeps the one it has open. */
const removeOthers = async (path: string, folder: string): Promise<void> => {
  for (const name of await readdir(folder).catch(() => []))
    if (/^lancedb-[0-9a-f]{16}\.node$/.test(name) && join(folder, name) !== path)
      await rm(join(folder, name), { force: true }).catch(() => {});
};

/** LanceDB dies with "Illegal instruction" on a processor without AVX2, often a virtual machine of a generic type. */
const requireAvx2 = async (): Promise<void> => {
  if (process.platform !== "linux" || process.arch !== "x64") return;
  if (!lacksAvx2(await readFile("/proc/cpuinfo", "utf8").catch(() => ""))) return;
  throw new CommandFailure(
    "This processor has no AVX2, which the database inside Carrel needs. On a virtual machine, set its CPU type to `host` (Proxmox: Hardware, Processors, Type; libvirt: <cpu mode='host-passthrough'/>), else use a machine of 2013 or later.",
  );
};

/** @param information text of /proc/cpuinfo; false where it names no flags */
export const lacksAvx2 = (information: string): boolean => {
  const flags = /^flags\s*:(.*)$/m.exec(information)?.[1];
  return flags !== undefined && !flags.split(/\s+/).includes("avx2");
};

const loadFailure = (path: string, folder: string, reason: string): string => {
  if (/failed to map segment|Operation not permitted|Permission denied/i.test(reason))
    return `LanceDB's addon may not be run from ${folder}: its file system is mounted noexec. Mount it with exec, or set dataDir (CARREL_DATA_DIR) to one that is.`;
  if (/GLIBC|GLIBCXX|ld-linux|libc\.musl/i.test(reason))
    return `LanceDB's addon does not run on this system's C library: ${reason}`;
  return `LanceDB's addon at ${path} cannot be loaded: ${reason}`;
};
