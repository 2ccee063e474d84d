/** Reads all of a store, and says what is damaged: `carrel check`. Nothing is changed. */

import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { codeOf } from "../../domain/errors.ts";
import type { Logger } from "../../log/log.ts";
import type { BlobFolder } from "../blobs/blob-folder.ts";
import { isHash, storedFile } from "../blobs/file-hash.ts";
import type { CheckProgress, CheckReport } from "../contract/keeping.ts";
import { folderOf } from "../disk/table-folder.ts";
import { type DamageRegister, damagedFile, damagedRow, type NewDamage, nobody, readLost } from "../engine/damage.ts";
import { allOf, equals, isOneOf } from "../engine/filters.ts";
import { connect, type Lance, type LanceTable, withNewest } from "../engine/lance.ts";
import type { Engine } from "../engine/maintained-tables.ts";
import { keepTable } from "../snapshots/clone-store.ts";
import { StoreDamagedError } from "./check-table.ts";
import { tablesIn } from "./known-tables.ts";
import { type BrokenFile, compareWithSeal } from "./seal.ts";
import { storedSecret } from "./secret.ts";
import { checkRows, firstSentence, rowsOf } from "./table-rows.ts";

interface Check extends Omit<CheckReport, "damage" | "checkedAt"> {
  note(damage: Partial<NewDamage> & Pick<NewDamage, "kind" | "where" | "detail">): void;
  step(where: string, read: { rows?: number; bytes?: number }): void;
  signal: AbortSignal;
}

/** Values in one query. */
const valuesAtOnce = 500;
/** Rows of a table whose terms are looked up in a full-text index: each is a search. */
const sampledRows = 50;

/** Rows that an index does not find by their own value, or finds too often. @returns null if there are none */
const faultOfIndex = async (
  lance: Lance,
  table: LanceTable,
  { indexType, column }: { indexType: string; column: string },
  sound: readonly bigint[],
): Promise<string | null> => {
  if (/fts|inverted/i.test(indexType)) {
    const every = Math.max(1, Math.floor(sound.length / sampledRows));
    const sample = sound.filter((_, at) => at % every === 0);
    for (const row of await rowsOf(table, [column, "revision", "position"], sample)) {
      const [term = ""] = String(row[column]).split(" ");
      if (term === "") continue;
      const query = table.query().fullTextSearch(new lance.MatchQuery(term, column));
      const found = await query
        .where(allOf(equals("revision", String(row.revision)), `position = ${Number(row.position)}`))
        .select(["_score"])
        .withRowId()
        .toArray();
      if (!found.some((hit) => hit._rowid === row.rowId)) return "a row is not found by its own term";
    }
    return null;
  }
  if (!/btree|bitmap/i.test(indexType)) return null; // the others are compared with their seal alone
  const counts = new Map<string, number>();
  for (const { [column]: value } of await rowsOf(table, [column], sound))
    if (typeof value === "string") counts.set(value, (counts.get(value) ?? 0) + 1);
  const values = [...counts];
  for (let start = 0; start < values.length; start += valuesAtOnce) {
    const part = values.slice(start, start + valuesAtOnce);
    const expected = part.reduce((sum, [, count]) => sum + count, 0);
    const found = await table.countRows(
      isOneOf(
        column,
        part.map(([value]) => value),
      ),
    );
    if (found < expected) return `${expected - found} rows are not found by their own value`;
  }
  return null;
};

const checkTable = async (
  lance: Lance,
  folder: string,
  name: string,
  table: LanceTable,
  check: Check,
): Promise<void> => {
  const onPiece = (bytes: number): void => {
    check.signal.throwIfAborted();
    check.step(name, { bytes });
  };
  const { broken } = await compareWithSeal(join(folder, folderOf(name)), { onPiece });
  for (const { path, detail } of broken) check.note(damagedFile(name, path, detail));
  const sound: bigint[] = [];
  for await (const part of checkRows(table, check.signal)) {
    for (const rowId of part.sound) sound.push(rowId);
    for (const row of part.damaged) check.note(damagedRow(name, row));
    check.step(name, { rows: part.sound.length + part.damaged.length });
  }
  for (const { name: index, columns, indexType } of await table.listIndices()) {
    check.signal.throwIfAborted();
    const [column] = columns;
    if (column === undefined || sound.length === 0) continue;
    const fault = await faultOfIndex(lance, table, { indexType, column }, sound).catch(firstSentence);
    const detail = `the index ${index} of ${name} does not fit its rows: ${fault}`;
    if (fault !== null) check.note({ kind: "index", where: name, detail });
  }
};

/** Compares each stored file with its name. @param named by documents: files that have to be there */
const checkFiles = async (dataDir: string, named: ReadonlySet<string>, check: Check): Promise<void> => {
  const paths = await readdir(join(dataDir, "files"), { recursive: true }).catch(() => []);
  const present = paths.map((path) => basename(path)).filter(isHash);
  for (const hash of new Set([...present, ...named])) {
    check.signal.throwIfAborted();
    const where = storedFile(hash);
    const digest = createHash("sha256");
    try {
      for await (const piece of Bun.file(join(dataDir, where)).stream()) {
        digest.update(piece);
        check.step("files", { bytes: piece.byteLength });
      }
      check.files += 1;
      if (digest.digest("hex") !== hash)
        check.note({ kind: "file", where, id: hash, detail: "a stored file is not as it was written" });
    } catch (error) {
      const isMissing = codeOf(error) === "ENOENT";
      if (isMissing && !named.has(hash)) continue; // removed meanwhile
      const detail = isMissing ? "a stored file is missing" : `a stored file cannot be read (${codeOf(error)})`;
      check.note({ kind: "file", where, id: hash, detail });
    }
  }
  await storedSecret(dataDir).catch((error: unknown) => {
    if (!(error instanceof StoreDamagedError)) throw error;
    check.note({ kind: "secret", where: "secret", detail: "the secret that signs visitors' tokens is damaged" });
  });
};

interface CheckOptions {
  dataDir: string;
  /** Where `tables/` is, while the one in the data directory is written to. */
  tablesIn?: string;
  onProgress(progress: CheckProgress): void;
}

/**
 * Reads every row, file and index of a data directory that nobody writes to.
 * @throws StoreDamagedError if this user may not look into it; the signal's reason
 */
export const checkStore = async (
  { dataDir, tablesIn: folder = dataDir, onProgress }: CheckOptions,
  signal: AbortSignal,
): Promise<CheckReport> => {
  const damage = await readLost(dataDir);
  const check: Check = {
    rows: 0,
    files: 0,
    bytes: 0,
    signal,
    note: (found) => void damage.push({ ...nobody, ...found, foundAt: Date.now() }),
    step(where, { rows = 0, bytes = 0 }) {
      check.rows += rows;
      check.bytes += bytes;
      onProgress({ where, rows: check.rows, bytes: check.bytes });
    },
  };
  const named = new Set<string>();
  const names = (await tablesIn(folder)).toSorted();
  if (names.length > 0) {
    const { lance, connection } = await connect(join(folder, "tables"));
    try {
      for (const name of names) {
        try {
          await withNewest(connection, name, async (table) => {
            await checkTable(lance, folder, name, table, check);
            if (name === "documents")
              for (const { blobHash } of await rowsOf(table, ["blobHash"]))
                if (typeof blobHash === "string" && isHash(blobHash)) named.add(blobHash);
          });
        } catch (error) {
          signal.throwIfAborted();
          check.note({
            kind: "table",
            where: name,
            detail: `the table ${name} cannot be read: ${firstSentence(error)}`,
          });
        }
      }
    } finally {
      connection.close();
    }
  }
  await checkFiles(dataDir, named, check);
  const { rows, files, bytes } = check;
  return { checkedAt: Date.now(), rows, files, bytes, damage };
};

interface CheckOpenOptions extends CheckOptions {
  engine: Pick<Engine, "tables" | "meta" | "upkeepGate" | "mend">;
  blobs: Pick<BlobFolder, "keepAll">;
  damage: Pick<DamageRegister, "list" | "note">;
}

/**
 * The same while the store is open: links to the files of all tables are read, so that writes and upkeep go on. What is
 * found is noted, and damaged indexes are made again.
 */
export const checkOpenStore = async (options: CheckOpenOptions, signal: AbortSignal): Promise<CheckReport> => {
  const { dataDir, engine, blobs, damage, onProgress } = options;
  const keptIn = join(dataDir, "frozen", randomUUID());
  const endKeeping = blobs.keepAll();
  try {
    await engine.upkeepGate.exclusive(async () => {
      for (const table of [...engine.tables.list(), engine.meta])
        await keepTable(dataDir, keptIn, table.definition.name, await table.lance.version());
    });
    const report = await checkStore({ dataDir, tablesIn: keptIn, onProgress }, signal);
    for (const { foundAt: _, ...found } of report.damage) damage.note(found);
    const mended = new Set(report.damage.filter(({ kind }) => kind === "index").map(({ where }) => where));
    for (const name of mended) void engine.mend(name).catch(() => undefined);
    return { ...report, damage: [...damage.list()] };
  } finally {
    await endKeeping();
    await rm(keptIn, { recursive: true, force: true });
  }
};

/** After each megabyte: a large store is read at 50 MB a second at most, and others hardly notice. */
const pauseMs = 20;

interface LaterOptions {
  dataDir: string;
  /** Tables of which the start has not read all. */
  names: readonly string[];
  engine: Pick<Engine, "mend">;
  damage: Pick<DamageRegister, "note">;
  log: Logger;
}

/**
 * Compares the files of large tables with their seals while the store is open, slowly: a start would take minutes. What is
 * found is noted, and mended where it can be.
 * @returns ends it
 */
export const compareLater = ({ dataDir, names, engine, damage, log }: LaterOptions): (() => Promise<void>) => {
  const stop = new AbortController();
  const onPiece = (): Promise<void> => wait(pauseMs, undefined, { signal: stop.signal, ref: false });
  /** Files vanish while they are looked at: upkeep replaces them, and tables such as indexes of a former model are dropped. */
  const brokenIn = async (folder: string): Promise<BrokenFile[]> => {
    while (existsSync(folder))
      try {
        return (await compareWithSeal(folder, { onPiece })).broken;
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw error;
        await onPiece();
      }
    return [];
  };
  const compare = async (): Promise<void> => {
    for (const table of names) {
      const broken = await brokenIn(join(dataDir, folderOf(table)));
      const found = broken.filter(({ path }) => !path.startsWith("_versions/")); // upkeep replaces manifests meanwhile
      for (const { path, detail } of found) damage.note({ ...nobody, ...damagedFile(table, path, detail) });
      if (found.length > 0) await engine.mend(table);
    }
  };
  const ended = compare().catch((error: unknown) => {
    if (!stop.signal.aborted) log.warn({ error: String(error) }, "the files of tables could not be compared");
  });
  return async () => {
    stop.abort();
    await ended;
  };
};
