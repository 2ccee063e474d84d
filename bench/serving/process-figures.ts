import { readdirSync, readFileSync } from "node:fs";

/** The kernel counts a hundred ticks a second. */
const ticksPerSecond = 100;

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // It ended meanwhile.
  }
};

/** CPU time of a process, in seconds (Linux): its own, and that of its children that ended. Zeros where it has ended. */
export const cpuTimesOf = (pid: number): { own: number; ofEnded: number } => {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const seconds = (at: number): number => (Number(fields[at] ?? 0) + Number(fields[at + 1] ?? 0)) / ticksPerSecond;
  return { own: seconds(11), ofEnded: seconds(13) };
};

/** CPU time of a process and its threads, user and system, in seconds (Linux). */
export const cpuSecondsOf = (pid: number): number => cpuTimesOf(pid).own;

/** What `/proc/PID/status` says under a name; 0 where the process has ended. */
export const statusFigure = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(read(`/proc/${pid}/status`))?.[1] ?? 0);

/** The resident set of a process, in MB (Linux); 0 where it has ended. */
export const residentMbOf = (pid: number): number => statusFigure(pid, "VmRSS") / 1024;

/** The highest resident set that the kernel saw of a process, in MB (Linux); 0 where it has ended. */
export const peakMbOf = (pid: number): number => statusFigure(pid, "VmHWM") / 1024;

/** Bytes that a process had written to the disk (Linux); 0 where it has ended. */
export const writtenBytesOf = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(read(`/proc/${pid}/io`))?.[1] ?? 0);

/** The processes that a process started, and theirs (Linux). */
export const descendantsOf = (pid: number): number[] => {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const childrenOf = Map.groupBy(all, (each) => statusFigure(each, "PPid"));
  const found = [...(childrenOf.get(pid) ?? [])];
  for (const each of found) found.push(...(childrenOf.get(each) ?? []));
  return found;
};
