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

/** The folders of the process's control group and of the groups around it, as seen from `root`. */
const groupFolders = (root: string, groups: string): string[] => {
  const own = /^0::(\/.*)$/m.exec(groups)?.[1] ?? "/";
  const folders: string[] = [];
  for (let path = posix.normalize(own); ; path = posix.dirname(path)) {
    folders.push(posix.join(root, path));
    if (path === "/") return folders;
  }
};

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** Where the kernel shows control groups; elsewhere in tests. */
export interface MemoryFiles {
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
  const limits = groupFolders(root, textOf(groups)).map((folder) => numberIn(posix.join(folder, "memory.max")));
  limits.push(numberIn(posix.join(root, "memory/memory.limit_in_bytes")));
  return Math.min(machine, ...limits.filter((limit) => limit !== null));
};
