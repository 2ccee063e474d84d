import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Logger } from "../../log.ts";
import { type Connection, connect } from "../engine/lance.ts";
import { checkTable, type Finding, folderOf, noVersionIntact, type onlyEmptyVersionIntact } from "./check-table.ts";
import { type NewDamage, noteLost } from "./damage.ts";
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
import { finishSalvage, isSalvaged, lostRows, salvageTable, whoseDocuments } from "./salvage.ts";
import { compareWithSeal, type ReadLimit, removeSeal, sealTable } from "./seal.ts";
import { checkRows } from "./table-rows.ts";

/** What the start moved to the quarantine. The code that opens the tables sees from them what else has to be repaired. */
export interface Repairs {
  /** Tables whose newest version was broken: an older one is used. */
  readonly rolledBack: ReadonlySet<string>;
  /** Tables that were broken or missing as a whole: they are created again, empty. */
  readonly renewed: ReadonlySet<string>;
  /** Tables that have files of indexes that are not as they were written: their indexes are made again. */
  readonly brokenIndexes: ReadonlySet<string>;
  /** Tables of which not all files were compared with their seals. */
  readonly uncompared: readonly string[];
  /** Why the store must not be opened: tables that nothing can restore. Empty if it can be. */
  readonly refusals: readonly string[];
}

/** The result of checking the tables that are there. */
interface Checked {
  rolledBack: Set<string>;
  /** Rows that were damaged, and are no longer in their tables. */
  lost: NewDamage[];
  broken: Map<string, typeof noVersionIntact | typeof onlyEmptyVersionIntact>;
  /** Whether the store was ever used: in a new one, missing tables are no loss. */
  isUsed: boolean;
}

const checkTables = async (
  dataDir: string,
  names: readonly string[],
  { quarantine, log, hasLostPower, damagedRows }: RepairOptions & { damagedRows: ReadonlySet<string> },
): Promise<Checked> => {
  const checked: Checked = { rolledBack: new Set(), lost: [], broken: new Map(), isUsed: false };
  // A connection of its own: its caches may hold broken versions.
  const { connection } = await connect(join(dataDir, "tables"));
  const salvage = async (name: string): Promise<boolean> => {
    if (!isSalvaged(name)) return false;
    const saved = await salvageTable(connection, dataDir, quarantine, name, log);
    if (saved === null) return false;
    checked.isUsed ||= showsUse(name, saved.kept);
    checked.rolledBack.add(name);
    checked.lost.push(...lostRows(name, saved));
    return true;
  };
  try {
    const checks = names
      .filter((name) => !damagedRows.has(name))
      .map(async (name) => ({
        name,
        finding: await checkTable(connection, dataDir, quarantine, name, hasLostPower || !isSalvaged(name)),
      }));
    await Promise.allSettled(checks); // if one fails, the others still finish moving files
    const found: { name: string; finding: Finding }[] = [
      ...(await Promise.all(checks)),
      ...[...damagedRows].map((name) => ({ name, finding: noVersionIntact }) as const),
    ];
    // Documents first: which snippets belong together is told by them.
    for (const { name, finding: first } of found.sort((one) => (one.name === "documents" ? -1 : 0))) {
      if (first === noVersionIntact && (await salvage(name))) continue;
      // Where no row can be saved, an older version is better than none.
      const isRetried = first === noVersionIntact && !damagedRows.has(name) && !hasLostPower && isSalvaged(name);
      const finding = isRetried ? await checkTable(connection, dataDir, quarantine, name) : first;
      if (typeof finding === "string") {
        checked.broken.set(name, finding);
        checked.isUsed ||= isIrreplaceable(name) && finding === noVersionIntact;
        continue;
      }
      checked.isUsed ||= showsUse(name, finding.rows);
      if (finding.versionsSetAside === 0) continue;
      await sealTable(join(dataDir, folderOf(name))); // it may name a version that is gone, and whose number comes again
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

/** What the comparison with the seals found that cannot be put right at once. */
interface Unsealed {
  damagedRows: Set<string>;
  brokenIndexes: Set<string>;
  uncompared: string[];
}

/**
 * A start reads so much of files that did not change since they were last compared, and so much of tables that are not
 * sealed. Of larger stores, the former are compared after it (`compareLater`).
 */
const maxReadBytes = 64 * 1024 * 1024;

/**
 * Whether a table whose files are not all sealed has rows that are not as they were written, beside others that are. What
 * cannot be read at all is found when its files are opened.
 */
const hasDamagedRows = async (connection: Connection, folder: string, name: string, limit: ReadLimit) => {
  const files = await readdir(join(folder, "data"), { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, "data", file.name))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > limit.bytesLeft) return false;
  limit.bytesLeft -= bytes;
  const table = await connection.openTable(name).catch(() => null);
  if (table === null) return false;
  try {
    let isAnySound = false;
    let isAnyDamaged = false;
    for await (const { sound, damaged } of checkRows(table)) {
      isAnySound ||= sound.length > 0;
      isAnyDamaged ||= damaged.length > 0;
      if (isAnySound && isAnyDamaged) return true;
    }
    return false;
  } catch {
    return false;
  } finally {
    table.close();
  }
};

/** Puts back what the seal holds a copy of, and tells which tables have damaged rows and indexes. */
const compareWithSeals = async (
  dataDir: string,
  names: readonly string[],
  { quarantine, log, hasLostPower }: RepairOptions,
): Promise<Unsealed> => {
  const unsealed: Unsealed = { damagedRows: new Set(), brokenIndexes: new Set(), uncompared: [] };
  const limit: ReadLimit = { bytesLeft: maxReadBytes };
  const newer: string[] = [];
  for (const table of names) {
    const folder = join(dataDir, folderOf(table));
    const { broken, isPart, isSealed } = await compareWithSeal(folder, { limit });
    if (isPart) unsealed.uncompared.push(table);
    if (!isSealed && isSalvaged(table) && !hasLostPower) newer.push(table);
    for (const { path, detail, copy } of broken) {
      if (copy !== null) {
        if (detail === "altered") await quarantine.moveIn(`${folderOf(table)}/${path}`);
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), copy, { flush: true });
        log.warn(
          { table, file: path, quarantine: quarantine.folder },
          `a file was ${detail}: it is put back from its copy`,
        );
      } else if (path.startsWith("_indices/")) {
        await quarantine.moveIn(`${folderOf(table)}/${path}`);
        unsealed.brokenIndexes.add(table);
      } else if (!path.startsWith("_versions/")) {
        log.warn({ table, file: path }, "a file of rows is not as it was written");
        unsealed.damagedRows.add(table);
      }
    }
  }
  const limitOfRows: ReadLimit = { bytesLeft: maxReadBytes };
  // Whoever looks for a row by an id that is damaged does not find it, and never reads the checksum beside it.
  if (newer.length > 0) {
    const { connection } = await connect(join(dataDir, "tables"));
    try {
      for (const table of newer.sort((one) => (one === "documents" ? -1 : 0)))
        if (await hasDamagedRows(connection, join(dataDir, folderOf(table)), table, limitOfRows)) {
          log.warn({ table }, "rows are not as they were written");
          unsealed.damagedRows.add(table);
        }
    } finally {
      connection.close();
    }
  }
  return unsealed;
};

export interface RepairOptions {
  quarantine: Quarantine;
  log: Logger;
  /** After a power loss the disk may lack what a seal says: then older versions are better than what is left. */
  hasLostPower: boolean;
}

/**
 * Checks all tables before they are opened. Moves broken versions to the quarantine if an older one is intact, and
 * whole tables if they can be restored from others.
 * @throws StoreDamagedError if this user may not read a file
 */
export const repairTables = async (dataDir: string, options: RepairOptions): Promise<Repairs> => {
  const { quarantine, log } = options;
  await finishSalvage(dataDir);
  const names = await tablesIn(dataDir);
  if (names.length === 0) {
    const refusal = await refusalWithoutTables(dataDir);
    const nothing = { rolledBack: new Set<string>(), renewed: new Set<string>(), brokenIndexes: new Set<string>() };
    return { ...nothing, uncompared: [], refusals: refusal === null ? [] : [inOneSentence(refusal)] };
  }
  if (options.hasLostPower) await Promise.all(names.map((name) => removeSeal(join(dataDir, folderOf(name)))));
  const { damagedRows, brokenIndexes, uncompared } = await compareWithSeals(dataDir, names, options);
  const checked = await checkTables(dataDir, names, { ...options, damagedRows });
  const { rolledBack, broken, isUsed } = checked;
  // Texts and files that only the lost rows named are about to be removed as unused: copies are kept.
  if (rolledBack.has("documents"))
    for (const path of [folderOf("texts"), "files"]) await quarantine.linkIn(path, "with-documents");

  const missing = await missingTables(names, isUsed, quarantine);
  const refusals = isUsed
    ? [...[...broken].map(([name, state]) => refusalOf(name, state)), ...missing.map(({ refusal }) => refusal)].filter(
        (refusal) => refusal !== null,
      )
    : [];
  if (refusals.length > 0)
    return { rolledBack, renewed: new Set(), brokenIndexes, uncompared, refusals: refusals.map(inOneSentence) };
  await noteLost(dataDir, await whoseDocuments(dataDir, checked.lost));

  for (const name of broken.keys()) {
    await quarantine.moveIn(folderOf(name));
    const message = `a broken table is set aside in the quarantine: ${effectOfLoss(name)}`;
    log.warn({ table: name, quarantine: quarantine.folder }, message);
  }
  for (const { name, effect, isSetAside } of missing) {
    if (isSetAside) await quarantine.acceptSetAside(`${name}.lance`);
    log.warn({ table: name }, `a table is missing: ${effect}`);
  }
  const renewed = new Set([...broken.keys(), ...missing.map(({ name }) => name)]);
  return { rolledBack, renewed, brokenIndexes, uncompared, refusals: [] };
};

const inOneSentence = ({ what, ways }: Refusal): string => `${what}: ${ways}.`;
