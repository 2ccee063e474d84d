/** Reads all of a store, and says what is damaged: `carrel check`. Nothing is changed. */
import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../domain/thrown.ts";
import type { BlobFolder } from "../blobs/blob-folder.ts";
import { isHash } from "../blobs/file-hash.ts";
import type { CheckProgress, CheckReport } from "../contract/damage.ts";
import { isOneOf } from "../engine/filters.ts";
import { connect, type Lance, type LanceTable } from "../engine/lance.ts";
import { keepTable } from "../freeze/keep-table.ts";
import type { Engine } from "../open-engine.ts";
import { readSecret } from "../secret.ts";
import { folderOf } from "./check-table.ts";
import { type DamageRegister, type NewDamage, readLost } from "./damage.ts";
import { tablesIn } from "./known-tables.ts";
import { compareWithSeal } from "./seal.ts";
import { checkRows, firstSentence, rowsOf } from "./table-rows.ts";

interface Check {
  found: NewDamage[];
  rows: number;
  files: number;
  bytes: number;
  step(where: string, read: { rows?: number; bytes?: number }): void;
  signal: AbortSignal;
}

const nobody = { id: null, organizationId: null, belongsTo: null };
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
    for (const row of await rowsOf(table, [column, "revision"], sample)) {
      const [term = ""] = String(row[column]).split(" ");
      if (term === "") continue;
      const query = table.query().fullTextSearch(new lance.MatchQuery(term, column));
      const found = await query
        .where(isOneOf("revision", [String(row.revision)]))
        .select(["_score"])
        .withRowId()
        .limit(10_000)
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
  const note = (damage: Partial<NewDamage> & Pick<NewDamage, "kind" | "detail">): void => {
    check.found.push({ ...nobody, where: name, ...damage });
  };
  const onPiece = (bytes: number): void => {
    check.signal.throwIfAborted();
    check.step(name, { bytes });
  };
  for (const { path, detail } of (await compareWithSeal(join(folder, folderOf(name)), { onPiece })).broken) {
    const kind = path.startsWith("_indices/") ? "index" : "table";
    note({
      kind,
      detail: `${folderOf(name)}/${path} is ${detail === "altered" ? "not as it was written" : "missing"}`,
    });
  }
  const sound: bigint[] = [];
  for await (const part of checkRows(table, check.signal)) {
    for (const rowId of part.sound) sound.push(rowId);
    for (const { detail, ids } of part.damaged) {
      const belongsTo = ids.chatId ?? ids.documentId ?? null;
      const organizationId = ids.organizationId ?? null;
      note({
        kind: "row",
        id: ids.id ?? null,
        organizationId,
        belongsTo,
        detail: `a row of ${name} is damaged: ${detail}`,
      });
    }
    check.step(name, { rows: part.sound.length + part.damaged.length });
  }
  for (const { name: index, columns, indexType } of await table.listIndices()) {
    check.signal.throwIfAborted();
    const [column] = columns;
    if (column === undefined || sound.length === 0) continue;
    const fault = await faultOfIndex(lance, table, { indexType, column }, sound).catch(firstSentence);
    if (fault !== null)
      note({ kind: "index", detail: `the index ${index} of ${name} does not fit its rows: ${fault}` });
  }
};

const checkFiles = async (dataDir: string, named: ReadonlySet<string>, check: Check): Promise<void> => {
  const folder = join(dataDir, "files");
  const present = (await readdir(folder, { recursive: true }).catch(() => []))
    .map((path) => path.replaceAll("\\", "/").split("/").at(-1) ?? "")
    .filter(isHash);
  for (const hash of new Set([...present, ...named])) {
    check.signal.throwIfAborted();
    const where = `files/${hash.slice(0, 2)}/${hash}`;
    const digest = createHash("sha256");
    try {
      for await (const piece of Bun.file(join(dataDir, where)).stream()) {
        digest.update(piece);
        check.step("files", { bytes: piece.byteLength });
      }
    } catch (error) {
      if (codeOf(error) === "ENOENT" && !named.has(hash)) continue; // removed meanwhile
      check.found.push({
        ...nobody,
        kind: "file",
        where,
        id: hash,
        detail: `a stored file cannot be read (${codeOf(error)})`,
      });
      continue;
    }
    check.files += 1;
    if (digest.digest("hex") !== hash)
      check.found.push({ ...nobody, kind: "file", where, id: hash, detail: "a stored file is not as it was written" });
  }
  const secret = await readFile(join(dataDir, "secret")).catch(() => null);
  if (secret !== null && readSecret(secret) === null)
    check.found.push({
      ...nobody,
      kind: "secret",
      where: "secret",
      detail: "the secret that signs visitors' tokens is damaged",
    });
};

export interface CheckOptions {
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
  const check: Check = {
    found: [],
    rows: 0,
    files: 0,
    bytes: 0,
    signal,
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
        signal.throwIfAborted();
        try {
          const table = await connection.openTable(name);
          await checkTable(lance, folder, name, table, check).finally(() => table.close());
          if (name === "documents")
            for (const { blobHash } of await rowsOf(await connection.openTable(name), ["blobHash"]))
              if (typeof blobHash === "string" && isHash(blobHash)) named.add(blobHash);
        } catch (error) {
          signal.throwIfAborted();
          const detail = `the table ${name} cannot be read: ${firstSentence(error)}`;
          check.found.push({ ...nobody, kind: "table", where: name, detail });
        }
      }
    } finally {
      connection.close();
    }
  }
  await checkFiles(dataDir, named, check);
  const { found, rows, files, bytes } = check;
  const checkedAt = Date.now();
  const damage = [...(await readLost(dataDir)), ...found.map((one) => ({ ...one, foundAt: checkedAt }))];
  return { checkedAt, rows, files, bytes, damage };
};

export interface CheckOpenOptions extends CheckOptions {
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
