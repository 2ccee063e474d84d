import type { LeftOut } from "./left-out.ts";
import type { SeenFile } from "./scan-folder.ts";
import type { FolderDocument, FolderTarget } from "./target.ts";

/** What happened to a folder's files, for a log or a terminal. */
export type FolderEvent =
  | { kind: "stored"; path: string; documentId: string; status: string }
  | { kind: "moved"; path: string; from: string; documentId: string }
  | { kind: "removed"; path: string; documentId: string }
  /** The file is no document; reported once, and tried again when it changes. */
  | { kind: "refused"; path: string; reason: string }
  /** It failed and is tried again. */
  | { kind: "delayed"; path: string; reason: string }
  /** A problem with the folder or a part of it: nothing of that is deleted meanwhile. Reported once. */
  | { kind: "trouble"; reason: string }
  | { kind: "recovered" };

export interface FollowOptions {
  /** Absolute. */
  path: string;
  target: FolderTarget;
  /** Keep following after the first pass. */
  watch: boolean;
  maxFiles: number;
  maxBytes: number;
  /** What of the folder is left out; `createLeftOut()` unless given. */
  isLeftOut?: LeftOut;
  report(event: FolderEvent): void;
  /**
   * A file is ingested when it has not changed for this long, and counts as removed when it was missing for this long;
   * 1 s unless given.
   */
  settleMs?: number;
  /** How often the folder is scanned when no change is reported; 10 s unless given. */
  scanEveryMs?: number;
  /** How long the documents of many files that are gone at once are kept; 5 minutes unless given. */
  manyGoneMs?: number;
}

/** What is known about a folder between two scans. */
export interface FolderState {
  /** By path. */
  documents: Map<string, FolderDocument>;
  /** Files that are no documents, by path, with what they looked like. */
  refused: Map<string, string>;
  /** Files that may still be growing, with what they looked like. */
  unsettled: Map<string, string>;
  /** Documents whose file was not there at the last scan, by path, with when that was first so (`performance.now()`). */
  missing: Map<string, number>;
  /** The volume at each place when files of it were last seen, by path: see `FolderScan.volumes`. */
  volumes: Map<string, string>;
  /** Names that are not UTF-8, which were reported. */
  unnameable: Set<string>;
  /** False once a file changed its inode alone: some network file systems make inodes up at each look. */
  trustsInodes: boolean;
}

export const createFolderState = (): FolderState => ({
  documents: new Map(),
  refused: new Map(),
  unsettled: new Map(),
  missing: new Map(),
  volumes: new Map(),
  unnameable: new Set(),
  trustsInodes: true,
});

/**
 * Tells whether a file changed: its size and times, and whether it is another file. Programs may set its time of
 * modification to what it was before a change.
 */
export const looksOf = (
  { trustsInodes }: Pick<FolderState, "trustsInodes">,
  { bytes, modifiedAt, changedMs, inode }: Omit<SeenFile, "volume">,
): string => `${bytes} ${modifiedAt} ${changedMs}${trustsInodes ? ` ${inode}` : ""}`;

/** Whether the file of a document is as it was when the document was made, as far as that is known without reading it. */
export const isUnchanged = (state: FolderState, known: FolderDocument, seen: SeenFile): boolean => {
  if (known.isMisplaced || known.volume !== seen.volume) return false;
  if (known.seen !== undefined) return looksOf(state, known.seen) === looksOf(state, seen);
  return known.bytes === seen.bytes && known.modifiedAt === seen.modifiedAt && seen.changedMs <= known.storedMs;
};
