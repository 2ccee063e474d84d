import { type FSWatcher, watch } from "node:fs";

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
export const createFolderWatch = (path: string, onChange: () => void): FolderWatch => {
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
