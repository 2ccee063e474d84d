import type * as Arrow from "apache-arrow";
import { type Cell, parseJson, type RowReader } from "./cells.ts";

/**
 * The copy of Arrow that LanceDB loads. `import` would load a second copy: LanceDB does not recognize its tables, and
 * copies them value by value before it writes them.
 */
const arrow: typeof Arrow = require("apache-arrow");

export const {
  Bool,
  DataType,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int32,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  vectorFromArray,
} = arrow;

/** The part of a column that the schema needs. */
export interface ColumnKind {
  readonly type: Arrow.DataType;
  readonly nullable: boolean;
  readonly options?: ReadonlyMap<string, string>;
}

/** A column that holds values of one type. */
export interface Column<V> extends ColumnKind {
  encode(value: V): Cell;
  decode(row: RowReader, name: string): V;
}

/** A column that is computed from the record when it is written. Queries use it; `decode` does not read it. */
export interface DerivedColumn<T> {
  readonly column: ColumnKind;
  derive(record: T): Cell;
}

/** An object of the record whose properties are columns of the table. */
export interface ColumnGroup<V> {
  readonly columns: { readonly [Name in keyof V & string]: Column<V[Name]> };
}

const asIs = <V extends Cell>(value: V): Cell => value;

export const text: Column<string> = {
  type: new Utf8(),
  nullable: false,
  encode: asIs,
  decode: (row, name) => row.string(name),
};
export const nullableText: Column<string | null> = {
  type: new Utf8(),
  nullable: true,
  encode: asIs,
  decode: (row, name) => row.nullableString(name),
};
/**
 * For text that takes much of a row. Without compression, because LanceDB trains one on every commit, however few rows
 * it has: writing 16 documents took 10 ms longer of 20, and merging files twice as long. Files are half as large again.
 */
export const longText: Column<string> = { ...text, options: new Map([["lance-encoding:compression", "none"]]) };
/** Also times in epoch milliseconds: whole numbers are exact up to 2^53, and need no bigint on the way. */
export const float: Column<number> = {
  type: new Float64(),
  nullable: false,
  encode: asIs,
  decode: (row, name) => row.number(name),
};
export const nullableFloat: Column<number | null> = {
  type: new Float64(),
  nullable: true,
  encode: asIs,
  decode: (row, name) => row.nullableNumber(name),
};
export const integer: Column<number> = { ...float, type: new Int32() };
export const nullableInteger: Column<number | null> = { ...nullableFloat, type: new Int32() };
export const boolean: Column<boolean> = {
  type: new Bool(),
  nullable: false,
  encode: asIs,
  decode: (row, name) => row.boolean(name),
};
export const texts: Column<string[]> = {
  type: new List(new Field("item", new Utf8(), true)),
  nullable: false,
  encode: asIs,
  decode: (row, name) => row.strings(name),
};

/** Text that is one of a few values. `decode` throws if it is another. */
export const oneOf = <const V extends string>(...values: readonly V[]): Column<V> => ({
  ...text,
  decode(row, name) {
    const stored = row.string(name);
    const value = values.find((candidate) => candidate === stored);
    if (value === undefined) throw new Error(`the column ${name} in the store has an unknown value`);
    return value;
  },
});

/** The same, or null. */
export const nullableOneOf = <const V extends string>(...values: readonly V[]): Column<V | null> => ({
  ...nullableText,
  decode: (row, name) => (row.nullableString(name) === null ? null : oneOf(...values).decode(row, name)),
});

/** A value that is stored as JSON text. `decode` throws if it has another type. */
export const json = <V>(accepts: (value: unknown) => value is V, column: Column<string> = text): Column<V> => ({
  ...column,
  encode: (value) => JSON.stringify(value),
  decode: (row, name) => parseJson(row.string(name), accepts),
});
export const nullableJson = <V>(accepts: (value: unknown) => value is V): Column<V | null> => ({
  ...nullableText,
  encode: (value) => (value === null ? null : JSON.stringify(value)),
  decode(row, name) {
    const stored = row.nullableString(name);
    return stored === null ? null : parseJson(stored, accepts);
  },
});

/** A vector of floats; `decode` copies it out of the memory of the batch. */
export const nullableVector = (dimensions: number): Column<Float32Array | null> => ({
  type: new FixedSizeList(dimensions, new Field("item", new Float32(), true)),
  nullable: true,
  encode: asIs,
  decode: (row, name) => row.vector(name)?.slice() ?? null,
});

export const derived = <T, V>(column: Column<V>, from: (record: T) => V): DerivedColumn<T> => ({
  column,
  derive: (record) => column.encode(from(record)),
});

export const group = <V>(columns: ColumnGroup<V>["columns"]): ColumnGroup<V> => ({ columns });

const fieldOf = (name: string, { type, nullable, options }: ColumnKind): Arrow.Field =>
  new Field(name, type, nullable, options === undefined ? undefined : new Map(options));

export const schemaOf = (columns: Readonly<Record<string, ColumnKind>>): Arrow.Schema =>
  new Schema(Object.entries(columns).map(([name, column]) => fieldOf(name, column)));
