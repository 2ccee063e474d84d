import { descendantsOf, residentMbOf } from "../serving/process-figures.ts";

/** Memory of the processes that a process started, and theirs, together. */
const descendantsMb = (pid: number): number => descendantsOf(pid).reduce((sum, child) => sum + residentMbOf(child), 0);

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
      server: Math.max(peaks.server, residentMbOf(pid)),
      children: Math.max(peaks.children, descendantsMb(pid)),
    };
  };
  const timer = setInterval(look, 100);
  return {
    now: () => residentMbOf(pid),
    takePeaks() {
      look();
      const taken = peaks;
      peaks = { server: 0, children: 0 };
      return taken;
    },
    stop: () => clearInterval(timer),
  };
};
