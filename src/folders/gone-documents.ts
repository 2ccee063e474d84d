import type { FolderState, FollowOptions } from "./folder-state.ts";
import type { FolderScan } from "./scan-folder.ts";
import type { FolderDocument } from "./target.ts";

/** Why documents are kept whose files are not seen. */
export interface Trouble {
  /** The same as long as the trouble is. */
  key: string;
  reason: string;
}

interface GoneDocuments {
  /** To be deleted. */
  gone: FolderDocument[];
  /** Many are gone, and are kept for a while. */
  isWaiting: boolean;
  troubles: Trouble[];
}

/** So many files that are gone at once may be a mistake, or a place that is not there for a while. */
const many = 20;
const defaultManyGoneMs = 5 * 60_000;

/**
 * Finds the documents whose files are gone: not there at two looks in a row, since programs replace files by way of
 * another name. Kept are those of a place that cannot be read, or of a volume that is not there; where many are gone at
 * once, all are kept for some minutes.
 */
export const goneDocuments = (
  { manyGoneMs = defaultManyGoneMs, maxFiles }: Pick<FollowOptions, "manyGoneMs" | "maxFiles">,
  state: FolderState,
  scan: FolderScan,
): GoneDocuments => {
  const { documents, missing } = state;
  const troubles: Trouble[] = [];
  const lost = lostVolumes(state, scan, troubles);
  if (scan.isTruncated) troubles.push(truncated(maxFiles));
  if (scan.unreadable.length > 0) troubles.push(unreadable(scan.unreadable));

  const absent = scan.isTruncated
    ? []
    : [...documents.values()].filter(
        ({ path, volume }) => !scan.files.has(path) && !lost.has(volume) && !isBelowAny(path, scan.unreadable),
      );
  const now = performance.now();
  const before = new Map(missing);
  missing.clear();
  for (const { path } of absent) missing.set(path, before.get(path) ?? now);

  const twice = absent.filter(({ path }) => before.has(path));
  // Of a folder that was renamed, the files are found under their new names after the first look.
  if (absent.length < many || twice.length === 0) return { gone: twice, isWaiting: false, troubles };
  const gone = twice.filter(({ path }) => now - (missing.get(path) ?? now) >= manyGoneMs);
  const isWaiting = gone.length < absent.length;
  if (isWaiting) troubles.push(manyGone(absent.length, manyGoneMs));
  return { gone, isWaiting, troubles };
};

/**
 * The volumes whose documents are kept, with why: nothing is mounted any more, or another volume than before, or an
 * empty folder stands where one is expected. Of the others it is noted which volume it is.
 */
const lostVolumes = (state: FolderState, scan: FolderScan, troubles: Trouble[]): Set<string> => {
  const counts = new Map<string, { documents: number; seen: number }>();
  for (const { path, volume } of state.documents.values()) {
    const count = counts.get(volume) ?? { documents: 0, seen: 0 };
    counts.set(volume, count);
    count.documents += 1;
    if (scan.files.get(path)?.volume === volume) count.seen += 1;
  }
  const lost = new Set<string>();
  for (const [volume, { documents, seen }] of counts) {
    const found = scan.volumes.get(volume);
    const known = state.volumes.get(volume);
    const isThere = found !== undefined && (seen > 0 || found.identity === known);
    const isOther = found !== undefined && known !== undefined && deviceOf(found.identity) !== deviceOf(known);
    if (isThere || (found !== undefined && found.files > 0 && !isOther)) continue;
    if (isBelowAny(volume, scan.unreadable)) continue;
    lost.add(volume);
    troubles.push(lostVolume(volume, documents, found === undefined ? "gone" : found.files > 0 ? "other" : "empty"));
  }
  for (const [volume, { identity, files }] of scan.volumes)
    if (files > 0 && !lost.has(volume)) state.volumes.set(volume, identity);
  return lost;
};

const deviceOf = (identity: string): string => identity.slice(0, identity.indexOf(":"));

const isBelowAny = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

const lostVolume = (volume: string, documents: number, how: "gone" | "empty" | "other"): Trouble => {
  const what = volume === "" ? "it" : `the place ${JSON.stringify(volume)} in it`;
  const states = {
    gone: "has no volume mounted any more",
    empty: "is empty",
    other: "is on another volume than before",
  };
  return {
    key: `volume ${volume} ${how}`,
    reason: `${what} ${states[how]}, and ${documents} documents came from it: they are kept, since it may not be mounted`,
  };
};

const truncated = (maxFiles: number): Trouble => ({
  key: "truncated",
  reason: `it holds more than ${maxFiles} files (scan.maxFiles): the rest is left out, and nothing is deleted`,
});

const unreadable = ([first = "", ...others]: readonly string[]): Trouble => ({
  key: `unreadable ${first} ${others.length}`,
  reason: `${JSON.stringify(first)}${others.length > 0 ? ` and ${others.length} more` : ""} in it cannot be read: documents from there are kept as they are`,
});

const manyGone = (files: number, forMs: number): Trouble => ({
  key: "many gone",
  reason: `${files} of its files are gone at once: their documents are deleted in ${Math.ceil(forMs / 60_000)} minutes, unless the files are back by then`,
});
