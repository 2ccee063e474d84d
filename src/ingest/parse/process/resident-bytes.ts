import { readFileSync } from "node:fs";

/** Memory a process holds, in bytes (proc(5), VmRSS); 0 where the system does not tell or the process is gone. */
export function residentBytes(pid: number): number {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kibibytes ?? "0") * 1024;
  } catch {
    return 0;
  }
}
