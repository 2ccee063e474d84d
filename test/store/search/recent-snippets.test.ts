import { expect, test } from "bun:test";
import type { SnippetRecord } from "../../../src/domain/records.ts";
import { createRecentSnippets } from "../../../src/store/search/recent-snippets.ts";
import { sampleDocument, sampleSnippets } from "../../../tools/samples/records.ts";

const [record] = sampleSnippets(sampleDocument(), [], ["a text"]) as unknown as [SnippetRecord];

test("the record of a row is decoded once, and again only after a thousand others", () => {
  const recent = createRecentSnippets();
  let reads = 0;
  const get = (rowId: bigint) =>
    recent.get(rowId, () => {
      reads += 1;
      return { ...record, position: Number(rowId) };
    });
  expect(get(1n).position).toBe(1);
  expect(get(1n).position).toBe(1);
  expect(reads).toBe(1);
  for (let other = 2n; other <= 1_000n; other += 1n) get(other);
  get(1n); // found again: it stays
  for (let other = 1_001n; other <= 1_999n; other += 1n) get(other);
  expect(reads).toBe(1_999);
  expect(get(1n).position).toBe(1);
  expect(reads).toBe(1_999);
  expect(get(2n).position).toBe(2);
  expect(reads).toBe(2_000);
});
