import { readFileSync } from "node:fs";

/**
 * Memory that a process and the ones it started hold together, in bytes. Where the system does not tell of children,
 * its own.
 */
export const residentBytesOfAll = (pid: number): number => {
  let children: string[] = [];
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g) ?? [];
  } catch {
    // It is gone, or the kernel was built without the list.
  }
  return children.reduce((sum, child) => sum + residentBytes(Number(child)), residentBytes(pid));
};

/** Memory a process holds, in bytes (proc(5), VmRSS); 0 where the system does not tell or the process is gone. */
export const residentBytes = (pid: number): number => {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kibibytes ?? "0") * 1024;
  } catch {
    return 0;
  }
};
