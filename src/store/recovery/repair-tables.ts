import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Logger } from "../../log/log.ts";
import { folderOf } from "../disk/table-folder.ts";
import { type NewDamage, noteLost } from "../engine/damage.ts";
import { connect } from "../engine/lance.ts";
import { checkTable, type Finding, noVersionIntact, type onlyEmptyVersionIntact } from "./check-table.ts";
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
import { finishSalvage, keepsRows, lostRows, salvageTable } from "./salvage.ts";
import { compareWithSeal, removeSeal, sealTable } from "./seal.ts";

/**
 * The system writes data to disk after about half a minute, and each durable write syncs everything before it: files older
 * than this were on disk when the power was lost.
 */
const syncedAfterMs = 5 * 60_000;

/** When the newest file under a folder was written; 0 if there is none. */
const newestIn = async (folder: string): Promise<number> => {
  let newest = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    const { mtimeMs } = await stat(join(entry.parentPath, entry.name));
    newest = Math.max(newest, mtimeMs);
  }
  return newest;
};

/**
 * Names of the tables whose indexes were written in the last minutes before the power loss: their files may hold zeros
 * instead of data, and must be rebuilt.
 */
export const recentlyIndexed = async (dataDir: string): Promise<Set<string>> => {
  const tables = (await readdir(join(dataDir, "tables"))).filter((name) => name.endsWith(".lance"));
  const written = await Promise.all(
    tables.map(async (table) => {
      const folder = join(dataDir, "tables", table);
      return {
        name: table.slice(0, -".lance".length),
        any: await newestIn(folder),
        index: await newestIn(join(folder, "_indices")),
      };
    }),
  );
  const lastWriteAt = Math.max(0, ...written.map(({ any }) => any));
  return new Set(written.filter(({ index }) => index > lastWriteAt - syncedAfterMs).map(({ name }) => name));
};

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

/** Checks the tables one after another. Documents are first: they tell which snippets belong together. */
const checkTables = async (
  dataDir: string,
  names: readonly string[],
  { quarantine, log, hasLostPower }: RepairOptions,
  { altered, unsealed }: Pick<Unsound, "altered" | "unsealed">,
): Promise<Checked> => {
  const checked: Checked = { rolledBack: new Set(), lost: [], broken: new Map(), isUsed: false };
  // A connection of its own: its caches may hold broken versions.
  const { connection } = await connect(join(dataDir, "tables"));
  const check = async (name: string): Promise<void> => {
    const isAltered = altered.has(name);
    const isKept = keepsRows(name);
    let finding: Finding = isAltered
      ? noVersionIntact
      : await checkTable(connection, dataDir, quarantine, name, hasLostPower || !isKept);
    const salvage = async (isBroken: boolean, isLastWay: boolean): Promise<boolean> => {
      const saved = await salvageTable(connection, dataDir, { name, isBroken, isLastWay, quarantine, log });
      if (saved === null || (!isBroken && saved.damaged.length === 0)) return false;
      checked.isUsed ||= showsUse(name, saved.kept + saved.damaged.length);
      checked.rolledBack.add(name);
      checked.lost.push(...lostRows(name, saved));
      return true;
    };
    if (isKept && (finding === noVersionIntact || (unsealed.has(name) && !hasLostPower))) {
      const isBroken = finding === noVersionIntact;
      if (await salvage(isBroken, !isBroken)) return;
      // Where no row can be saved, an older version is better than none.
      if (isBroken && !isAltered && !hasLostPower) finding = await checkTable(connection, dataDir, quarantine, name);
    }
    if (isKept && typeof finding === "string" && (await salvage(true, true))) return;
    if (typeof finding === "string") {
      checked.broken.set(name, finding);
      checked.isUsed ||= isIrreplaceable(name) && finding === noVersionIntact;
      return;
    }
    checked.isUsed ||= showsUse(name, finding.rows);
    if (finding.versionsSetAside === 0) return;
    await sealTable(join(dataDir, folderOf(name))); // it may name a version that is gone, and whose number comes again
    checked.rolledBack.add(name);
    log.warn(
      { table: name, versions: finding.versionsSetAside, quarantine: quarantine.folder },
      "the newest version of a table was broken and is set aside in the quarantine; an older one is used",
    );
  };
  try {
    if (names.includes("documents")) await check("documents");
    const checks = names.filter((name) => name !== "documents").map(check);
    await Promise.allSettled(checks); // if one fails, the others still finish moving files
    await Promise.all(checks);
  } finally {
    connection.close();
  }
  return checked;
};

/** What the comparison with the seals found that cannot be put right at once. */
interface Unsound {
  /** Tables with files of rows that are not as they were written. */
  altered: Set<string>;
  /** Tables with files of rows that are not sealed: whether they are as they were written, their rows tell. */
  unsealed: Set<string>;
  brokenIndexes: Set<string>;
  uncompared: string[];
}

/** A start reads so much. Of larger stores, the rest is compared after it (`compareLater`). */
const maxReadBytes = 64 * 1024 * 1024;

/** Puts back what the seal holds a copy of, and tells which tables have damaged rows and indexes. */
const compareWithSeals = async (
  dataDir: string,
  names: readonly string[],
  { quarantine, log }: RepairOptions,
): Promise<Unsound> => {
  const unsound: Unsound = { altered: new Set(), unsealed: new Set(), brokenIndexes: new Set(), uncompared: [] };
  const limit = { bytesLeft: maxReadBytes };
  for (const table of names) {
    const folder = join(dataDir, folderOf(table));
    const { broken, isPart, isSealed } = await compareWithSeal(folder, { limit });
    if (isPart) unsound.uncompared.push(table);
    if (!isSealed) {
      const bytes = await sizeOf(join(folder, "data"));
      if (bytes <= limit.bytesLeft) unsound.unsealed.add(table);
      limit.bytesLeft -= Math.min(bytes, limit.bytesLeft);
    }
    for (const { path, detail, copy } of broken) {
      const fields = { table, file: path, quarantine: quarantine.folder };
      if (copy !== null) {
        if (detail === "altered") await quarantine.moveIn(`${folderOf(table)}/${path}`);
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), copy, { flush: true });
        log.warn(fields, `a file was ${detail}: it is put back from its copy`);
      } else if (path.startsWith("_indices/")) {
        await quarantine.moveIn(`${folderOf(table)}/${path}`);
        unsound.brokenIndexes.add(table);
      } else if (!path.startsWith("_versions/")) {
        log.warn(fields, "a file of rows is not as it was written");
        unsound.altered.add(table);
      }
    }
  }
  return unsound;
};

const sizeOf = async (folder: string): Promise<number> => {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

interface RepairOptions {
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
  const { brokenIndexes, uncompared, ...unsound } = await compareWithSeals(dataDir, names, options);
  const checked = await checkTables(dataDir, names, options, unsound);
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
  await noteLost(dataDir, checked.lost);

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
