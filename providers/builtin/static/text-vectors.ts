import { readFile } from "node:fs/promises";
import { emptyRun, loadTokenizer, runLimit, type Tokenizer } from "../wordpiece/tokenizer.ts";
import path from "./table.bin" with { type: "file" };

/** Adds up the rows of the wordpieces of one text after another. */
interface VectorSum {
  /** Adds the next pieces of a text. @returns where to continue; the text's length at its end */
  add(text: string, from: number): number;
  /** What was added, made unit length; zero where nothing was. The next text begins. */
  take(): Float32Array;
}

export const createVectorSum = (tokenizer: Tokenizer, table: Table): VectorSum => {
  const run = emptyRun();
  const sum = new Float64Array(table.dimensions);
  return {
    add(text, from) {
      tokenizer.read(text, from, runLimit, run);
      addRows(table, tokenizer.pieces, run.count, sum);
      return run.next;
    },
    take() {
      const vector = unitVector(sum);
      sum.fill(0);
      return vector;
    },
  };
};

/**
 * For a thread: makes the vectors of the built-in table that another thread has loaded.
 * @param content as `StaticEmbedding.table`
 */
export const openTextVectors = async (content: SharedArrayBuffer): Promise<(text: string) => Float32Array> => {
  const sum = createVectorSum(await loadTokenizer(), readTable(Buffer.from(content)));
  return (text) => {
    for (let at = 0; at < text.length; ) at = sum.add(text, at);
    return sum.take();
  };
};

const addRows = (table: Table, pieces: Int32Array, count: number, sum: Float64Array): void => {
  const { numbers, scales, dimensions } = table;
  for (let index = 0; index < count; index += 1) {
    const id = pieces[index] as number;
    const scale = scales[id] as number;
    const from = id * dimensions;
    for (let offset = 0; offset < dimensions; offset += 1) {
      sum[offset] = (sum[offset] as number) + scale * (numbers[from + offset] as number);
    }
  }
};

const unitVector = (sum: Float64Array): Float32Array => {
  let squares = 0;
  for (let index = 0; index < sum.length; index += 1) squares += (sum[index] as number) ** 2;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  const vector = new Float32Array(sum.length);
  for (let index = 0; index < sum.length; index += 1) vector[index] = (sum[index] as number) * scale;
  return vector;
};

/** One row a wordpiece; `row = scales[id] * numbers[id * dimensions …]`. Made by tools/static-embedding. */
interface Table {
  rows: number;
  dimensions: number;
  scales: Float32Array;
  numbers: Int8Array;
  /** SHA-256 of the content in hexadecimal, as the file states it: vectors of different tables do not compare. */
  digest: string;
  /** SHA-256 of the vocabulary it was made for. */
  vocabularyDigest: string;
}

const headerBytes = 88;

/**
 * Loads the built-in table.
 * @returns `content` is the file, from which other threads read the same table without a copy
 * @throws Error if the file is not a complete table of the known layout
 */
export const loadTable = async (): Promise<{ table: Table; content: SharedArrayBuffer }> => {
  const file = await readFile(path);
  const content = new SharedArrayBuffer(file.byteLength);
  new Uint8Array(content).set(file);
  return { table: readTable(Buffer.from(content)), content };
};

/** Reads the layout that tools/static-embedding/table_file.py describes. The content's hash is not computed here. */
export const readTable = (file: Buffer): Table => {
  if (file.byteLength < headerBytes || file.toString("latin1", 0, 8) !== "CRLTABLE" || file.readUInt32LE(8) !== 1) {
    throw new Error("the built-in embedding table is damaged or of an unknown layout");
  }
  const rows = file.readUInt32LE(12);
  const dimensions = file.readUInt32LE(16);
  if (file.byteLength !== headerBytes + rows * (4 + dimensions)) {
    throw new Error("the built-in embedding table is incomplete");
  }
  // Float32Array wants a multiple of four, which a slice of a pooled buffer need not be.
  const content = file.byteOffset % 4 === 0 ? file : Buffer.from(new Uint8Array(file).buffer);
  return {
    rows,
    dimensions,
    scales: new Float32Array(content.buffer, content.byteOffset + headerBytes, rows),
    numbers: new Int8Array(content.buffer, content.byteOffset + headerBytes + 4 * rows, rows * dimensions),
    digest: file.toString("hex", 56, 88),
    vocabularyDigest: file.toString("hex", 24, 56),
  };
};
