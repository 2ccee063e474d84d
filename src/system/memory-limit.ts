import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { posix } from "node:path";

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
