import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A file, folder or link somewhere under a folder. */
interface EntryUnder {
  entry: Dirent;
  path: string;
  /** Name of the folder's own subfolder that it is in; null where it is in the folder itself. */
  top: string | null;
}

/**
 * All that is under a folder; links are not followed. What goes meanwhile, or cannot be read, is left out. Each folder is
 * read in one go: Bun's `opendir` reads it later than it is called, and throws if it has gone by then.
 */
export async function* entriesUnder(folder: string): AsyncGenerator<EntryUnder, void, undefined> {
  const waiting: { path: string; top: string | null }[] = [{ path: folder, top: null }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { top } = next;
    for (const entry of await readdir(next.path, { withFileTypes: true }).catch(() => [])) {
      const path = join(next.path, entry.name);
      if (entry.isDirectory()) waiting.push({ path, top: top ?? entry.name });
      yield { entry, path, top };
    }
  }
}
