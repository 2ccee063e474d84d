import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject } from "../../../src/domain/records.ts";
import type { MetadataFilter } from "../../../src/store/contract.ts";
import { canonicalJson, matchesMetadata, maxSnippetPairs, toPair } from "../../../src/store/search/scope-filter.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore, type TemporaryStore } from "../open-temporary-store.ts";

describe("matching", () => {
  const cases: [JsonObject | null, MetadataFilter, boolean][] = [
    [{ a: 1 }, { a: 1 }, true],
    [{ a: 1 }, { a: "1" }, false],
    [{ a: true }, { a: "true" }, false],
    [{ a: null }, { a: null }, true],
    [{}, { a: null }, false],
    [null, { a: { $ne: 1 } }, true],
    [{ a: 1 }, { a: { $ne: 1 } }, false],
    [{ a: "1" }, { a: { $ne: 1 } }, true],
    [{ a: 10 }, { a: { $gt: 9 } }, true],
    [{ a: "10" }, { a: { $gt: 9 } }, false],
    [{ a: "10" }, { a: { $gt: "9" } }, false],
    [{ a: "2024-05-01" }, { a: { $gte: "2024-01-01", $lt: "2025-01-01" } }, true],
    [{ a: 2 }, { a: { $in: [1, 2] } }, true],
    [{ a: 2 }, { a: { $in: [] } }, false],
    [{ a: 2, b: 3 }, { a: 2, b: { $lte: 3 } }, true],
    [{ a: [1] }, { a: 1 }, false],
    [JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}'), true],
    [{}, JSON.parse('{"__proto__": {"$ne": 1}}'), true],
    [{}, { constructor: { $ne: 1 } }, true],
    [{}, { toString: { $gt: "" } }, false],
  ];
  test.each(cases)("%j under %j: %p", (metadata, filter, expected) => {
    expect(matchesMetadata(metadata, filter)).toBe(expected);
  });

  test("equal values have equal pairs, whatever the order of their keys; different values have different ones", () => {
    expect(canonicalJson({ b: [1, { d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[1,{"c":2,"d":1}]}');
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (a, b, key) => {
        expect(toPair(key, a) === toPair(key, b)).toBe(canonicalJson(a) === canonicalJson(b));
        expect(toPair(key, a).length).toBeLessThanOrEqual(120);
      }),
    );
  });
});

/** The filter's meaning, written a second time and as plainly as can be. */
const naive = (metadata: JsonObject | null, filter: MetadataFilter): boolean => {
  const entries = new Map(Object.entries(metadata ?? {}));
  for (const [key, condition] of Object.entries(filter)) {
    const same = (other: unknown) => entries.has(key) && Bun.deepEquals(entries.get(key), other);
    if (condition === null || typeof condition !== "object") {
      if (!same(condition)) return false;
      continue;
    }
    if (condition.$in && !condition.$in.some(same)) return false;
    if (condition.$ne !== undefined && same(condition.$ne)) return false;
    const value = entries.get(key);
    for (const [operator, bound] of Object.entries(condition)) {
      if (operator === "$in" || operator === "$ne" || bound === undefined) continue;
      if (typeof value !== typeof bound || (typeof value !== "number" && typeof value !== "string")) return false;
      const low = value < (bound as typeof value);
      const equal = value === bound;
      const holds = { $gt: !low && !equal, $gte: !low, $lt: low, $lte: low || equal }[operator];
      if (!holds) return false;
    }
  }
  return true;
};

describe("filters on the tables", () => {
  let temporary: TemporaryStore;
  const tenant = tenantOf();
  const keys = ["a", "b", "__proto__", "with'quote", "ключ", "new\nline"];
  const scalars = [0, 1, 2.5, -3, "1", "", "x'y", "日本", true, false, null, "z".repeat(200)];
  const scalar = fc.constantFrom(...scalars);
  const order = fc.constantFrom<number | string>(0, 1, 2, "", "1", "x");
  const filterOf = fc
    .array(
      fc.tuple(
        fc.constantFrom(...keys),
        fc.oneof(
          scalar,
          fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
          fc.record({ $ne: scalar }),
          fc.record({ $gt: order, $lte: order }, { requiredKeys: [] }),
          fc.record({ $gte: order, $ne: scalar }),
          fc.record({ $lt: order }),
        ),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((entries) => Object.fromEntries(entries) as MetadataFilter);
  const metadataOf = fc.option(
    fc
      .array(fc.tuple(fc.constantFrom(...keys), fc.oneof(scalar, fc.constantFrom([1], { n: 1 }))), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries) as JsonObject),
  );
  const documents = fc.sample(metadataOf, { numRuns: 60, seed: 3 }).map((metadata) => sampleDocument({ metadata }));
  const many = Object.fromEntries(Array.from({ length: maxSnippetPairs + 5 }, (_, index) => [`key${index}`, index]));
  documents.push(sampleDocument({ metadata: { ...many, a: 1 } }), sampleDocument({ metadata: { ...many, a: "1" } }));

  beforeAll(async () => {
    temporary = await openTemporaryStore();
    const { store } = temporary;
    const indexId = store.indexes.active().id;
    await Promise.all(
      documents.map((document) =>
        store.documents.publish(document, "apple", sampleSnippets(document, [indexId], ["apple"])),
      ),
    );
  });
  afterAll(() => temporary.dispose());

  test("lists, text search, vector search and counts agree with the plain meaning", async () => {
    const { store } = temporary;
    const view = store.openSnippets();
    for (const metadata of fc.sample(filterOf, { numRuns: 80, seed: 5 })) {
      const expected = documents.filter((document) => naive(document.metadata, metadata)).map(({ id }) => id);
      const listed = await store.documents.list(tenant, { metadata }, { limit: 100, skip: 0, sortOrder: "desc" });
      const scope = { documentId: null, partitionId: null, metadata };
      const byText = await view.searchText(tenant, scope, [{ term: "apple", weight: 1 }], {
        limit: 100,
        titleWeight: 0,
        headingWeight: 0,
      });
      const byVector = await view.searchVectors(tenant, scope, new Float32Array(8).fill(1), 100);
      const sorted = (ids: string[]) => ids.sort();
      const context = JSON.stringify(metadata);
      expect([context, ...sorted(listed.items.map(({ id }) => id))]).toEqual([context, ...sorted([...expected])]);
      expect([context, ...sorted(byText.map((hit) => hit.documentId))]).toEqual([context, ...sorted([...expected])]);
      expect(sorted(byVector.map((hit) => hit.documentId))).toEqual(sorted([...expected]));
      expect(listed.total).toBe(expected.length);
      expect(await view.count(tenant, scope)).toEqual({ snippets: expected.length, documents: expected.length });
    }
    view.close();
  });
});
