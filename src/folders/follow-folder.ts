import { type FolderState, type FollowOptions, messageOf } from "./folder-state.ts";
import { pass } from "./pass.ts";
import { type FolderScan, FolderUnreachableError, scanFolder } from "./scan-folder.ts";
import { createFolderWatch } from "./watch-folder.ts";

const SETTLE_MS = 1_000;
const SCAN_EVERY_MS = 10_000;
const RETRY_MS = 15_000;
/** Events come in bursts. */
const BURST_MS = 250;
/** A large folder takes long to look at: no more than a tenth of the time goes there. */
const REST_PER_SCAN = 10;

/**
 * Keeps documents in step with a folder: new, changed, moved and gone files. Ends when the signal fires or, without
 * `watch`, after the first pass. A folder that cannot be reached, or is empty where it was not, deletes nothing.
 */
export const followFolder = async (options: FollowOptions, signal: AbortSignal): Promise<void> => {
  const { path, target, report } = options;
  const settleMs = options.settleMs ?? SETTLE_MS;
  const state: FolderState = {
    documents: new Map(),
    refused: new Map(),
    unsettled: new Map(),
    missing: new Set(),
  };
  let isLoaded = false;
  let trouble: string | null = null;
  /** Of the folder when it last held files. */
  let filledIdentity: string | null = null;
  let scanMs = 0;
  let wake = () => {};
  let isWoken = false;
  const watch = createFolderWatch(path, () => {
    isWoken = true;
    wake();
  });

  const note = (reason: string | null): void => {
    if (reason !== null && reason !== trouble) report({ kind: "trouble", reason });
    if (reason === null && trouble !== null) report({ kind: "recovered" });
    trouble = reason;
  };

  /** @returns milliseconds after which it should be looked at again at the latest; null where all is done */
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
    const { isDone, isDelayed } = await pass({ ...options, settleMs }, state, scan, signal);
    if (isDone) return null;
    return isDelayed ? RETRY_MS : settleMs;
  };

  try {
    while (!signal.aborted) {
      isWoken = false;
      let againMs: number | null;
      try {
        againMs = await look();
      } catch (error) {
        if (signal.aborted) return;
        note(error instanceof FolderUnreachableError ? error.message : messageOf(error));
        againMs = error instanceof FolderUnreachableError ? null : RETRY_MS;
      }
      if (againMs === null && !options.watch) return;
      const restMs = scanMs * REST_PER_SCAN;
      await pause(Math.max(againMs ?? options.scanEveryMs ?? SCAN_EVERY_MS, restMs), restMs);
    }
  } finally {
    watch.close();
  }

  /** Ends early, but not before `leastMs`, when something changed. */
  async function pause(mostMs: number, leastMs: number): Promise<void> {
    const wait = (ms: number, isEarly: boolean) =>
      new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          wake = () => {};
          resolve();
        };
        const timer = setTimeout(done, ms);
        signal.addEventListener("abort", done, { once: true });
        if (isEarly) wake = done;
        if (signal.aborted || (isEarly && isWoken)) done();
      });
    await wait(mostMs, true);
    if (isWoken && !signal.aborted) await wait(Math.max(BURST_MS, Math.min(leastMs, mostMs)), false);
  }
};

/** Nothing is where something was: more likely the wrong place than a folder that was cleared. */
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
  if (scan.truncated)
    return `it holds more than ${maxFiles} files (scan.maxFiles): the rest is left out, and nothing is deleted`;
  if (scan.unreadable.length > 0) {
    const [first = ""] = scan.unreadable;
    const others = scan.unreadable.length > 1 ? ` and ${scan.unreadable.length - 1} more` : "";
    return `${JSON.stringify(first)}${others} in it cannot be read: documents from there are kept as they are`;
  }
  return null;
};
