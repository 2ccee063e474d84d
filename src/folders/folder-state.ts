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
  /** A problem with the folder as a whole: nothing is deleted meanwhile. Reported once. */
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
  report(event: FolderEvent): void;
  /**
   * A file is ingested when it has not changed for this long, and counts as removed when it was missing for this long;
   * 1 s unless given.
   */
  settleMs?: number;
  /** How often the folder is scanned when no change is reported; 10 s unless given. */
  scanEveryMs?: number;
}

/** What is known about a folder between two scans. */
export interface FolderState {
  /** By path. */
  documents: Map<string, FolderDocument>;
  /** Files that are no documents, by path, with what they looked like. */
  refused: Map<string, string>;
  /** Files that may still be growing, with what they looked like. */
  unsettled: Map<string, string>;
  /** Documents whose file was not there at the last scan. */
  missing: Set<string>;
}

/** Tells whether a file changed: its size and time. */
export const looksOf = ({ bytes, modifiedAt }: SeenFile): string => `${bytes} ${modifiedAt}`;
