import { expect, test } from "bun:test";
import type { SnippetRecord } from "../../../src/domain/records.ts";
import { createRecentSnippets } from "../../../src/store/search/recent-snippets.ts";
import { sampleDocument, sampleSnippets } from "../../../tools/samples/records.ts";

const [record] = sampleSnippets(sampleDocument(), [], ["a text"]) as unknown as [SnippetRecord];

test("a row is decoded once, and again only after two thousand others", () => {
  const recent = createRecentSnippets();
  let reads = 0;
  const keep = (rowId: bigint) =>
    recent.keep(rowId, () => {
      reads += 1;
      return { record: { ...record, position: Number(rowId) }, vector: null };
    }).record.position;
  expect([recent.find(1n), keep(1n), keep(1n), recent.find(1n)?.record.position, reads]).toEqual([
    undefined,
    1,
    1,
    1,
    1,
  ]);
  for (let other = 2n; other <= 2_000n; other += 1n) keep(other);
  keep(1n); // found again: it stays
  for (let other = 2_001n; other <= 3_999n; other += 1n) keep(other);
  expect(reads).toBe(3_999);
  expect(keep(1n)).toBe(1);
  expect(reads).toBe(3_999);
  expect(recent.find(2n)).toBeUndefined();
});

test("another organization's many rows leave those of this one, until eight others were asked for", () => {
  const recent = createRecentSnippets();
  const keep = (rowId: number, organizationId: string) =>
    recent.keep(BigInt(rowId), () => ({ record: { ...record, organizationId }, vector: null }));
  const areKept = (from: number, rows: number): boolean =>
    Array.from({ length: rows }, (_, at) => recent.find(BigInt(from + at))).every((found) => found !== undefined);
  for (let row = 0; row < 300; row += 1) keep(row, "this");
  for (let row = 10_000; row < 20_000; row += 1) keep(row, "another");
  expect(areKept(0, 300)).toBe(true);
  expect(areKept(20_000 - 1_700, 1_700)).toBe(true);
  expect(recent.find(20_000n - 1_701n)).toBeUndefined();
  for (let other = 0; other < 7; other += 1) keep(30_000 + other, `other ${other}`);
  expect(recent.find(19_999n)).toBeDefined();
  expect(recent.find(0n)).toBeUndefined(); // "this" was asked for before "another"
});

test("a kept vector does not hold the memory of its query", () => {
  const memory = new Float32Array(1_000);
  memory.set([1, 2, 3], 500);
  const kept = createRecentSnippets().keep(1n, () => ({ record, vector: memory.subarray(500, 503) }));
  expect([...(kept.vector ?? [])]).toEqual([1, 2, 3]);
  expect(kept.vector?.buffer.byteLength).toBe(12);
});
