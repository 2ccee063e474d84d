import { lstat, statfs } from "node:fs/promises";
import { entriesUnder } from "../system/paths.ts";

/** What the data directory takes, in bytes. */
export interface StorageUse {
  /** Tables and indexes. */
  tables: number;
  /** Uploaded and fetched files. */
  files: number;
  /** Everything else: unpacked native parts, what was set aside as damaged, the reserve. */
  other: number;
  /** Free on its disk, for this user; null where the system does not tell. */
  free: number | null;
  /** Whether there were more entries than are counted: then the figures are at least that. */
  partial: boolean;
}

/** A store of 100,000 documents with their files has fewer. */
const maxEntries = 500_000;
const places: Record<string, "tables" | "files"> = { tables: "tables", files: "files" };

/** Measures the data directory. What disappears meanwhile counts as nothing. */
export const measureStorage = async (dataDir: string, signal: AbortSignal): Promise<StorageUse> => {
  const use: StorageUse = { tables: 0, files: 0, other: 0, free: await freeBytes(dataDir), partial: false };
  let entries = 0;
  for await (const { entry, path, top } of entriesUnder(dataDir)) {
    signal.throwIfAborted();
    entries += 1;
    if (entries > maxEntries) return { ...use, partial: true };
    if (!entry.isDirectory()) use[places[top ?? ""] ?? "other"] += (await lstat(path).catch(() => null))?.size ?? 0;
  }
  return use;
};

const freeBytes = async (path: string): Promise<number | null> => {
  const disk = await statfs(path).catch(() => null);
  return disk === null ? null : disk.bavail * disk.bsize;
};
