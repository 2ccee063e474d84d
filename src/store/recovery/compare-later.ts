import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../../log.ts";
import { folderOf } from "./check-table.ts";
import type { DamageRegister } from "./damage.ts";
import { compareWithSeal } from "./seal.ts";

/** After each megabyte: a large store is read at 50 MB a second at most, and others hardly notice. */
const pauseMs = 20;
/** What a start leaves to do is done first. */
const firstMs = 30_000;

export interface LaterOptions {
  dataDir: string;
  /** Tables of which the start has not read all. */
  names: readonly string[];
  /** Makes the indexes of a table again, and takes its damage off the list if all rows are sound then. */
  mend(table: string): Promise<void>;
  damage: Pick<DamageRegister, "note">;
  log: Logger;
  firstMs?: number;
}

/**
 * Compares the files of large tables with their seals while the store is open, slowly: a start would take minutes. What is
 * found is noted, and mended where it can be. A list of removed rows and a manifest are small: the start has read them.
 * @returns ends it
 */
export const compareLater = ({ dataDir, names, mend, damage, log, firstMs: delayMs = firstMs }: LaterOptions) => {
  const stop = new AbortController();
  const { signal } = stop;
  const pause = (ms: number): Promise<void> => wait(ms, undefined, { signal, ref: false });
  const compare = async (): Promise<void> => {
    await pause(delayMs);
    for (const table of names) {
      const { broken } = await compareWithSeal(join(dataDir, folderOf(table)), { onPiece: () => pause(pauseMs) });
      const found = broken.filter(({ path }) => /^(data|_indices)\//.test(path)); // upkeep replaces manifests meanwhile
      for (const { path } of found) {
        const kind = path.startsWith("data/") ? "table" : "index";
        const detail = `${folderOf(table)}/${path} is not as it was written`;
        damage.note({ kind, where: table, id: null, organizationId: null, belongsTo: null, detail });
      }
      if (found.length > 0) await mend(table);
    }
  };
  const ended = compare().catch((error: unknown) => {
    if (!signal.aborted)
      log.warn({ error: String(error) }, "the files of tables could not be compared with their seals");
  });
  return async (): Promise<void> => {
    stop.abort();
    await ended;
  };
};
