import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import tablePath from "../../../../providers/builtin/static/table.bin" with { type: "file" };
import { loadTable, readTable } from "../../../../providers/builtin/static/text-vectors.ts";
import vocabularyPath from "../../../../providers/builtin/static/vocabulary.txt" with { type: "file" };
import { readVocabulary } from "../../../../providers/builtin/wordpiece/tokenizer.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("the table's file is whole and belongs to the vocabulary", async () => {
  const { table } = await loadTable();
  const [file, vocabulary] = await Promise.all([readFile(tablePath), readFile(vocabularyPath)]);
  expect(sha256(file.subarray(88))).toBe(table.digest);
  expect(sha256(vocabulary)).toBe(table.vocabularyDigest);
  expect(readVocabulary(vocabulary.toString()).size).toBe(table.rows);
  expect(table.dimensions).toBe(256);
  expect(table.scales.every((scale) => Number.isFinite(scale) && scale >= 0)).toBe(true);
});

test("a file of another kind, an unknown layout or a part is refused", async () => {
  const file = await readFile(tablePath);
  const changed = (offset: number) => {
    const copy = Buffer.from(file);
    copy.writeUInt8(99, offset);
    return copy;
  };
  expect(() => readTable(Buffer.alloc(0))).toThrow("damaged");
  expect(() => readTable(changed(0))).toThrow("damaged");
  expect(() => readTable(changed(8))).toThrow("unknown layout");
  expect(() => readTable(file.subarray(0, file.length - 1))).toThrow("incomplete");
});
