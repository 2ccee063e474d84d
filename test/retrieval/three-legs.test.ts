import { describe, expect, test } from "bun:test";
import { createMemoryView } from "../../bench/quality/memory/view.ts";
import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import type { IndexInfo, VectorSetInfo } from "../../src/domain/records.ts";
import { createRetriever } from "../../src/retrieval/retrieve.ts";
import type { SnippetView } from "../../src/store/contract.ts";
import { analysisVersion, analyze } from "../../src/text/analysis/analyze.ts";
import { hashingModel, requestFor, silent } from "../../tools/samples/snippets.ts";
import { sampleHit } from "./sample-hit.ts";

const tenant = { organizationId: "o", partitionId: null };
const never = new AbortController().signal;
const index: IndexInfo = {
  id: "index",
  provider: "test",
  model: "hashing",
  dimensions: 64,
  modelRevision: "",
  analysisVersion,
  state: "active",
  createdAt: 0,
};
const set: VectorSetInfo = { ...index, id: "set", provider: "far", model: "knows" };
const texts = {
  boat: "A schooner left the harbour at dawn.",
  gate: "The gate of the yard closes at noon.",
  soup: "The soup is served with bread.",
};
/** A model that knows that a ship is a boat. */
const direction = (text: string): Float32Array => new Float32Array(/schooner|vessel/.test(text) ? [1, 0] : [0, 1]);
const knowing: EmbeddingModel = {
  ...hashingModel({ provider: "far", model: "knows" }),
  embed: async (inputs) => inputs.map(direction),
  fusionWeight: () => 0.5,
};

const vectors = await hashingModel().embed(Object.values(texts), "document", never);
const snippets = Object.entries(texts).map(([id, text], at) => ({
  ...sampleHit(id, { documentId: id, text, terms: analyze(text).join(" ") }),
  vector: vectors[at] as Float32Array,
  modelVector: direction(text),
}));

const ask = (query: string, model: EmbeddingModel | null, view: SnippetView, signal = never) =>
  createRetriever({
    store: { openSnippets: () => view },
    embeddings: () => hashingModel(),
    vectorModelFor: () => model,
    refusalThreshold: 0,
    log: silent,
  })(tenant, requestFor(query), signal);

const viewWith = (has: (at: number) => boolean, vectorSet: VectorSetInfo | null = set): SnippetView =>
  createMemoryView(snippets, index, vectorSet, has);

const whole = viewWith(() => true);

describe("the vectors of the configured model", () => {
  test("find what shares no word and no static vector with the question", async () => {
    const without = await ask(
      "vessel departed",
      knowing,
      viewWith(() => false),
    );
    expect(without.snippets[0]?.documentId).not.toBe("boat");
    const { snippets: found, warnings } = await ask("vessel departed", knowing, whole);
    expect(found[0]).toMatchObject({ documentId: "boat", distance: 0 });
    expect(warnings).toEqual([]);
  });

  test("are looked up for what the other legs found", async () => {
    const lookedUp: string[][] = [];
    const watched: SnippetView = {
      ...whole,
      addModelVectors: (hits) => {
        lookedUp.push(hits.map(({ id }) => id));
        return whole.addModelVectors(hits);
      },
    };
    await ask("gate", knowing, watched);
    // The gate's random snippets are looked up too.
    expect(lookedUp).toContainEqual(["gate", "boat", "soup"]);
  });

  test("a model is not asked where there is no set", async () => {
    const failing = { ...knowing, embed: () => Promise.reject(new Error("asked")) };
    const { snippets: found } = await ask(
      "gate",
      failing,
      viewWith(() => true, null),
    );
    expect(found[0]?.documentId).toBe("gate");
  });

  test("a model out of reach of the configuration is named", async () => {
    const { warnings } = await ask("gate", null, whole);
    expect(warnings).toEqual([expect.stringContaining("knows of far")]);
  });

  test("a caller who goes away ends the question", async () => {
    const gone = new AbortController();
    const leaving = {
      ...knowing,
      embed: () => {
        gone.abort(new Error("gone away"));
        return Promise.reject(new ProviderError("embedding", "aborted", "the caller went away"));
      },
    };
    await expect(ask("gate", leaving, whole, gone.signal)).rejects.toThrow("gone away");
  });
});
