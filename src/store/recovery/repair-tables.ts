import { join } from "node:path";
import type { Logger } from "../../log.ts";
import { connect } from "../engine/lance.ts";
import { checkTable, folderOf, noVersionIntact, type onlyEmptyVersionIntact } from "./check-table.ts";
import {
  effectOfLoss,
  isIrreplaceable,
  missingTables,
  type Refusal,
  refusalOf,
  refusalWithoutTables,
  showsUse,
  tablesIn,
} from "./known-tables.ts";
import type { Quarantine } from "./quarantine.ts";

/** What the start moved to the quarantine. The code that opens the tables sees from them what else has to be repaired. */
export interface Repairs {
  /** Tables whose newest version was broken: an older one is used. */
  readonly rolledBack: ReadonlySet<string>;
  /** Tables that were broken or missing as a whole: they are created again, empty. */
  readonly renewed: ReadonlySet<string>;
  /** Why the store must not be opened: tables that nothing can restore. Empty if it can be. */
  readonly refusals: readonly string[];
}

/** The result of checking the tables that are there. */
interface Checked {
  rolledBack: Set<string>;
  broken: Map<string, typeof noVersionIntact | typeof onlyEmptyVersionIntact>;
  /** Whether the store was ever used: in a new one, missing tables are no loss. */
  isUsed: boolean;
}

const checkTables = async (
  dataDir: string,
  names: readonly string[],
  quarantine: Quarantine,
  log: Logger,
): Promise<Checked> => {
  const checked: Checked = { rolledBack: new Set(), broken: new Map(), isUsed: false };
  // A connection of its own: its caches may hold broken versions.
  const { connection } = await connect(join(dataDir, "tables"));
  try {
    const checks = names.map(async (name) => ({
      name,
      finding: await checkTable(connection, dataDir, quarantine, name),
    }));
    await Promise.allSettled(checks); // if one fails, the others still finish moving files
    for (const { name, finding } of await Promise.all(checks)) {
      if (typeof finding === "string") {
        checked.broken.set(name, finding);
        checked.isUsed ||= isIrreplaceable(name) && finding === noVersionIntact;
        continue;
      }
      checked.isUsed ||= showsUse(name, finding.rows);
      if (finding.versionsSetAside === 0) continue;
      checked.rolledBack.add(name);
      const fields = { table: name, versions: finding.versionsSetAside, quarantine: quarantine.folder };
      log.warn(
        fields,
        "the newest version of a table was broken and is set aside in the quarantine; an older one is used",
      );
    }
  } finally {
    connection.close();
  }
  return checked;
};

/**
 * Checks all tables before they are opened. Moves broken versions to the quarantine if an older one is intact, and
 * whole tables if they can be restored from others.
 * @throws StoreDamagedError if this user may not read a file
 */
export const repairTables = async (dataDir: string, quarantine: Quarantine, log: Logger): Promise<Repairs> => {
  const names = await tablesIn(dataDir);
  if (names.length === 0) {
    const refusal = await refusalWithoutTables(dataDir);
    return { rolledBack: new Set(), renewed: new Set(), refusals: refusal === null ? [] : [inOneSentence(refusal)] };
  }
  const { rolledBack, broken, isUsed } = await checkTables(dataDir, names, quarantine, log);
  // Texts and files that only the lost rows named are about to be removed as unused: copies are kept.
  if (rolledBack.has("documents"))
    for (const path of [folderOf("texts"), "files"]) await quarantine.linkIn(path, "with-documents");

  const missing = await missingTables(names, isUsed, quarantine);
  const refusals = isUsed
    ? [...[...broken].map(([name, state]) => refusalOf(name, state)), ...missing.map(({ refusal }) => refusal)].filter(
        (refusal) => refusal !== null,
      )
    : [];
  if (refusals.length > 0) return { rolledBack, renewed: new Set(), refusals: refusals.map(inOneSentence) };

  for (const name of broken.keys()) {
    await quarantine.moveIn(folderOf(name));
    const message = `a broken table is set aside in the quarantine: ${effectOfLoss(name)}`;
    log.warn({ table: name, quarantine: quarantine.folder }, message);
  }
  for (const { name, effect, isSetAside } of missing) {
    if (isSetAside) await quarantine.acceptSetAside(`${name}.lance`);
    log.warn({ table: name }, `a table is missing: ${effect}`);
  }
  return { rolledBack, renewed: new Set([...broken.keys(), ...missing.map(({ name }) => name)]), refusals: [] };
};

const inOneSentence = ({ what, ways }: Refusal): string => `${what}: ${ways}.`;
