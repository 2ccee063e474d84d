import type { Schema as ArrowSchema } from "apache-arrow";
import { messageOf } from "../../domain/errors.ts";
import type { Cells, RowReader } from "./cells.ts";
import {
  type Column,
  type ColumnGroup,
  type ColumnKind,
  type DerivedColumn,
  nullableInteger,
  schemaOf,
} from "./columns.ts";
import { checkedColumns, checkRow, checksumColumn, checksumOf, DamagedRowError } from "./row-checksum.ts";

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
