import { readFile } from "node:fs/promises";
import { memoryLimit } from "../../system/memory-limit.ts";
import { type Check, failed, fine, warning } from "./finding.ts";

/** A fresh server has 200 MB resident, and LanceDB's caches take up to 320 MB more. */
const leastBytes = 400e6;
const enoughBytes = 1_000e6;
/** Free for the moment: a large file takes its parser this much. */
const freeBytes = 300e6;

export const memoryCheck: Check = {
  name: "memory",
  isQuick: true,
  run: async () => [memoryFinding(memoryLimit(), availableIn(await readFile("/proc/meminfo", "utf8").catch(() => "")))],
};

/** Bytes that programs can still take; null where the text does not tell. @param text of /proc/meminfo */
export const availableIn = (text: string): number | null => {
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(text)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
};

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;

export const memoryFinding = (limit: number, available: number | null) => {
  const more = "Give the machine, container or service more memory.";
  if (limit < leastBytes)
    return failed(`Carrel may use ${megabytes(limit)} of memory, and needs ${megabytes(leastBytes)}.`, more);
  if (limit < enoughBytes)
    return warning(
      `Carrel may use ${megabytes(limit)} of memory: large files and stores may take more.`,
      `${more} ${megabytes(enoughBytes)} are enough for most; the built-in MiniLM wants 2000 MB.`,
    );
  if (available !== null && available < freeBytes)
    return warning(
      `Only ${megabytes(available)} of memory are free now.`,
      "End other programs, or give the machine more memory.",
    );
  return fine(
    `Carrel may use ${megabytes(limit)}${available === null ? "" : `, ${megabytes(available)} are free now`}.`,
  );
};
