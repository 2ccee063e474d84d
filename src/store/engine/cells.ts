/** The value of one column of one row, as it is written to a table. */
export type Cell = string | number | boolean | null | readonly string[] | Float32Array;
export type Cells = Record<string, Cell>;

/** Reads the columns of one record batch by name; `at` selects the row. Checks the type of each value. */
export interface RowReader {
  readonly length: number;
  at(index: number): RowReader;
  has(column: string): boolean;
  string(column: string): string;
  nullableString(column: string): string | null;
  number(column: string): number;
  nullableNumber(column: string): number | null;
  /** A whole number of 64 bits. */
  bigint(column: string): bigint;
  boolean(column: string): boolean;
  strings(column: string): string[];
  /** A view of the batch's own memory, not a copy. */
  vector(column: string): Float32Array | null;
  /** The value of a column of any type that tables have. */
  cell(column: string): Cell;
}

/** The part of an Arrow batch that is read. LanceDB has its own copy of the Arrow classes. */
export interface ReadableBatch {
  readonly numRows: number;
  getChild(name: string): ReadableColumn | null;
}
interface ReadableColumn {
  get(index: number): unknown;
  readonly data: readonly {
    readonly offset: number;
    getValid(index: number): boolean;
    readonly children: readonly { readonly values: unknown }[];
  }[];
}

/** The methods of the reader throw if a column is missing or has another type. */
export const createRowReader = (batch: ReadableBatch): RowReader => {
  const columns = new Map<string, ReadableColumn | null>();
  let row = 0;
  const column = (name: string): ReadableColumn | null => {
    let found = columns.get(name);
    if (found === undefined) {
      found = batch.getChild(name);
      columns.set(name, found);
    }
    return found;
  };
  const read = (name: string): unknown => {
    const found = column(name);
    if (found === null) throw new Error(`column ${name} is missing`);
    return found.get(row);
  };
  const wrong = (name: string): Error => new Error(`column ${name} holds a value of another type`);
  const reader: RowReader = {
    length: batch.numRows,
    at(index) {
      row = index;
      return reader;
    },
    has: (name) => column(name) !== null,
    string(name) {
      const value = read(name);
      if (typeof value !== "string") throw wrong(name);
      return value;
    },
    nullableString(name) {
      return read(name) === null ? null : reader.string(name);
    },
    number(name) {
      const value = read(name);
      if (typeof value !== "number") throw wrong(name);
      return value;
    },
    bigint(name) {
      const value = read(name);
      if (typeof value !== "bigint") throw wrong(name);
      return value;
    },
    nullableNumber(name) {
      return read(name) === null ? null : reader.number(name);
    },
    boolean(name) {
      const value = read(name);
      if (typeof value !== "boolean") throw wrong(name);
      return value;
    },
    strings(name) {
      const value = read(name);
      if (typeof value !== "object" || value === null || !(Symbol.iterator in value)) throw wrong(name);
      const entries: unknown[] = [...(value as Iterable<unknown>)];
      if (!isStrings(entries)) throw wrong(name);
      return entries;
    },
    vector(name) {
      const data = column(name)?.data[0];
      const values = data?.children[0]?.values;
      if (data === undefined || !(values instanceof Float32Array)) throw wrong(name);
      if (!data.getValid(row)) return null;
      const dimensions = values.length / batch.numRows;
      const start = (data.offset + row) * dimensions;
      return values.subarray(start, start + dimensions);
    },
    cell(name) {
      const value = read(name);
      if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
        return value;
      }
      const isVector = column(name)?.data[0]?.children[0]?.values instanceof Float32Array;
      return isVector ? reader.vector(name) : reader.strings(name);
    },
  };
  return reader;
};

/** Parses a column of JSON that this store wrote. */
export const parseJson = <T>(text: string, accepts: (value: unknown) => value is T): T => {
  const value: unknown = JSON.parse(text);
  if (!accepts(value)) throw new Error("a JSON column holds a value of another type");
  return value;
};

export const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string");

export const isObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
