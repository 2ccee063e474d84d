import { readFile } from "node:fs/promises";
import { emptyRun, loadTokenizer, runLimit, type Tokenizer } from "../wordpiece/tokenizer.ts";
import path from "./table.bin" with { type: "file" };
import vocabularyPath from "./vocabulary.txt" with { type: "file" };

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
  const sum = createVectorSum(await loadTableTokenizer(), readTable(Buffer.from(content)));
  return (text) => {
    for (let at = 0; at < text.length; ) at = sum.add(text, at);
    return sum.take();
  };
};

const addRows = (table: Table, pieces: Int32Array, count: number, sum: Float64Array): void => {
  const { numbers, scales, dimensions } = table;
  const rowBytes = dimensions / 2;
  for (let index = 0; index < count; index += 1) {
    const id = pieces[index] as number;
    const scale = scales[id] as number;
    if (scale === 0) continue;
    const from = id * rowBytes;
    for (let offset = 0; offset < rowBytes; offset += 1) {
      const two = numbers[from + offset] as number;
      sum[2 * offset] = (sum[2 * offset] as number) + scale * ((two & 15) - zero);
      sum[2 * offset + 1] = (sum[2 * offset + 1] as number) + scale * ((two >> 4) - zero);
    }
  }
};
/** What stands for 0 among the sixteen numbers of four bits. */
const zero = 8;

const unitVector = (sum: Float64Array): Float32Array => {
  let squares = 0;
  for (let index = 0; index < sum.length; index += 1) squares += (sum[index] as number) ** 2;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  const vector = new Float32Array(sum.length);
  for (let index = 0; index < sum.length; index += 1) vector[index] = (sum[index] as number) * scale;
  return vector;
};

/** One row a wordpiece of `vocabulary.txt`, four bits a number. Made by tools/static-embedding, which describes the file. */
interface Table {
  rows: number;
  dimensions: number;
  /** 0 where a piece says nothing. */
  scales: Float32Array;
  /** `row[2 * i] = scale * (low half of byte i - 8)`, `row[2 * i + 1]` by the high half. */
  numbers: Uint8Array;
  /** SHA-256 of the content in hexadecimal, as the file states it: vectors of different tables do not compare. */
  digest: string;
  /** SHA-256 of the vocabulary it was made for. */
  vocabularyDigest: string;
}

const headerBytes = 88;
const layout = 2;

/** A tokenizer over the words that the table has rows for. */
export const loadTableTokenizer = (): Promise<Tokenizer> => loadTokenizer(vocabularyPath);

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
  if (
    file.byteLength < headerBytes ||
    file.toString("latin1", 0, 8) !== "CRLTABLE" ||
    file.readUInt32LE(8) !== layout
  ) {
    throw new Error("the built-in embedding table is damaged or of an unknown layout");
  }
  const rows = file.readUInt32LE(12);
  const dimensions = file.readUInt32LE(16);
  if (file.byteLength !== headerBytes + rows * (4 + dimensions / 2)) {
    throw new Error("the built-in embedding table is incomplete");
  }
  // Float32Array wants a multiple of four, which a slice of a pooled buffer need not be.
  const content = file.byteOffset % 4 === 0 ? file : Buffer.from(new Uint8Array(file).buffer);
  return {
    rows,
    dimensions,
    scales: new Float32Array(content.buffer, content.byteOffset + headerBytes, rows),
    numbers: new Uint8Array(content.buffer, content.byteOffset + headerBytes + 4 * rows, (rows * dimensions) / 2),
    digest: file.toString("hex", 56, 88),
    vocabularyDigest: file.toString("hex", 24, 56),
  };
};
