import { type FSWatcher, watch } from "node:fs";
import { createNotifier, notifiedOrPause, pause } from "../async/waiting.ts";
import { messageOf } from "../domain/errors.ts";
import { applyScan } from "./apply-scan.ts";
import { createFolderState, type FollowOptions } from "./folder-state.ts";
import type { Trouble } from "./gone-documents.ts";
import { FolderUnreachableError, scanFolder } from "./scan-folder.ts";

/** Reports changes in a folder, where the system supports it. */
interface FolderWatch {
  /** Watches the folder that is at the path now; a second call does no harm. @param identity as a scan gives it */
  watch(identity: string): void;
  close(): void;
}

/**
 * Only a hint: on network folders, and where the system has no watches left, nothing is reported, so the folder has to
 * be scanned regularly anyway.
 */
const createFolderWatch = (path: string, onChange: () => void): FolderWatch => {
  let watcher: FSWatcher | null = null;
  let watched = "";

  const close = (): void => {
    watcher?.close();
    watcher = null;
  };

  return {
    watch(identity) {
      if (identity === watched) return;
      close();
      watched = identity;
      try {
        watcher = watch(path, { recursive: true, persistent: false }, onChange);
        watcher.on("error", close);
      } catch {
        close();
      }
    },
    close,
  };
};

const defaultSettleMs = 1_000;
const defaultScanEveryMs = 10_000;
const retryMs = 15_000;
/** Events come in bursts. */
const burstMs = 250;
/** A large folder takes long to scan: scans take no more than a tenth of the time. */
const restPerScan = 10;

/**
 * Keeps documents in step with a folder: new, changed, moved and removed files. Ends when the signal fires or, without
 * `watch`, once every file is processed. A folder that cannot be reached, or is suddenly empty, deletes nothing; nor
 * does a volume in it that is not there any more.
 */
export const followFolder = async (options: FollowOptions, signal: AbortSignal): Promise<void> => {
  const { path, target, report } = options;
  const settleMs = options.settleMs ?? defaultSettleMs;
  const scanEveryMs = options.scanEveryMs ?? defaultScanEveryMs;
  const state = createFolderState();
  let isLoaded = false;
  /** What was reported and is still so. */
  let told = new Set<string>();
  let scanMs = 0;
  /** Notifies when the system reports a change. */
  const changes = createNotifier();
  const watch = createFolderWatch(path, changes.notify);

  const note = (troubles: readonly Trouble[]): void => {
    for (const { key, reason } of troubles) if (!told.has(key)) report({ kind: "trouble", reason });
    if (troubles.length === 0 && told.size > 0) report({ kind: "recovered" });
    told = new Set(troubles.map(({ key }) => key));
  };
  const noteFailure = (reason: string): void => note([{ key: reason, reason }]);

  /** @returns milliseconds after which the folder must be scanned again; null where all is done */
  const look = async (): Promise<number | null> => {
    if (!isLoaded) {
      for (const document of await target.list(signal)) state.documents.set(document.path, document);
      isLoaded = true;
    }
    const startedAt = performance.now();
    const scan = await scanFolder(path, options.maxFiles, signal, options.isLeftOut);
    scanMs = performance.now() - startedAt;
    if (options.watch) watch.watch(scan.identity);
    switch (await applyScan({ ...options, settleMs }, state, scan, note, signal)) {
      case "nothing":
        return null;
      case "unsettled":
        return settleMs;
      case "waiting":
        return scanEveryMs;
      case "delayed":
        return retryMs;
    }
  };

  /** Ends early, but not before `minMs`, when something changed since `seen` was read. */
  const waitForChange = async (seen: number, maxMs: number, minMs: number): Promise<void> => {
    await notifiedOrPause(changes, seen, maxMs, signal);
    if (changes.count !== seen) await pause(Math.max(burstMs, Math.min(minMs, maxMs)), signal);
  };

  try {
    while (!signal.aborted) {
      const seen = changes.count;
      let againMs: number | null;
      try {
        againMs = await look();
      } catch (error) {
        if (signal.aborted) return;
        noteFailure(messageOf(error));
        againMs = error instanceof FolderUnreachableError ? null : retryMs;
      }
      if (againMs === null && !options.watch) return;
      const restMs = scanMs * restPerScan;
      await waitForChange(seen, Math.max(againMs ?? scanEveryMs, restMs), restMs);
    }
  } finally {
    watch.close();
  }
};
