import type { Schema as ArrowSchema } from "apache-arrow";
import { messageOf } from "../../domain/errors.ts";
import type { Cell, Cells, RowReader } from "./cells.ts";
import {
  type Column,
  type ColumnGroup,
  type ColumnKind,
  type DerivedColumn,
  nullableInteger,
  schemaOf,
} from "./columns.ts";

/**
 * Every table has this column: a checksum of all other cells of the row, made when it is written and compared when it is
 * read. Null, which is not compared, in rows that a migration changed with SQL: it sets the column so.
 */
export const checksumColumn = "checksum";

/** A row does not hold what was written. */
export class DamagedRowError extends Error {
  override readonly name = "DamagedRowError";
}

/** CRC-32 finds every single flipped byte: 33 µs for a megabyte of text. */
export const { crc32 } = Bun.hash;

const ofCell = (cell: Exclude<Cell, null>): string => {
  if (typeof cell === "string") return `${crc32(cell)}`;
  if (cell instanceof Float32Array) return `v${crc32(cell)}`;
  if (typeof cell === "object") return `[${cell.map((entry) => crc32(entry)).join(" ")}]`;
  return String(cell);
};

/**
 * @param columns in any fixed order, see `checkedColumns`
 * @returns 32 bits, signed. Null cells do not count: a column that a migration adds leaves the checksum as it is
 */
const checksumOf = (columns: readonly string[], cellOf: (column: string) => Cell): number => {
  let all = "";
  for (const column of columns) {
    const cell = cellOf(column);
    if (cell !== null) all += `${column}=${ofCell(cell)};`;
  }
  return crc32(all) | 0;
};

/** The columns that the checksum of a table covers, in its order. */
export const checkedColumns = (columns: readonly string[]): string[] =>
  columns.filter((column) => column !== checksumColumn).toSorted();

/** Compares a row with its checksum. @param columns `checkedColumns` of the table, all of them read @throws DamagedRowError */
export const checkRow = (row: RowReader, columns: readonly string[]): void => {
  let isWhole: boolean;
  try {
    const stored = row.nullableNumber(checksumColumn);
    isWhole = stored === null || checksumOf(columns, row.cell) === stored;
  } catch (error) {
    throw new DamagedRowError("a cell cannot be read", { cause: error });
  }
  if (!isWhole) throw new DamagedRowError("its checksum is another one");
};

/** Kind of index on a column: `fts` over analyzed terms, the others over whole values. */
export type ColumnIndex = "btree" | "bitmap" | "label_list" | "fts";

/** One table: its columns, and the conversion of its records to rows and back. `defineTable` makes it from a list of columns. */
export interface TableDefinition<T> {
  readonly name: string;
  readonly schema: ArrowSchema;
  /** Column that identifies a row in an upsert; null where rows are only added. */
  readonly key: string | null;
  readonly indexes: Readonly<Record<string, ColumnIndex>>;
  encode(record: T): Cells;
  decode(row: RowReader): T;
}

export const columnsOf = (definition: { schema: ArrowSchema }): string[] =>
  definition.schema.fields.map((field) => field.name);

/** A column for each property of the record, and the derived ones, in the order of the table. */
type Columns<T, Derived extends string> = {
  readonly [Name in keyof T & string]: Column<T[Name]> | ColumnGroup<T[Name]>;
} & { readonly [Name in Derived]: DerivedColumn<T> };

type Values = Record<string, unknown>;

/** One entry of `columns`, without the types: `defineTable` has checked them against the record. */
type AnyColumn<T> = Column<unknown> | ColumnGroup<Values> | DerivedColumn<T>;

/**
 * Makes schema, `encode` and `decode` from one list of columns. The compiler checks it against the type of the record.
 * The checksum of the row is added to them; `decode` throws DamagedRowError where it differs, or a cell has another type.
 */
export const defineTable = <T extends object, Derived extends string = never>({
  columns,
  ...table
}: Pick<TableDefinition<T>, "name" | "key" | "indexes"> & { columns: Columns<T, Derived> }): TableDefinition<T> => {
  const kinds: [name: string, kind: ColumnKind][] = [];
  const plain: [name: string, column: Column<unknown>][] = [];
  const groups: [property: string, columns: [name: string, column: Column<unknown>][]][] = [];
  const computed: [name: string, column: DerivedColumn<T>][] = [];
  for (const [name, entry] of Object.entries(columns as Readonly<Record<string, AnyColumn<T>>>)) {
    if ("columns" in entry) {
      const members = Object.entries(entry.columns);
      groups.push([name, members]);
      kinds.push(...members);
    } else if ("derive" in entry) {
      computed.push([name, entry]);
      kinds.push([name, entry.column]);
    } else {
      plain.push([name, entry]);
      kinds.push([name, entry]);
    }
  }
  const checked = checkedColumns(kinds.map(([name]) => name));
  return {
    ...table,
    schema: schemaOf(Object.fromEntries([...kinds, [checksumColumn, nullableInteger]])),
    encode(record) {
      const cells: Cells = {};
      const values = record as Values;
      for (const [name, column] of plain) cells[name] = column.encode(values[name]);
      for (const [property, members] of groups) {
        const inner = values[property] as Values;
        for (const [name, column] of members) cells[name] = column.encode(inner[name]);
      }
      for (const [name, column] of computed) cells[name] = column.derive(record);
      cells[checksumColumn] = checksumOf(checked, (name) => cells[name] ?? null);
      return cells;
    },
    decode(row) {
      checkRow(row, checked);
      try {
        const values: Values = {};
        for (const [name, column] of plain) values[name] = column.decode(row, name);
        for (const [property, members] of groups) {
          const inner: Values = {};
          for (const [name, column] of members) inner[name] = column.decode(row, name);
          values[property] = inner;
        }
        return values as T;
      } catch (error) {
        throw new DamagedRowError(messageOf(error), { cause: error });
      }
    },
  };
};
