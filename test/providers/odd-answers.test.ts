import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import fc from "fast-check";
import { configSchema } from "../../config/schema.ts";
import { Secret } from "../../config/secret.ts";
import { ProviderError } from "../../providers/contract.ts";
import { viewOllama } from "../../providers/ollama/connection.ts";
import { viewOpenAi } from "../../providers/openai/model-list.ts";
import { createOpenAiReranker } from "../../providers/openai/reranker.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { createUnstructuredParser } from "../../src/parse/unstructured/parser.ts";
import { serve } from "../serve.ts";
import { adapters } from "./adapters.ts";
import { listen } from "./chat-conformance.ts";
import { startOddServer, wireFaults } from "./odd-server.ts";

/** Some faults end by a time limit, and a busy machine takes its time. */
const apiKey = "sk-very-secret";
/** What is no answer is given up on soon; a good one may take its time. */
const [hurriedMs, patientMs] = [500, 30_000];
let timeoutMs = hurriedMs;
const never = new AbortController().signal;
const defaults = Value.Create(configSchema);
const listed = { object: "list", data: [{ id: "model" }] };
const shown = { capabilities: [], model_info: {} };

/** Every call that an adapter makes: what comes of it, and a good answer to it. */
interface Operation {
  /** Calls beside the one under test, with good answers. */
  aside: Record<string, unknown>;
  run(url: string): Promise<unknown>;
  /** A good answer, as JSON or as a stream. */
  good: unknown;
  asText?: (answer: unknown) => string;
  /** The list of models may be missing: a server without one is not a failing server. */
  mayBeNull?: boolean;
}

const common = (url: string) => ({ baseUrl: url, apiKey: new Secret(apiKey), timeoutMs });
const lines = (answer: unknown): string => `${JSON.stringify(answer)}\n`;
const events = (answer: unknown): string => `data: ${JSON.stringify(answer)}\n\ndata: [DONE]\n\n`;

const operations: Record<string, Operation> = {
  "ollama chat": {
    aside: { "/api/show": shown },
    run: (url) => listen(adapters.ollama.chat("model", common(url))),
    good: { model: "model", message: { role: "assistant", content: "Hi." }, done: true, done_reason: "stop" },
    asText: lines,
  },
  "ollama embed": {
    aside: { "/api/show": shown },
    run: (url) => adapters.ollama.embedding("model", common(url)).embed(["one", "two"], "query", never),
    good: {
      model: "model",
      embeddings: [
        [0.5, 0.25],
        [0.25, 0.5],
      ],
      prompt_eval_count: 4,
    },
  },
  "ollama show": {
    aside: {},
    run: (url) => viewOllama("answer", common(url)).factsOf("model", never),
    good: {
      capabilities: ["completion"],
      parameters: "num_ctx 4096",
      model_info: { "general.architecture": "llama", "llama.context_length": 4096, "llama.embedding_length": 8 },
    },
  },
  "ollama tags": {
    aside: {},
    run: (url) => viewOllama("answer", common(url)).offered(never),
    good: { models: [{ name: "model:latest" }] },
  },
  "openai chat": {
    aside: { "/v1/models": listed },
    run: (url) => listen(adapters.openai.chat("model", common(url))),
    good: {
      model: "model",
      choices: [{ index: 0, delta: { content: "Hi." }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    },
    asText: events,
  },
  "openai embeddings": {
    aside: { "/v1/models": listed },
    run: (url) => adapters.openai.embedding("model", common(url)).embed(["one", "two"], "query", never),
    good: {
      data: [
        { index: 0, embedding: [0.5, 0.25] },
        { index: 1, embedding: [0.25, 0.5] },
      ],
    },
  },
  "openai models": {
    aside: {},
    run: (url) => viewOpenAi("answer", common(`${url}/v1`)).offered(never),
    good: listed,
    mayBeNull: true,
  },
  rerank: {
    aside: {},
    run: (url) => createOpenAiReranker({ ...common(url), model: "m" }, `${url}/v1`, "m").rerank("q", ["a", "b"], never),
    good: {
      results: [
        { index: 1, relevance_score: 0.9 },
        { index: 0, relevance_score: 0.1 },
      ],
    },
  },
  unstructured: {
    aside: {},
    run: (url) =>
      createUnstructuredParser({ ...defaults.parser, ...common(url) }, url, 2).parse(
        { bytes: new Uint8Array([1, 2, 3]), name: "a.doc", mimeType: null },
        never,
      ),
    good: [
      { type: "Title", text: "Hours", metadata: { filetype: "application/msword", page_number: 1, category_depth: 0 } },
      { type: "Table", text: "a b", metadata: { page_number: 1, text_as_html: "<table><tr><td>a</td></tr></table>" } },
      { type: "ListItem", text: "Nine.", metadata: { page_number: 2, category_depth: 3, sent_to: ["x"] } },
    ],
  },
};

/** What a call came to: its result, or a failure that says what to do and tells no secret. */
const outcome = async (work: Promise<unknown>): Promise<{ result: unknown } | { failure: Error }> => {
  try {
    return { result: await work };
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error;
    expect(error.message).not.toContain(apiKey);
    expect(error.message).not.toMatch(/<html|nginx|Is the computer able|verbose: true|\[object /);
    return { failure: error };
  }
};

for (const [name, { aside, run, mayBeNull }] of Object.entries(operations))
  describe(`${name}, on the wire`, () => {
    for (const fault of Object.keys(wireFaults(() => "")))
      test.concurrent(fault, async () => {
        const server = await startOddServer(aside);
        const elsewhere = await startOddServer({});
        server.reply = wireFaults(() => elsewhere.url)[fault] ?? server.reply;
        const began = performance.now();
        const found = await outcome(run(server.url));
        // Each adapter is made anew: no breaker stands open.
        expect(performance.now() - began).toBeLessThan(60_000);
        if ("failure" in found) {
          expect(found.failure).toBeInstanceOf(ProviderError);
        } else expect([fault, found.result]).toEqual([fault, mayBeNull ? null : "a failure"]);
        expect(elsewhere.paths).toEqual([]);
        server.stop();
        elsewhere.stop();
      });
  });

/** What a JSON answer may hold where something else belongs. */
const oddValues: unknown[] = [
  null,
  true,
  "",
  "0.5",
  "constructor",
  -1,
  0,
  0.5,
  1e39,
  -1e39,
  1e308,
  2 ** 64,
  [],
  [[]],
  [null],
  {},
  { error: "odd" },
  "x".repeat(10_000),
];

/** All places of a JSON value, as paths. */
const placesIn = (value: unknown, path: (string | number)[] = []): (string | number)[][] => [
  path,
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))
    : []),
];

const withChange = (value: unknown, [key, ...rest]: (string | number)[], odd: unknown): unknown => {
  if (key === undefined) return odd;
  if (Array.isArray(value))
    return value.map((inner, at) => (at === Number(key) ? withChange(inner, rest, odd) : inner));
  const fields = value as Record<string, unknown>;
  return { ...fields, [key]: withChange(fields[key], rest, odd) };
};

/** What the rest of the program counts on. */
const check = (name: string, result: unknown): void => {
  if (name.includes("embed"))
    for (const vector of result as Float32Array[]) {
      expect(vector).toHaveLength(2);
      expect([...vector].every(Number.isFinite)).toBe(true);
      expect(Math.hypot(...vector)).toBeLessThan(1.001);
    }
  if (name.includes("chat")) {
    const { text, done } = result as Awaited<ReturnType<typeof listen>>;
    expect(typeof text).toBe("string");
    expect(["stop", "length", "filtered"]).toContain(done?.finishReason as string);
    for (const count of [done?.promptTokens, done?.outputTokens])
      expect(count === null || Number.isSafeInteger(count)).toBe(true);
  }
  if (name === "rerank") expect((result as number[]).every(Number.isFinite)).toBe(true);
  if (name.endsWith("tags") || name.endsWith("models"))
    for (const id of (result ?? []) as unknown[]) expect(typeof id).toBe("string");
};

describe("odd JSON", () => {
  let body = "";
  let aside: Record<string, unknown> = {};
  const server = serve((request) => {
    const { pathname } = new URL(request.url);
    if (pathname in aside) return Response.json(aside[pathname]);
    return new Response(body, { headers: { "content-type": "application/json" } });
  });

  for (const [name, operation] of Object.entries(operations)) {
    const { good, run, asText = JSON.stringify } = operation;
    const answerWith = async (answer: unknown): Promise<void> => {
      ({ aside } = operation);
      body = asText(answer);
      const found = await outcome(run(server.url));
      if ("result" in found) check(name, found.result);
    };

    test(`${name}: a good answer is one`, async () => {
      ({ aside } = operation);
      body = asText(good);
      timeoutMs = patientMs;
      const found = await outcome(run(server.url));
      timeoutMs = hurriedMs;
      expect("result" in found).toBe(true);
    });

    test(`${name}: something odd at every place`, async () => {
      for (const place of placesIn(good)) for (const odd of oddValues) await answerWith(withChange(good, place, odd));
    });

    test(`${name}: any JSON at any place`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...placesIn(good)), fc.jsonValue(), async (place, value) => {
          await answerWith(withChange(good, place, value));
        }),
        { numRuns: 60 },
      );
    });
  }
});

const vectorAnswers = {
  ollama: (vectors: unknown) => ({ embeddings: vectors }),
  openai: (vectors: unknown) => ({
    data: Array.isArray(vectors) ? vectors.map((embedding, index) => ({ index, embedding })) : vectors,
  }),
};

describe.each(["ollama", "openai"] as const)("vectors of %s", (vendor) => {
  const embed = async (text: string): Promise<Float32Array[] | ProviderError> => {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) =>
        url.endsWith("/api/show") || url.endsWith("/models")
          ? Response.json(url.endsWith("/models") ? listed : shown)
          : new Response(text, { headers: { "content-type": "application/json" } }),
    });
    try {
      const model = adapters[vendor].embedding("model", { baseUrl: `http://127.0.0.1:${server.port}` });
      return await model.embed(["one", "two"], "query", never);
    } catch (error) {
      return error as ProviderError;
    } finally {
      await server.stop(true);
    }
  };
  const raw = (vectors: string) => JSON.stringify(vectorAnswers[vendor]([["A"], ["B"]])).replace('["A"]', vectors);

  test.each([
    ["[1e39,0]"],
    ["[-3.5e38,0]"],
    ["[1e999,0]"],
    ['["1",0]'],
    ["[null,0]"],
    ["[[1],0]"],
    ["null"],
    ['"AAAA"'],
    ["{}"],
    ["[]"],
  ])("%s is refused", async (vector) => {
    const found = await embed(raw(vector).replace('["B"]', "[0,1]"));
    expect(found).toBeInstanceOf(ProviderError);
    expect((found as ProviderError).kind).toBe("bad_answer");
  });

  test("NaN and Infinity are no JSON, and refused", async () => {
    for (const number of ["NaN", "Infinity", "-Infinity"]) {
      const found = (await embed(raw(`[${number},0]`).replace('["B"]', "[0,1]"))) as ProviderError;
      expect([number, found.kind]).toEqual([number, "bad_answer"]);
    }
  });

  test("the largest numbers of 32 bits are taken", async () => {
    const found = (await embed(raw("[3.4e38,0]").replace('["B"]', "[0,2]"))) as Float32Array[];
    expect(found.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  test("a vector without a direction is refused: of zeros, or of numbers too small for 32 bits", async () => {
    for (const vector of ["[0,0]", "[1e-300,0]"]) {
      const found = (await embed(raw(vector).replace('["B"]', "[0,1]"))) as ProviderError;
      expect([vector, found.kind]).toEqual([vector, "bad_answer"]);
      expect(found.message).toContain("a vector of zeros");
    }
  });
});
