import { expect, test } from "bun:test";
import { ProviderError, type Reranker } from "../../providers/contract.ts";
import type { Warning } from "../../src/models/warning.ts";
import { rerank } from "../../src/retrieval/rerank.ts";
import type { Ranked } from "../../src/retrieval/scores/fuse.ts";
import { silentLog } from "../store/open-temporary-store.ts";

const never = new AbortController().signal;
const candidates = (count: number): Ranked[] =>
  Array.from({ length: count }, (_, at) => ({
    hit: {
      id: `s${at}`,
      organizationId: "o",
      documentId: "d",
      partitionId: null,
      revision: "r",
      position: at,
      text: `text ${at}`,
      context: at === 1 ? "columns" : "",
      headings: [],
      page: null,
      start: 0,
      end: 6,
      terms: "text",
      headingTerms: "",
      titleTerms: "",
      textScore: 1,
      vector: null,
      modelVector: null,
    },
    naming: 0,
    text: 1,
    coverage: 1,
    cosine: null,
    modelCosine: null,
    isFoundByModelAlone: false,
    score: 1 - at / 100,
  }));

const scripted = (score: (passage: string) => number): Reranker & { seen: string[] } => ({
  provider: "scripted",
  model: "judge",
  seen: [],
  async rerank(_query, passages) {
    this.seen.push(...passages);
    return passages.map(score);
  },
});
const order = (ranked: readonly Ranked[]) => ranked.map(({ hit }) => Number(hit.id.slice(1)));
const isFalling = (ranked: readonly Ranked[]) =>
  ranked.every(({ score }, at) => score >= 0 && score <= 1 && score <= (ranked[at - 1]?.score ?? 1));

test("the first thirty get the model's order, those behind keep theirs, scores go on falling", async () => {
  const model = scripted((passage) => Number(/\d+/.exec(passage)?.[0]) / 100);
  const warnings: string[] = [];
  const ranked = await rerank(model, "q", candidates(40), warnings, silentLog, never);
  expect(order(ranked)).toEqual([...Array(30).keys()].reverse().concat([30, 31, 32, 33, 34, 35, 36, 37, 38, 39]));
  expect(isFalling(ranked)).toBe(true);
  expect(model.seen.length).toBe(30);
  expect(model.seen[1]).toBe("columns\ntext 1");
  expect(warnings).toEqual([]);
});

test("scores that are no shares are brought between 0 and 1; equal ones keep the order", async () => {
  const model = scripted((text) => (text.endsWith("2") ? 7.5 : -3));
  const ranked = await rerank(model, "q", candidates(4), [], silentLog, never);
  expect(order(ranked)).toEqual([2, 0, 1, 3]);
  expect(isFalling(ranked)).toBe(true);
});

test("a model that fails changes nothing and is told of; a caller that left is not answered", async () => {
  const failing: Reranker = {
    ...scripted(() => 0),
    rerank: () => Promise.reject(new ProviderError("reranker", "timeout", "http://rerank took longer than 10 ms")),
  };
  const warnings: Warning[] = [];
  const before = candidates(5);
  expect(await rerank(failing, "q", before, warnings, silentLog, never)).toEqual(before);
  expect(warnings).toEqual([
    {
      text: "The snippets were not reranked, because the reranking model failed",
      reason: "http://rerank took longer than 10 ms",
    },
  ]);
  await expect(rerank(failing, "q", before, [], silentLog, AbortSignal.abort("gone"))).rejects.toBe("gone");
});

test("one candidate needs no model", async () => {
  const model = scripted(() => 1);
  expect(order(await rerank(model, "q", candidates(1), [], silentLog, never))).toEqual([0]);
  expect(model.seen).toEqual([]);
});
