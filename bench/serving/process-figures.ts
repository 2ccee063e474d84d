import { readFileSync } from "node:fs";

/** The kernel counts a hundred ticks a second. */
const ticksPerSecond = 100;

/** CPU time of a process and its threads, user and system, in seconds (Linux). */
export const cpuSecondsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
};

const statusOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
};

/** The highest resident set that the kernel saw of a process, in MB (Linux); 0 where it has ended. */
export const peakMbOf = (pid: number): number => Number(/VmHWM:\s+(\d+)/.exec(statusOf(pid))?.[1] ?? 0) / 1024;
