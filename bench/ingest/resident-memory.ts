import { readdirSync, readFileSync } from "node:fs";

const statusOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
};

const residentMb = (pid: number): number => Number(/^VmRSS:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0) / 1024;

/** Memory of the processes that a process started, and theirs, together. */
const descendantsMb = (pid: number): number => {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(/^PPid:\s+(\d+)/m.exec(statusOf(Number(name)))?.[1] ?? 0)] as const);
  const below = (parent: number): number =>
    parents.reduce((sum, [child, of]) => (of === parent ? sum + residentMb(child) + below(child) : sum), 0);
  return below(pid);
};

export interface MemoryWatch {
  /** Of the process itself, MB. */
  now(): number;
  /** The highest since the last call of this: of the process, and of its children together. */
  takePeaks(): { server: number; children: number };
  stop(): void;
}

/** Looks at a process and its children ten times a second (Linux). */
export const watchMemory = (pid: number): MemoryWatch => {
  let peaks = { server: 0, children: 0 };
  const look = () => {
    peaks = {
      server: Math.max(peaks.server, residentMb(pid)),
      children: Math.max(peaks.children, descendantsMb(pid)),
    };
  };
  const timer = setInterval(look, 100);
  return {
    now: () => residentMb(pid),
    takePeaks() {
      look();
      const taken = peaks;
      peaks = { server: 0, children: 0 };
      return taken;
    },
    stop: () => clearInterval(timer),
  };
};
