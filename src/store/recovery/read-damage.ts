import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ApiError, messageOf } from "../../domain/errors.ts";
import { type DamageRegister, damagedRow, nobody } from "../engine/damage.ts";
import type { Lance } from "../engine/lance.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { rebuildIndexes } from "../engine/table-indexes.ts";
import type { ReadDamage } from "../engine/table-reads.ts";
import { isTransient } from "./check-table.ts";
import { compareWithSeal } from "./seal.ts";
import { checkRows, firstSentence, idsOf } from "./table-rows.ts";

/** What LanceDB says of files that do not hold what was written: as an error of its own, or of Arrow's. */
const isCorruption = (error: unknown): boolean => {
  const message = messageOf(error);
  if (isTransient(error) || /commit conflict|too many concurrent/i.test(message)) return false;
  // A file of an index that is gone can be made again.
  if (/not found/i.test(message)) return message.includes("/_indices/");
  return /corrupt|panic|decod|invalid|out of (range|bounds)|lance error|LanceError|unexpected|mismatch/i.test(message);
};

/** A table is mended no more often than this: mending reads all of it. */
const mendEveryMs = 60_000;

/**
 * Notes damage that reads of an open store meet, and has tables mended whose reads fail.
 * @param mend makes what can be made again of a table
 * @param whyGone why the data directory is not in its place: then nothing is damaged; null where it is
 */
export const createReadDamage = (
  register: DamageRegister,
  mend: (table: string) => Promise<void>,
  whyGone: () => ApiError | null,
): ReadDamage => {
  const mendedAt = new Map<string, number>();
  return {
    row: (table, row, { message: detail }) => register.note(damagedRow(table, { ids: idsOf(row), detail })),
    async unreadable(table, error) {
      if (error instanceof ApiError || !isCorruption(error)) return error;
      const gone = whyGone();
      if (gone !== null) return gone;
      const detail = `the table ${table} cannot be read: ${firstSentence(error)}`;
      register.note({ ...nobody, kind: "table", where: table, detail });
      const now = performance.now();
      if (now - (mendedAt.get(table) ?? Number.NEGATIVE_INFINITY) >= mendEveryMs) {
        mendedAt.set(table, now);
        void mend(table).catch(() => undefined); // it stays in the register
      }
      const kind = table.replace(/_[0-9a-f]{32}(_\d+)?$/, "");
      const what = `The table ${kind} could not be read. Its indexes are made again now: try again in a moment, and restart Carrel if that does not help`;
      return await register.error(what, error);
    },
  };
};

/**
 * Makes the indexes of a table again, and looks whether all of its rows can be read then.
 * @param folder of the table
 */
export const mendTable = async (
  lance: Lance,
  table: StoreTable<unknown>,
  folder: string,
  register: DamageRegister,
): Promise<void> => {
  const { name, indexes } = table.definition;
  await table.alone(async () => {
    await rebuildIndexes(lance, table.lance, indexes, async () => undefined);
    // Those of the version before: upkeep would remove them later.
    for (const { path } of (await compareWithSeal(folder)).broken)
      if (path.startsWith("_indices/")) await rm(join(folder, path), { force: true });
  });
  let damaged = 0;
  for await (const part of checkRows(table.lance)) damaged += part.damaged.length;
  if (damaged === 0) register.settle(({ kind, where }) => where === name && kind !== "row");
};
