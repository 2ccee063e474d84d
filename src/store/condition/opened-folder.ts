import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "../../domain/errors.ts";

/** Whether the data directory is still the one that the store was opened in. */
export interface OpenedFolder {
  /** The error storage_unavailable where it is not; null where it is. */
  whyGone(): ApiError | null;
  /** @throws what `whyGone` returns */
  check(): void;
}

/**
 * Remembers the data directory, which holds the lock and `tables/`. LanceDB makes missing folders without a word: where
 * the directory was moved, deleted or its disk unmounted, writes would go to a new one in its place and be lost. Only
 * where both are missing or others is it gone, because some file systems give a folder another number in time.
 */
export const rememberFolder = (dataDir: string): OpenedFolder => {
  const identify = (): string => {
    const found = statSync(join(dataDir, "tables"), { throwIfNoEntry: false });
    return found === undefined ? "" : `${found.dev}:${found.ino}`;
  };
  const opened = identify();
  const isThere = (): boolean => {
    try {
      return identify() === opened || existsSync(join(dataDir, "lock"));
    } catch {
      return false;
    }
  };
  const whyGone = (): ApiError | null =>
    isThere()
      ? null
      : new ApiError(
          "storage_unavailable",
          "the data directory is not where it was when the server started: it was moved, deleted, or its disk was unmounted. Put it back; where it is another copy, start the server again",
        );
  return {
    whyGone,
    check() {
      const gone = whyGone();
      if (gone !== null) throw gone;
    },
  };
};
