import type { Field as ArrowField, Schema as ArrowSchema, DataType } from "apache-arrow";
import { Bool, Field, Float64, Int32, List, Schema, Utf8 } from "./arrow.ts";
import type { Cells, RowReader } from "./cells.ts";

/** Kind of index on a column: `fts` over terms that are analysed already, the others over whole values. */
export type ColumnIndex = "btree" | "bitmap" | "label_list" | "fts";

/** One table: its columns, and the one place that maps its records to rows and back. */
export interface TableDefinition<T> {
  readonly name: string;
  readonly schema: ArrowSchema;
  /** Column that tells rows apart in an upsert; null where rows are only added. */
  readonly key: string | null;
  readonly indexes: Readonly<Record<string, ColumnIndex>>;
  encode(record: T): Cells;
  decode(row: RowReader): T;
}

export const text = (name: string): ArrowField => new Field(name, new Utf8(), false);
/**
 * Text of which each row holds much. LanceDB would train a compression of its own on every commit, however few rows it
 * has: writing 16 documents took 10 ms longer of 20, merging files twice as long, and reading a little. Without it files
 * are half as large again.
 */
export const longText = (name: string): ArrowField =>
  new Field(name, new Utf8(), false, new Map([["lance-encoding:compression", "none"]]));
export const nullableText = (name: string): ArrowField => new Field(name, new Utf8(), true);
/** Also times in epoch milliseconds: whole numbers are exact up to 2^53, and need no bigint on the way. */
export const float = (name: string): ArrowField => new Field(name, new Float64(), false);
export const nullableFloat = (name: string): ArrowField => new Field(name, new Float64(), true);
export const integer = (name: string): ArrowField => new Field(name, new Int32(), false);
export const nullableInteger = (name: string): ArrowField => new Field(name, new Int32(), true);
export const boolean = (name: string): ArrowField => new Field(name, new Bool(), false);
export const texts = (name: string): ArrowField =>
  new Field(name, new List(new Field("item", new Utf8(), true)), false);

export const schemaOf = (...fields: ArrowField<DataType>[]): ArrowSchema => new Schema(fields);

export const columnsOf = (definition: TableDefinition<never> | { schema: ArrowSchema }): string[] =>
  definition.schema.fields.map((field) => field.name);
