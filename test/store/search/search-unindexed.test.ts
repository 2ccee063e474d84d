import { expect, spyOn, test } from "bun:test";
import { mergeByText, withTerms } from "../../../src/store/search/search-unindexed.ts";
import { sampleDocument, sampleSnippets } from "../../../tools/samples/records.ts";

const weights = { titleWeight: 1, headingWeight: 1 };
/** As many as a long question in an unknown language has. */
const terms = Array.from({ length: 200 }, (_, at) => ({ term: `word${at}`, weight: 1 }));
const counted = { snippets: 2_000, counts: new Map<string, number>(), lengths: { characters: 20, terms: 3 } };

const snippetsOf = (texts: string[]) =>
  sampleSnippets(sampleDocument(), ["index"], texts).map((record) => ({ record, vector: null }));

test("snippets are gone through once, however many terms a question has", async () => {
  const snippets = snippetsOf(["apple word7", "apple pear", "word70x", "word199 word7"]);
  const searches = spyOn(String.prototype, "indexOf");
  try {
    const found = await withTerms(snippets, terms, weights);
    const merged = await mergeByText([], found, { terms, counted, weights, limit: 1 });
    expect(searches.mock.calls.length).toBeLessThan(20);
    expect(found.map(({ snippet }) => snippet.record.terms)).toEqual(["apple word7", "word199 word7"]);
    expect(merged.map(({ snippet }) => snippet?.record.terms)).toEqual(["word199 word7"]);
  } finally {
    searches.mockRestore();
  }
});

test("other work has its turn while many snippets are gone through, and while they are scored", async () => {
  const snippets = snippetsOf(Array.from({ length: 2_000 }, (_, at) => `apple word${at % 200} `.repeat(20).trim()));
  const turnsDuring = async <T>(work: Promise<T>): Promise<[result: T, turns: number]> => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const result = await work;
    isOver = true;
    return [result, turns];
  };
  // A clock on which each snippet takes a millisecond: other work has its turn after eight.
  const clock = spyOn(performance, "now");
  let now = 0;
  clock.mockImplementation(() => now++);
  try {
    const [found, ofSearch] = await turnsDuring(withTerms(snippets, terms, weights));
    const [merged, ofMerge] = await turnsDuring(mergeByText([], found, { terms, counted, weights, limit: 10 }));
    expect(found).toHaveLength(2_000);
    expect(merged).toHaveLength(10);
    expect(ofSearch).toBeGreaterThan(200);
    expect(ofMerge).toBeGreaterThan(200);
  } finally {
    clock.mockRestore();
  }
});

test("the snippet with the rarer term comes first, and a row that was moved before all", async () => {
  const texts = Array.from({ length: 400 }, (_, at) => `word${at % 64} every`);
  const counts = new Map([
    ["every", 400],
    ["word7", 7],
  ]);
  const asked = ["every", "word7"].map((term) => ({ term, weight: 1 }));
  const late = await withTerms(snippetsOf(texts), asked, weights);
  expect(late).toHaveLength(400);
  const options = { terms: asked, counted: { ...counted, snippets: 400, counts }, weights, limit: 8 };
  const merged = await mergeByText([null], late, options);
  const found = merged.slice(1).map(({ snippet }) => snippet?.record.text);
  expect(merged[0]).toEqual({ snippet: null, score: null });
  expect(found.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => "word7 every"));
  expect(found[7]).not.toBe("word7 every");
});
