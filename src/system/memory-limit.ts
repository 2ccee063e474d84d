import { ptr } from "bun:ffi";
import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { posix } from "node:path";
import { openCLibrary, setNativeVariable } from "./libc.ts";

const numberIn = (path: string): number | null => {
  try {
    const text = readFileSync(path, "utf8").trim();
    return /^\d+$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
};

/** A group and those around it, innermost first, as folders below `root`. */
const groupFolders = (root: string, group: string): string[] => {
  const folders: string[] = [];
  for (let path = posix.normalize(group); ; path = posix.dirname(path)) {
    folders.push(posix.join(root, path));
    if (path === "/") return folders;
  }
};

/** @param text of /proc/self/cgroup: lines as `4:memory:/system.slice`, without controllers for version 2 */
const ownGroups = (text: string): { controllers: string; path: string }[] =>
  text
    .split("\n")
    .map((line) => line.split(":"))
    .filter((parts) => parts.length > 2)
    .map(([, controllers = "", ...path]) => ({ controllers, path: path.join(":") }))
    .filter(({ path }) => path.startsWith("/"));

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** Where the kernel shows control groups; elsewhere in tests. */
interface MemoryFiles {
  /** The mount of control groups. */
  root: string;
  /** The process's groups. */
  groups: string;
}

const kernelFiles: MemoryFiles = { root: "/sys/fs/cgroup", groups: "/proc/self/cgroup" };

/**
 * Memory that the process may use at most, in bytes: the machine's, or the smallest limit of its control groups (a
 * container's or a service's; versions 1 and 2).
 */
export const memoryLimit = ({ root, groups }: MemoryFiles = kernelFiles, machine: number = totalmem()): number => {
  const own = ownGroups(textOf(groups));
  const unified = own.find(({ controllers }) => controllers === "")?.path ?? "/";
  // Version 1 has a hierarchy for memory, or for memory and others.
  const first = own.find(({ controllers }) => controllers.split(",").includes("memory"))?.path ?? "/";
  const limits = [
    ...groupFolders(root, unified).map((folder) => numberIn(posix.join(folder, "memory.max"))),
    ...groupFolders(posix.join(root, "memory"), first).map((folder) =>
      numberIn(posix.join(folder, "memory.limit_in_bytes")),
    ),
  ];
  return Math.min(machine, ...limits.filter((limit) => limit !== null));
};

/** An option of JavaScriptCore, which it reads once, before any code of ours runs. */
const option = "BUN_JSC_forceRAMSize";
/**
 * What the garbage collector takes for the memory of the machine. By it, it decides how large the heap may become before
 * it is collected: with many gigabytes always twice what was left the last time, with this half as much again from 256 MB on
 * and a quarter from 512. 12,000 small documents in one batch took 618 MB at the highest in place of 712; after 100,000 the
 * server kept 191 MB of JavaScript in place of 255; both for the same CPU time. With 512 MB, the 100,000 took a sixth more
 * (`bench/ingest/batch-memory.ts`).
 */
const heapBytes = 1024 * 1024 * 1024;

/** Addresses of texts that end with a zero, and a zero at the end: an `argv` of C. The texts must be kept meanwhile. */
const addressesOf = (texts: readonly Buffer[]): BigUint64Array =>
  new BigUint64Array([...texts.map((text) => BigInt(ptr(text))), 0n]);

/**
 * Starts the program again in the same process, with the option in its environment: process id, open files and arguments
 * stay. Does nothing if the option is set already, by this or by the operator. Where it cannot be done, the program goes
 * on as it is. To be called before anything is opened.
 * @param args what follows the program's name
 */
export const restartWithSmallHeap = (args: readonly string[]): void => {
  if (process.platform !== "linux" || process.env[option] !== undefined) return;
  const library = openCLibrary({ execv: { args: ["ptr", "ptr"], returns: "i32" } });
  if (library === null) return;
  setNativeVariable(option, String(heapBytes));
  const texts = [process.argv0, ...args].map((text) => Buffer.from(`${text}\0`));
  library.symbols.execv(ptr(Buffer.from(`${process.execPath}\0`)), ptr(addressesOf(texts)));
};
