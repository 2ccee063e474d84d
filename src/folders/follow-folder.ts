import { createBell } from "../async/bell.ts";
import { pause } from "../async/pause.ts";
import { ringOrPause } from "../async/ring-or-pause.ts";
import { messageOf } from "../domain/thrown.ts";
import { applyScan } from "./apply-scan.ts";
import type { FolderState, FollowOptions } from "./folder-state.ts";
import { type FolderScan, FolderUnreachableError, scanFolder } from "./scan-folder.ts";
import { createFolderWatch } from "./watch-folder.ts";

const defaultSettleMs = 1_000;
const defaultScanEveryMs = 10_000;
const retryMs = 15_000;
/** Events come in bursts. */
const burstMs = 250;
/** A large folder takes long to scan: scans take no more than a tenth of the time. */
const restPerScan = 10;

/**
 * Keeps documents in step with a folder: new, changed, moved and removed files. Ends when the signal fires or, without
 * `watch`, once every file is processed. A folder that cannot be reached, or is suddenly empty, deletes nothing.
 */
export const followFolder = async (options: FollowOptions, signal: AbortSignal): Promise<void> => {
  const { path, target, report } = options;
  const settleMs = options.settleMs ?? defaultSettleMs;
  const state: FolderState = {
    documents: new Map(),
    refused: new Map(),
    unsettled: new Map(),
    missing: new Set(),
  };
  let isLoaded = false;
  let trouble: string | null = null;
  /** Identity of the folder when it last had files. */
  let filledIdentity: string | null = null;
  let scanMs = 0;
  /** Rings when the system reports a change. */
  const changes = createBell();
  const watch = createFolderWatch(path, changes.ring);

  const note = (reason: string | null): void => {
    if (reason !== null && reason !== trouble) report({ kind: "trouble", reason });
    if (reason === null && trouble !== null) report({ kind: "recovered" });
    trouble = reason;
  };

  /** @returns milliseconds after which the folder must be scanned again; null where all is done */
  const look = async (): Promise<number | null> => {
    if (!isLoaded) {
      for (const document of await target.list(signal)) state.documents.set(document.path, document);
      isLoaded = true;
    }
    const startedAt = performance.now();
    const scan = await scanFolder(path, options.maxFiles, signal);
    scanMs = performance.now() - startedAt;
    if (options.watch) watch.watch(scan.identity);
    note(troubleOf(scan, state, filledIdentity, options.maxFiles));
    if (isSuspect(scan, state, filledIdentity)) return null;
    if (scan.files.size > 0) filledIdentity = scan.identity;
    const { isDone, isDelayed } = await applyScan({ ...options, settleMs }, state, scan, signal);
    if (isDone) return null;
    return isDelayed ? retryMs : settleMs;
  };

  /** Ends early, but not before `minMs`, when something changed since `seen` was read. */
  const waitForChange = async (seen: number, maxMs: number, minMs: number): Promise<void> => {
    await ringOrPause(changes, seen, maxMs, signal);
    if (changes.rings !== seen) await pause(Math.max(burstMs, Math.min(minMs, maxMs)), signal);
  };

  try {
    while (!signal.aborted) {
      const seen = changes.rings;
      let againMs: number | null;
      try {
        againMs = await look();
      } catch (error) {
        if (signal.aborted) return;
        note(error instanceof FolderUnreachableError ? error.message : messageOf(error));
        againMs = error instanceof FolderUnreachableError ? null : retryMs;
      }
      if (againMs === null && !options.watch) return;
      const restMs = scanMs * restPerScan;
      await waitForChange(seen, Math.max(againMs ?? options.scanEveryMs ?? defaultScanEveryMs, restMs), restMs);
    }
  } finally {
    watch.close();
  }
};

/** An empty folder that had documents, with another identity: more likely not mounted than cleared. */
const isSuspect = (scan: FolderScan, { documents }: FolderState, filledIdentity: string | null): boolean =>
  scan.files.size === 0 && documents.size > 0 && scan.identity !== filledIdentity;

const troubleOf = (
  scan: FolderScan,
  state: FolderState,
  filledIdentity: string | null,
  maxFiles: number,
): string | null => {
  if (isSuspect(scan, state, filledIdentity)) {
    return `it is empty, and ${state.documents.size} documents came from it: they are kept, since it may not be mounted`;
  }
  if (scan.isTruncated)
    return `it holds more than ${maxFiles} files (scan.maxFiles): the rest is left out, and nothing is deleted`;
  if (scan.unreadable.length > 0) {
    const [first = ""] = scan.unreadable;
    const others = scan.unreadable.length > 1 ? ` and ${scan.unreadable.length - 1} more` : "";
    return `${JSON.stringify(first)}${others} in it cannot be read: documents from there are kept as they are`;
  }
  return null;
};
