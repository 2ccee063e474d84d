import { readFile } from "node:fs/promises";
import path from "./table.bin" with { type: "file" };

/** One row a wordpiece; `row = scales[id] * numbers[id * dimensions …]`. Made by tools/static-embedding. */
export interface Table {
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
