import { messageOf } from "../../domain/errors.ts";
import type { Lance, LanceTable } from "../engine/lance.ts";
import { countUnindexed } from "../engine/table-indexes.ts";
import type { Tidied, TidyRequest } from "../engine/upkeep-work.ts";
import { keepVectorIndex } from "../engine/vector-index.ts";

/**
 * When the current version was committed (epoch ms), and whether older ones are left. Merging makes a version that still
 * names the merged files before the one that does not: with the moment before the work, the last run of a table would
 * leave them on disk.
 */
const standingOf = async (table: LanceTable): Promise<Pick<Tidied, "currentSince" | "hasOlder">> => {
  const current = await table.version();
  const versions = await table.listVersions();
  const found = versions.find(({ version }) => version === current);
  if (found === undefined) throw new Error(`version ${current} is not listed`);
  return { currentSince: found.timestamp.getTime(), hasOlder: versions.some(({ version }) => version < current) };
};

/** See `UpkeepWork`. What fails once a version may have been made is told in the result. */
export const tidyTable = async (lance: Lance, table: LanceTable, request: TidyRequest): Promise<Tidied> => {
  const since = Date.now();
  const version = await table.version();
  let vectorIndexRows = request.vectorIndex?.builtAtRows ?? null;
  let unindexedRows: Record<string, number> = {};
  let failure: string | null = null;
  try {
    await table.optimize({
      cleanupOlderThan: new Date(request.removeBefore),
      deleteUnverified: request.removeUnnamed,
    });
    if (request.vectorIndex !== null) vectorIndexRows = await keepVectorIndex(lance, table, request.vectorIndex);
    if (request.countUnindexed) unindexedRows = await countUnindexed(table);
  } catch (error) {
    failure = messageOf(error);
  }
  const isNew = (await table.version()) !== version;
  const standing = await standingOf(table).catch(() => ({ currentSince: isNew ? since : 0, hasOlder: isNew }));
  return { isNew, ...standing, vectorIndexRows, unindexedRows, failure };
};
