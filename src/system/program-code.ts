import { readFileSync } from "node:fs";
import { openCLibrary } from "./libc.ts";

/** Part of the address space. */
interface Region {
  address: number;
  bytes: number;
}

const mappings = "/proc/self/smaps";
const pagesNotNeeded = 4; // MADV_DONTNEED
/** `55e0c0a00000-55e0c0c00000 r-xp 00000000 08:01 1234    /usr/bin/carrel` */
const heading = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ +(\/.*)$/;
const kilobytes = /^(Rss|Anonymous|Swap): +(\d+) kB$/;
/** The program itself, and native parts: they stay loaded as long as it runs. */
const isCode = (path: string): boolean => path === process.execPath || /\.node$|\.so(?:\.\d+)*$/.test(path);

/**
 * Where files with code are mapped so that nobody can write to them, and hold nothing that was changed since (such as
 * addresses that the loader put in): what is dropped there is read again from the file. A changed page that the system
 * has swapped out counts as changed too: dropping it would bring back the file's page, without the addresses.
 * @param smaps text of /proc/self/smaps
 */
export const codeRegions = (smaps: string): Region[] => {
  const found: (Region & { residentKb: number; changedKb: number })[] = [];
  let current: (typeof found)[number] | null = null;
  for (const line of smaps.split("\n")) {
    const amount = kilobytes.exec(line);
    if (amount === null) {
      if (!/^[0-9a-f]+-/.test(line)) continue;
      const [, from = "", to = "", rights = "", path = ""] = heading.exec(line) ?? [];
      current = null;
      if (!rights.startsWith("r-") || !rights.endsWith("p") || !isCode(path)) continue;
      const address = Number.parseInt(from, 16);
      current = { address, bytes: Number.parseInt(to, 16) - address, residentKb: 0, changedKb: 0 };
      found.push(current);
    } else if (current !== null && amount[1] === "Rss") current.residentKb = Number(amount[2]);
    else if (current !== null) current.changedKb += Number(amount[2]);
  }
  return found
    .filter(({ residentKb, changedKb }) => residentKb > 0 && changedKb === 0)
    .map(({ address, bytes }) => ({ address, bytes }));
};

/**
 * Releases code that is in memory: 105 of the 205 MB of a server after its start are code of Bun and LanceDB that only
 * the start ran. What is still needed comes back from the system's file cache, without reading the disk, when it is
 * next run. On Linux alone; elsewhere it does nothing.
 */
export const createCodeRelease = (): (() => void) => {
  if (process.platform !== "linux") return () => undefined;
  const library = openCLibrary({ madvise: { args: ["u64", "u64", "i32"], returns: "i32" } });
  return () => {
    try {
      const regions = codeRegions(readFileSync(mappings, "utf8"));
      for (const { address, bytes } of regions) library?.symbols.madvise(address, bytes, pagesNotNeeded);
    } catch {
      // There is no /proc.
    }
  };
};
