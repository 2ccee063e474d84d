import { expect, test } from "bun:test";
import { mergeByText, withTerms } from "../../../src/store/search/search-unindexed.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";

const document = { ...sampleDocument(tenantOf("one")), revision: "r" };
const texts = Array.from({ length: 400 }, (_, at) => `word${at % 64} every`);
const snippets = sampleSnippets(document, [], texts).map(({ vectors: _, ...record }) => ({ record, vector: null }));
const weights = { titleWeight: 1, headingWeight: 1 };
const rareTerms = Array.from({ length: 64 }, (_, at) => ({ term: `word${at}`, weight: 1 }));

/** How often other work had its turn while `work` ran. */
const turnsDuring = async (work: Promise<unknown>): Promise<number> => {
  let turns = 0;
  let isDone = false;
  void work.then(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  return turns;
};

test("other work has its turn during a search with many terms, more often than with one", async () => {
  const [one] = rareTerms;
  if (one === undefined) throw new Error("there are no terms");
  expect(await turnsDuring(withTerms(snippets, rareTerms, weights))).toBeGreaterThanOrEqual(400 / 31 - 1);
  expect(await turnsDuring(withTerms(snippets, [one], weights))).toBeLessThan(3);
});

test("and while what was found is put in order", async () => {
  const counts = new Map(rareTerms.map(({ term }) => [term, 6]));
  const counted = { snippets: 400, counts, lengths: { characters: 12, terms: 2 } };
  const merged = mergeByText([], snippets, { terms: rareTerms, counted, weights, limit: 5 });
  expect(await turnsDuring(merged)).toBeGreaterThanOrEqual(400 / 31 - 1);
  expect(await merged).toHaveLength(5);
});

test("the snippet with the rarer term comes first, and a row that was moved before all", async () => {
  const terms = [
    { term: "every", weight: 1 },
    { term: "word7", weight: 1 },
  ];
  const counts = new Map([
    ["every", 400],
    ["word7", 7],
  ]);
  const counted = { snippets: 400, counts, lengths: { characters: 12, terms: 2 } };
  const late = await withTerms(snippets, terms, weights);
  expect(late).toHaveLength(400);
  const merged = await mergeByText([null], late, { terms, counted, weights, limit: 8 });
  const found = merged.slice(1).map(({ snippet }) => snippet?.record.text);
  expect(merged[0]).toEqual({ snippet: null, score: null });
  expect(found.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => "word7 every"));
  expect(found[7]).not.toBe("word7 every");
});
