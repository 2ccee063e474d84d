import { createRowReader, type ReadableBatch, type RowReader } from "../engine/cells.ts";
import { type LanceTable, withoutTraces } from "../engine/lance.ts";
import { checkedColumns, checkRow, DamagedRowError } from "../engine/table-definition.ts";

/** A row that does not hold what was written, or that cannot be read. */
export interface DamagedRow {
  rowId: bigint;
  detail: string;
  /** What can be read of its identifiers, by column; each may be what is damaged. */
  ids: Readonly<Partial<Record<IdColumn, string>>>;
}

const idColumns = ["id", "organizationId", "documentId", "chatId"] as const;
type IdColumn = (typeof idColumns)[number];

/** One part of the rows of a table: sound ones, and damaged ones beside them. */
interface RowsRead {
  /** Ids of the rows that are as they were written. */
  sound: bigint[];
  damaged: DamagedRow[];
}

/** Rows that are read in one call. */
const chunkRows = 512;
/** Calls that may fail for one file of rows: after so many, what cannot be read with others counts as lost. */
const maxFailures = 2_000;

type ArrowBatches = { readonly batches: readonly ReadableBatch[] };

/** Ids of all rows. No file of rows is opened for it. */
const rowIdsOf = async (table: LanceTable): Promise<bigint[]> => {
  const ids: bigint[] = [];
  const { batches } = (await table.query().select([]).withRowId().toArrow()) as ArrowBatches;
  for (const batch of batches) {
    const row = createRowReader(batch);
    for (let index = 0; index < row.length; index += 1) ids.push(row.at(index).bigint("_rowid"));
  }
  return ids;
};

const readRows = async (table: LanceTable, ids: readonly bigint[], columns: readonly string[]): Promise<ArrowBatches> =>
  (await table
    .takeRowIds([...ids])
    .select([...columns])
    .withRowId()
    .toArrow()) as ArrowBatches;

/** What an error says in one line. */
export const firstSentence = (error: unknown): string =>
  withoutTraces(String(error)).split("\n")[0]?.slice(0, 300) ?? "";

const plausibleId = /^[A-Za-z0-9._-]{1,80}$/;

/** What can be read of the identifiers of a row. */
export const idsOf = (row: RowReader): DamagedRow["ids"] => {
  const ids: Partial<Record<IdColumn, string>> = {};
  for (const column of idColumns) {
    try {
      const value = row.has(column) ? row.nullableString(column) : null;
      if (value !== null && plausibleId.test(value)) ids[column] = value;
    } catch {
      // This one cannot be read.
    }
  }
  return ids;
};

/** The same of a row that cannot be read as a whole: each column alone. */
const idsOfUnreadable = async (
  table: LanceTable,
  columns: readonly string[],
  rowId: bigint,
): Promise<DamagedRow["ids"]> => {
  const ids: Partial<Record<IdColumn, string>> = {};
  for (const column of idColumns.filter((one) => columns.includes(one)))
    for (const batch of (await readRows(table, [rowId], [column]).catch(() => null))?.batches ?? [])
      Object.assign(ids, idsOf(createRowReader(batch).at(0)));
  return ids;
};

const faultOf = (row: RowReader, columns: readonly string[]): string | null => {
  try {
    checkRow(row, columns);
    return null;
  } catch (error) {
    return error instanceof DamagedRowError ? error.message : firstSentence(error);
  }
};

/**
 * Reads every row of a table and compares it with its checksum. A row that cannot be read keeps none of the others from
 * being read.
 * @throws Error if the table cannot be opened at all; the signal's reason
 */
export async function* checkRows(table: LanceTable, signal?: AbortSignal): AsyncGenerator<RowsRead> {
  const columns = (await table.schema()).fields.map(({ name }) => name);
  const checked = checkedColumns(columns);
  const failures = new Map<bigint, number>();

  /** @throws where one of them cannot be read */
  const readTogether = async (ids: readonly bigint[]): Promise<RowsRead> => {
    const part: RowsRead = { sound: [], damaged: [] };
    const missing = new Set(ids);
    for (const batch of (await readRows(table, ids, columns)).batches) {
      const row = createRowReader(batch);
      for (let index = 0; index < row.length; index += 1) {
        const rowId = row.at(index).bigint("_rowid");
        missing.delete(rowId);
        const error = faultOf(row, checked);
        if (error === null) part.sound.push(rowId);
        else part.damaged.push({ rowId, detail: `it is not as it was written: ${error}`, ids: idsOf(row) });
      }
    }
    for (const rowId of missing) part.damaged.push({ rowId, detail: "it is not in its file", ids: {} });
    return part;
  };

  const read = async (ids: readonly bigint[]): Promise<RowsRead> => {
    try {
      return await readTogether(ids);
    } catch (error) {
      const [first = 0n] = ids;
      const file = first >> 32n; // the upper half of a row id is the number of its file
      const failed = (failures.get(file) ?? 0) + 1;
      failures.set(file, failed);
      if (ids.length > 1 && failed <= maxFailures) {
        const middle = ids.length >> 1;
        const [before, after] = [await read(ids.slice(0, middle)), await read(ids.slice(middle))];
        return { sound: [...before.sound, ...after.sound], damaged: [...before.damaged, ...after.damaged] };
      }
      const detail = `it cannot be read: ${firstSentence(error)}`;
      const known = ids.length === 1 ? await idsOfUnreadable(table, columns, first) : {};
      return { sound: [], damaged: ids.map((rowId) => ({ rowId, detail, ids: known })) };
    }
  };

  const all = await rowIdsOf(table);
  for (let start = 0; start < all.length; start += chunkRows) {
    signal?.throwIfAborted();
    yield await read(all.slice(start, start + chunkRows));
  }
}

/** Some columns of all rows, or of some. */
export const rowsOf = async <Column extends string>(
  table: LanceTable,
  columns: readonly Column[],
  rowIds?: readonly bigint[],
): Promise<({ rowId: bigint } & Record<Column, unknown>)[]> => {
  const wanted = rowIds ?? (await rowIdsOf(table));
  const found: ({ rowId: bigint } & Record<Column, unknown>)[] = [];
  for (let start = 0; start < wanted.length; start += chunkRows)
    for (const batch of (await readRows(table, wanted.slice(start, start + chunkRows), columns)).batches)
      for (let index = 0; index < batch.numRows; index += 1) {
        const values = columns.map((column) => [column, batch.getChild(column)?.get(index) ?? null]);
        const rowId = batch.getChild("_rowid")?.get(index) as bigint;
        found.push({ rowId, ...(Object.fromEntries(values) as Record<Column, unknown>) });
      }
  return found;
};

/** Copies rows into a table of the same schema. */
export const copyRows = async (from: LanceTable, ids: readonly bigint[], to: LanceTable): Promise<void> => {
  const columns = (await from.schema()).fields.map(({ name }) => name);
  for (let start = 0; start < ids.length; start += chunkRows) {
    const query = from.takeRowIds(ids.slice(start, start + chunkRows)).select(columns);
    await to.add(await query.toArrow());
  }
};
