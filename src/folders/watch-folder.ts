import { type FSWatcher, watch } from "node:fs";

/** Tells when something changes in a folder, where the system can say so. */
export interface FolderWatch {
  /** Watches the folder that is at the path now; the same one twice does no harm. @param identity as a scan gives it */
  watch(identity: string): void;
  close(): void;
}

/**
 * A hint, no more: on network folders, and where the system has no watches left, nothing is told, and the folder has to
 * be looked at now and then anyway.
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
