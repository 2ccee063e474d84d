import { describe, expect, test } from "bun:test";
import { Secret } from "../../config/secret.ts";
import type { EmbeddingModel } from "../../providers/contract.ts";
import { failure, noQuirks, type Quirks } from "./chat-conformance.ts";
import { type Exchange, type Fault, startFaulty } from "./replay.ts";

export interface EmbeddingSettings {
  baseUrl: string;
  apiKey?: Secret;
  timeoutMs?: number;
  dimensions?: number;
}
export type MakeEmbedding = (model: string, settings: EmbeddingSettings) => EmbeddingModel;

const texts = [
  "The heating was repaired in winter.",
  "A recipe for plum cake.",
  "Die Heizung wurde im Winter repariert.",
];
const never = () => new AbortController().signal;

const cosine = (a: Float32Array | undefined, b: Float32Array | undefined): number => {
  let sum = 0;
  for (let i = 0; i < (a?.length ?? 0); i++) sum += (a?.[i] ?? 0) * (b?.[i] ?? 0);
  return sum;
};

/** What every embedding adapter does on a server that works. */
export const embeddingConformance = (
  name: string,
  make: MakeEmbedding,
  baseUrl: () => string,
  { tellsMissing }: Quirks = noQuirks,
) =>
  describe(`${name}, embeddings`, () => {
    test("one unit vector a text, in order", async () => {
      const model = make("minilm", { baseUrl: baseUrl() });
      const all = await model.embed(texts, "document", never());
      expect(all.map((vector) => vector.length)).toEqual([384, 384, 384]);
      for (const vector of all) expect(cosine(vector, vector)).toBeCloseTo(1, 4);
      const [alone] = await model.embed([texts[1] as string], "document", never());
      expect(cosine(alone, all[1])).toBeGreaterThan(0.999);
      expect(cosine(all[0], all[1])).toBeLessThan(0.9);
    });

    test("tells its dimensions", async () => {
      expect(await make("minilm", { baseUrl: baseUrl() }).dimensions(never())).toBe(384);
    });

    test("nothing in, nothing out; an empty text is a zero vector", async () => {
      const model = make("minilm", { baseUrl: baseUrl() });
      expect(await model.embed([], "document", never())).toEqual([]);
      const [empty, full] = await model.embed(["", texts[0] as string], "document", never());
      expect(empty?.length).toBe(384);
      expect(cosine(empty, empty)).toBe(0);
      expect(cosine(full, full)).toBeCloseTo(1, 4);
    });

    test("a text far longer than the context is split and pooled", async () => {
      const long = "The heating was repaired in winter by the plumber from the village. ".repeat(60);
      const model = make("minilm", { baseUrl: baseUrl() });
      const [vector, short] = await model.embed([long, texts[0] as string], "document", never());
      expect(cosine(vector, vector)).toBeCloseTo(1, 4);
      expect(cosine(vector, short)).toBeGreaterThan(0.45);
    });

    if (tellsMissing)
      test("names the missing model", async () => {
        const error = await failure(make("nope", { baseUrl: baseUrl() }).embed(texts, "document", never()));
        expect(error.kind).toBe("model_missing");
        expect(error.message).toContain("models.embedding.model");
      });
  });

const expected: Partial<Record<Fault, string>> = {
  silent: "timeout",
  garbage: "bad_answer",
  html: "bad_answer",
  unauthorized: "unauthorized",
  "rate-limited": "rate_limited",
  "out-of-memory": "bad_answer",
};

/** What every embedding adapter does on a server that fails, and with vectors that cannot be used. */
export const embeddingFaults = (
  name: string,
  make: MakeEmbedding,
  exchanges: readonly Exchange[],
  answerWith: (vectors: unknown[][]) => unknown,
) =>
  describe(`${name}, embeddings on a failing server`, () => {
    for (const [fault, kind] of Object.entries(expected) as [Fault, string][])
      test.concurrent(`${fault}: ${kind}`, async () => {
        const server = startFaulty(fault, exchanges);
        const timeoutMs = kind === "timeout" ? 300 : 30_000;
        const model = make("minilm", { baseUrl: server.url, timeoutMs, apiKey: new Secret("sk-very-secret") });
        const error = await failure(model.embed(texts, "document", never()));
        expect(error.kind as string).toBe(kind);
        expect(error.message).not.toContain("sk-very-secret");
        await server.stop();
      });

    const vector = (length: number, value: unknown = 0.5) => Array.from({ length }, () => value);
    const unusable: [string, unknown[][]][] = [
      ["too few vectors", [vector(384)]],
      ["another dimension", [vector(384), vector(384), vector(100)]],
      ["null for a number", [vector(384), vector(384), vector(384, null)]],
      ["an empty vector", [vector(384), vector(384), []]],
    ];
    for (const [what, vectors] of unusable)
      test.concurrent(`${what} is refused`, async () => {
        const changed = exchanges.map((one) =>
          one.status === 200 && one.path.includes("embed")
            ? { ...one, response: JSON.stringify(answerWith(vectors)) }
            : one,
        );
        const server = startFaulty("busy-once", changed);
        const error = await failure(make("minilm", { baseUrl: server.url }).embed(texts, "document", never()));
        expect(error.kind).toBe("bad_answer");
        await server.stop();
      });
  });
