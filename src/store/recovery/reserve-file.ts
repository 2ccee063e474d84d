import { open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../log/log.ts";

export const reserveBytes = 16 * 1024 * 1024;

/** A file that is removed if the disk is full all the same, because others write to it too: deleting then has space. */
export interface ReserveFile {
  readonly isThere: boolean;
  /** Writes it. Where that fails it is not there. */
  write(): Promise<void>;
  /** Gives its space up; it is there no longer. Resolves when the space is free. */
  remove(): Promise<void>;
}

export const openReserveFile = async (dataDir: string, log: Logger): Promise<ReserveFile> => {
  const path = join(dataDir, "reserve");
  let isThere = (await stat(path).catch(() => null))?.size === reserveBytes;
  return {
    get isThere() {
      return isThere;
    },
    async write() {
      try {
        const file = await open(path, "w", 0o600);
        try {
          // Written in full: a sparse file would reserve nothing.
          await file.writeFile(new Uint8Array(reserveBytes));
        } finally {
          await file.close();
        }
        isThere = true;
      } catch (error) {
        await rm(path, { force: true });
        log.warn({ error: String(error) }, "the reserve file could not be written");
      }
    },
    async remove() {
      isThere = false;
      await rm(path, { force: true });
    },
  };
};
