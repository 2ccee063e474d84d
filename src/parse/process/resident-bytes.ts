import { readFileSync } from "node:fs";

/**
 * Memory of a process and its children together, in bytes; of the process alone where the system does not list
 * children.
 */
export const residentBytesOfAll = (pid: number): number => {
  let children: string[] = [];
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g) ?? [];
  } catch {
    // The process has ended, or the kernel was built without the list.
  }
  return children.reduce((sum, child) => sum + residentBytes(Number(child)), residentBytes(pid));
};

/** Memory a process holds, in bytes (proc(5), VmRSS); 0 if the process has ended or the system does not say. */
export const residentBytes = (pid: number): number => {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kibibytes ?? "0") * 1024;
  } catch {
    return 0;
  }
};
