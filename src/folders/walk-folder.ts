import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../domain/errors.ts";
import { mountsIn } from "../system/paths.ts";
import { createLeftOut, type LeftOut } from "./left-out.ts";

/** Names in every data directory of Carrel, whether its server runs or not. */
const marks = ["lock", "secret", "tables"];

/**
 * Whether a folder is a data directory of Carrel, by the names in it. Its files are no documents: each one ingested
 * would add more files there.
 */
const isDataFolder = (names: readonly string[]): boolean => marks.every((mark) => names.includes(mark));

/** What a walk finds. Paths are relative to the folder, with `/`; the folder itself is the empty path. */
type WalkedEntry =
  /** @property volume the path of the volume that it lies on; empty: that of the folder itself */
  | { kind: "file"; path: string; volume: string }
  /** It cannot be known what lies there. @property code of the system, or in words */
  | { kind: "unreadable"; path: string; code: string }
  /** A name that is not UTF-8, shown with U+FFFD: no text can name it, so that it cannot be opened. */
  | { kind: "unnameable"; path: string };

interface WalkOptions {
  /** `createLeftOut()` unless given. */
  isLeftOut?: LeftOut | undefined;
  /** Called with each folder before what is in it. */
  onFolder?(found: WalkedFolder): void;
}

export interface WalkedFolder {
  path: string;
  /** A volume is mounted there, or it is the folder that is walked. */
  isVolume: boolean;
  /** Tells it from another folder at the same path, such as an empty mount point; begins with the device. */
  identity: string;
}

/** Deeper than any real folder; a place mounted within itself ends here. */
const maxLevels = 100;

/** The code of a failed system call, else the error in words. */
export const errorCode = (error: unknown): string => codeOf(error) ?? String(error);

/** Tells a folder from another one at the same path. */
export const identityOf = ({ dev, ino, birthtimeMs }: { dev: number; ino: number; birthtimeMs: number }): string =>
  `${dev}:${ino}:${birthtimeMs}`;

/**
 * Walks through a folder and those in it, in the order of names. Not walked: what is left out, links (they may lead out
 * of the folder, or around in a circle) and data directories of Carrel. What disappears during the walk is `unreadable`
 * with the code `ENOENT`.
 * @param folder absolute; may itself be a link
 */
export async function* walkFolder(
  folder: string,
  { isLeftOut = createLeftOut(), onFolder }: WalkOptions = {},
): AsyncGenerator<WalkedEntry> {
  const mountPoints = await mountPointsIn(folder);
  const waiting = [{ path: "", isFolder: true, volume: "", device: Number.NaN }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, isFolder, device } = next;
    if (!isFolder) {
      yield { kind: "file", path, volume: next.volume };
      continue;
    }
    if (path.split("/").length > maxLevels) {
      yield { kind: "unreadable", path, code: `more than ${maxLevels} levels deep` };
      continue;
    }
    const place = join(folder, path);
    const found = await (path === "" ? stat(place) : lstat(place)).catch(errorCode);
    const entries = typeof found === "string" ? found : await readdir(place, { withFileTypes: true }).catch(errorCode);
    if (typeof found === "string" || typeof entries === "string") {
      const code = typeof found === "string" ? found : String(entries);
      if (code === "ENOENT" && path.includes("\uFFFD")) yield { kind: "unnameable", path };
      else yield { kind: "unreadable", path, code };
      continue;
    }
    if (isDataFolder(entries.map(({ name }) => name))) continue;
    // A volume may be of the same device as the folder around it, where a part of that is mounted once more.
    const isVolume = path === "" || found.dev !== device || mountPoints.has(path);
    const volume = isVolume ? path : next.volume;
    onFolder?.({ path, isVolume, identity: identityOf(found) });
    const shown = entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ path: path === "" ? entry.name : `${path}/${entry.name}`, isFolder: entry.isDirectory() }))
      .filter((entry) => !isLeftOut(entry.path, entry.isFolder));
    shown.sort((one, other) => (one.path < other.path ? 1 : -1));
    for (const entry of shown) waiting.push({ ...entry, volume, device: found.dev });
  }
}

/** Relative paths below the folder where the system says that a volume is mounted; none where it does not tell. */
const mountPointsIn = async (folder: string): Promise<Set<string>> => {
  const table = await readFile("/proc/self/mountinfo", "utf8").catch(() => null);
  const root = table === null ? null : await realpath(folder).catch(() => null);
  if (table === null || root === null) return new Set();
  const begin = root === "/" ? "/" : `${root}/`;
  const points = mountsIn(table).map(({ point }) => point);
  return new Set(points.filter((point) => point.startsWith(begin)).map((point) => point.slice(begin.length)));
};
