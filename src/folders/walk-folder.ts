import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../domain/thrown.ts";
import { isDataFolder } from "./data-folder.ts";

/** What a walk finds. Paths are relative to the folder, with `/`; the folder itself is the empty path. */
export type WalkedEntry =
  | { kind: "file"; path: string }
  /** It cannot be known what lies there. @property code of the system, or in words */
  | { kind: "unreadable"; path: string; code: string };

/** Deeper than any real folder; a place mounted within itself ends here. */
const maxLevels = 100;

/** The code of a failed system call, else the error in words. */
export const errorCode = (error: unknown): string => codeOf(error) ?? String(error);

/**
 * Walks through a folder and those in it, in the order of names. Left out: hidden files and folders, links (they may
 * lead out of the folder, or around in a circle) and data directories of Carrel. What disappears during the walk is
 * `unreadable` with the code `ENOENT`.
 * @param folder absolute; may itself be a link
 */
export async function* walkFolder(folder: string): AsyncGenerator<WalkedEntry> {
  const waiting = [{ path: "", isFolder: true }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, isFolder } = next;
    if (!isFolder) {
      yield { kind: "file", path };
      continue;
    }
    if (path.split("/").length > maxLevels) {
      yield { kind: "unreadable", path, code: `more than ${maxLevels} levels deep` };
      continue;
    }
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(errorCode);
    if (typeof entries === "string") {
      yield { kind: "unreadable", path, code: entries };
      continue;
    }
    if (isDataFolder(entries.map(({ name }) => name))) continue;
    const shown = entries.filter((entry) => !entry.name.startsWith(".") && (entry.isFile() || entry.isDirectory()));
    shown.sort((one, other) => (one.name < other.name ? 1 : -1));
    for (const entry of shown)
      waiting.push({ path: path === "" ? entry.name : `${path}/${entry.name}`, isFolder: entry.isDirectory() });
  }
}
