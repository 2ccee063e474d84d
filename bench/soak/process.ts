import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { descendantsOf, residentMbOf, statusFigure } from "../serving/process-figures.ts";
import { type ResidentParts, residentParts } from "../serving/resident-parts.ts";

/** What a process holds at one moment (Linux). */
export interface ProcessFigures {
  /** Resident set of the process itself. */
  residentMb: number;
  /** What that consists of. */
  parts: ResidentParts;
  /** Of the processes that it started, and theirs. */
  childrenMb: number;
  openFiles: number;
  threads: number;
}

export const readProcess = (pid: number): ProcessFigures => ({
  residentMb: residentMbOf(pid),
  parts: residentParts(pid),
  childrenMb: descendantsOf(pid).reduce((sum, child) => sum + residentMbOf(child), 0),
  openFiles: readdirSync(`/proc/${pid}/fd`).length,
  threads: statusFigure(pid, "Threads"),
});

/** The threads of a process by their names, most first; those that differ in a number alone count as one. */
export const describeThreads = (pid: number): string => {
  const counts = new Map<string, number>();
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    try {
      const comm = readFileSync(`/proc/${pid}/task/${id}/comm`, "utf8").trim();
      const name = id === String(pid) ? "main" : comm.replaceAll(/[\s#-]*\d+/g, "");
      counts.set(name, (counts.get(name) ?? 0) + 1);
    } catch {
      // It ended meanwhile.
    }
  }
  const mostFirst = [...counts].toSorted(([, a], [, b]) => b - a);
  return mostFirst.map(([name, count]) => `${count} ${name}`).join(", ");
};

/** Parts of a data folder that hold no content: native parts, the reserve for a full disk. */
const notContent = new Set(["runtime", "reserve", "lock", "carrel.sock"]);

/** Bytes that the content of a data folder takes on the disk, hard links counted once. */
export const diskBytes = (dataDir: string): number => {
  const seen = new Set<number>();
  const sizeOf = (path: string): number => {
    try {
      const entry = lstatSync(path);
      if (entry.isDirectory()) return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
      if (seen.has(entry.ino)) return 0;
      seen.add(entry.ino);
      return entry.blocks * 512;
    } catch {
      return 0; // It was removed meanwhile.
    }
  };
  return readdirSync(dataDir)
    .filter((name) => !notContent.has(name))
    .reduce((sum, name) => sum + sizeOf(join(dataDir, name)), 0);
};
