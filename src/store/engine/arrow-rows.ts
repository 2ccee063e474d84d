import type {
  Table as ArrowTable,
  Data,
  FixedSizeList,
  Float,
  Int,
  List,
  Schema,
  DataType as Type,
  Utf8,
} from "apache-arrow";
import type { Cell, Cells } from "./cells.ts";
import { DataType, Float32, makeData, RecordBatch, Struct, Table, vectorFromArray } from "./columns.ts";

/**
 * Turns rows into columns, in the order of the schema. The columns are built as blocks of memory: Arrow's own builders
 * take one value at a time, and several times as long.
 * @throws if a row lacks a column or a cell has another type
 */
export const toArrowTable = (schema: Schema, rows: readonly Cells[]): ArrowTable => {
  const children = schema.fields.map(({ name, type }) => {
    const cells = rows.map((row) => {
      const cell = row[name];
      if (cell === undefined) throw new Error(`row without column ${name}`);
      return cell;
    });
    return toColumn(type, cells);
  });
  const type = new Struct(schema.fields);
  return new Table(schema, new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children })));
};

const toColumn = (type: Type, cells: readonly Cell[]): Data => {
  if (DataType.isUtf8(type)) return toTexts(type, cells);
  if (DataType.isFixedSizeList(type)) return toVectors(type, cells);
  if (DataType.isList(type)) return toLists(type, cells);
  if (DataType.isFloat(type)) return toFloats(type, cells);
  if (DataType.isInt(type)) return toIntegers(type, cells);
  const [column] = vectorFromArray(cells, type).data;
  if (column === undefined) throw new Error("a column without data");
  return column;
};

/** The Arrow validity bitmap: one bit for each cell that is not null, in whole words of 64 bits. */
const validityOf = (cells: readonly Cell[]): { nullCount: number; nullBitmap: Uint8Array | null } => {
  const nullBitmap = new Uint8Array(Math.ceil(cells.length / 64) * 8);
  let nullCount = 0;
  for (let index = 0; index < cells.length; index += 1) {
    if (cells[index] === null) nullCount += 1;
    else nullBitmap[index >> 3] = (nullBitmap[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return { nullCount, nullBitmap: nullCount === 0 ? null : nullBitmap };
};

const encoder = new TextEncoder();

/** All texts in one block of UTF-8, with their offsets. Encoding the joined text once is faster than each text. */
const toTexts = (type: Utf8, cells: readonly Cell[]): Data<Utf8> => {
  const texts = cells.map((cell) => {
    if (cell !== null && typeof cell !== "string") throw new Error("not a text");
    return cell ?? "";
  });
  const joined = texts.join("");
  const encoded = encoder.encode(joined);
  const isAscii = encoded.length === joined.length; // then the length of a text is its length in bytes
  const valueOffsets = new Int32Array(texts.length + 1);
  let bytes = 0;
  let at = 0;
  for (const text of texts) {
    bytes += isAscii ? text.length : Buffer.byteLength(text);
    at += 1;
    valueOffsets[at] = bytes;
  }
  const data = bytes === encoded.length ? encoded : encodeEach(texts, valueOffsets);
  return makeData({ type, length: cells.length, ...validityOf(cells), valueOffsets, data });
};

/** Encodes each text alone: if one ends and the next begins with half of a surrogate pair, joining them made one character. */
const encodeEach = (texts: readonly string[], offsets: Int32Array): Uint8Array => {
  const data = new Uint8Array(offsets[texts.length] ?? 0);
  let at = 0;
  for (const text of texts) {
    encoder.encodeInto(text, data.subarray(offsets[at]));
    at += 1;
  }
  return data;
};

/** Lists of texts: the texts of all lists in one column, and the end of each list. */
const toLists = (type: List, cells: readonly Cell[]): Data<List> => {
  const valueOffsets = new Int32Array(cells.length + 1);
  const entries: string[] = [];
  let at = 0;
  for (const cell of cells) {
    if (!Array.isArray(cell)) throw new Error("not a list of texts");
    for (const entry of cell as readonly string[]) entries.push(entry);
    at += 1;
    valueOffsets[at] = entries.length;
  }
  const child = toColumn(type.children[0]?.type, entries);
  return makeData({ type, length: cells.length, nullCount: 0, nullBitmap: null, valueOffsets, child });
};

const toFloats = (type: Float, cells: readonly Cell[]): Data<Float> => {
  const data = new Float64Array(cells.map(toNumber));
  return makeData({ type, length: cells.length, ...validityOf(cells), data });
};

const toIntegers = (type: Int, cells: readonly Cell[]): Data<Int> => {
  const data = new Int32Array(cells.map(toNumber));
  return makeData({ type, length: cells.length, ...validityOf(cells), data });
};

const toNumber = (cell: Cell): number => {
  if (cell !== null && typeof cell !== "number") throw new Error("not a number");
  return cell ?? 0;
};

/** One contiguous block of floats. */
const toVectors = (type: FixedSizeList, cells: readonly Cell[]): Data<FixedSizeList> => {
  const dimensions = type.listSize;
  const values = new Float32Array(cells.length * dimensions);
  let end = 0;
  for (const cell of cells) {
    end += dimensions;
    if (cell === null) continue;
    if (!(cell instanceof Float32Array) || cell.length !== dimensions) throw new Error("vector of the wrong length");
    values.set(cell, end - dimensions);
  }
  const child = makeData({ type: new Float32(), length: values.length, data: values });
  return makeData({ type, length: cells.length, ...validityOf(cells), child });
};
