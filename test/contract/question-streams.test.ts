import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import { ProviderError } from "../../providers/contract.ts";
import type { ScriptedModel } from "../answers/scripted-model.ts";
import { expectEventStream, expectOk, expectProblem, nobody, type StreamedEvent } from "./expectations.ts";
import { type Library, openLibraries, openLibrary } from "./library.ts";
import { serveCarrel } from "./serve-carrel.ts";

/** Section 5 of the contract: prompts, streams, and models that fail. A scripted model stands in for a server's. */

let quoting: Library;
let writing: Library;
let model: ScriptedModel;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ quoting, writing, model, stop } = await openLibraries());
});

afterAll(() => stop());

describe("prompt", () => {
  const sent = () =>
    model.prompts
      .at(-1)
      ?.map(({ role, content }) => `${role}: ${content}`)
      .join("\n") ?? "";

  test("the builtin answerer cannot follow it: it answers as usual and receipt.warnings says so", async () => {
    const answer = expectOk(
      await quoting.ask({ query: "When does the museum open in winter?", prompt: "Rhyme! {contextText} {query}" }),
    );
    expect(answer.answer).toContain("at nine");
    expect(answer.receipt.warnings.join()).toMatch(/prompt/);
  });

  test("replaces the default prompt; other braces are left alone", async () => {
    model.say({ steps: ["At nine. [1]"] });
    const prompt = 'JSON {"a": {b}} ctx={contextText} q={query} {contextText}';
    expect(expectOk(await writing.ask({ prompt })).answer).toBe("At nine. [1]");
    expect(sent()).toContain('JSON {"a": {b}} ctx=[1]');
    expect(sent()).toContain("q=When does the museum open?");
    expect(sent().match(/opens at nine/g)).toHaveLength(2);
    expect(sent()).not.toContain("Answer from the numbered sources only");
  });

  test("without {query} the question is sent as the user message; without {contextText} no snippets are put in", async () => {
    await writing.ask({ prompt: "Use {contextText}" });
    expect(model.prompts.at(-1)?.at(-1)).toEqual({ role: "user", content: "When does the museum open?" });
    const answer = expectOk(await writing.ask({ prompt: "Answer {query} from memory" }));
    expect(sent()).not.toContain("opens at");
    expect(answer.relevantSnippets.length).toBeGreaterThan(0);
  });

  test("what replaces a placeholder is not looked at again", async () => {
    await writing.ask({ prompt: "{query}|{contextText}", query: "When does the museum open in winter? {query} $&" });
    expect(sent()).toContain("When does the museum open in winter? {query} $&|[1]");
  });
});

describe("streaming", () => {
  const cases: [string, object, object][] = [
    ["Accept: text/event-stream", {}, { headers: { accept: "text/event-stream" } }],
    ['"stream": true', { stream: true }, {}],
  ];
  test.each(cases)(
    "%s: events snippets, delta and done, which is the whole JSON answer",
    async (_name, json, options) => {
      for (const library of [quoting, writing]) {
        model.say({ steps: ["At ", "nine.\n", "\r\n[1]", "\u2028 "] });
        const events = expectEventStream(await library.ask(json, options));
        expect(events[0]?.event).toBe("snippets");
        expect(events.at(-1)?.event).toBe("done");
        expect(new Set(events.slice(1, -1).map(({ event }) => event))).toEqual(new Set(["delta"]));
        const done = events.at(-1)?.data;
        expect(events[0]?.data).toEqual(done.relevantSnippets);
        const deltas = events.slice(1, -1) as StreamedEvent[];
        for (const { data } of deltas) expect(Object.keys(data)).toEqual(["text"]);
        expect(
          deltas
            .map(({ data }) => data.text)
            .join("")
            .trim(),
        ).toBe(done.answer.trim());
        const plain = expectOk(await library.ask({}));
        const { id: _id, timings: _timings, ...receipt } = done.receipt;
        expect({ ...done, receipt: null }).toEqual({ ...plain, receipt: null });
        expect(plain.receipt).toMatchObject(receipt);
      }
    },
  );

  test("a search streams too, without delta", async () => {
    const options = { json: { query: "museum" }, headers: { accept: "text/event-stream" } };
    const events = expectEventStream(await quoting.carrel.call("POST", "/api/search", options));
    expect(events.map(({ event }) => event)).toEqual(["snippets", "done"]);
  });

  test("what is wrong before the stream has its own status; a failure later is the event error, a problem document", async () => {
    const headers = { accept: "text/event-stream" };
    expectProblem(await quoting.ask({ query: "" }, { headers }), 400, "invalid_request");
    expectProblem(await quoting.ask({ documentId: nobody }, { headers }), 404, "document_not_found");
    model.say({ steps: ["At ", new ProviderError("answer", "bad_answer", "the model server answered 500")] });
    const answer = await writing.ask({ stream: true });
    const events = expectEventStream(answer);
    expect(events.map(({ event }) => event)).toEqual(["snippets", "delta", "error"]);
    expect(events.at(-1)?.data).toMatchObject({
      status: 502,
      code: "model_failed",
      instance: "/api/query",
      requestId: answer.headers.get("x-request-id"),
    });
  });

  test("other Accept headers get JSON", async () => {
    for (const accept of ["application/json", "*/*", "text/html", "text/event-stream;q=0"])
      expectOk(await quoting.ask({}, { headers: { accept } }));
  });
});

describe("when the model fails", () => {
  test.each([
    ["bad_answer", 502, "model_failed"],
    ["unreachable", 503, "model_unreachable"],
  ] as const)("%s: %i", async (kind, status, code) => {
    model.say({ steps: [new ProviderError("answer", kind, "the model server is not well: look after it")] });
    expect(expectProblem(await writing.ask({}), status, code).detail).toContain("look after it");
  });

  test("silence is answered by quotations and a warning; with a prompt of the caller's: 504", async () => {
    model.say({ steps: [new ProviderError("answer", "timeout", "it said nothing for 60 s")] });
    const { answer, receipt } = expectOk(await writing.ask({}));
    expect(answer).toContain("[1]");
    expect([receipt.model.provider, receipt.support]).toEqual(["builtin", null]);
    expect(receipt.warnings.join()).toContain("it said nothing for 60 s");
    expectProblem(await writing.ask({ prompt: "{contextText} {query}" }), 504, "model_timeout");
  });

  test("an answer cut by maxOutputTokens, and another model answering, are warnings", async () => {
    model.say({ steps: ["At ni"], finishReason: "length" });
    expect(expectOk(await writing.ask({})).receipt.warnings.join()).toContain("maxOutputTokens");
    model.say({ steps: ["At nine."], answeredBy: "another" });
    const { receipt } = expectOk(await writing.ask({}));
    expect(receipt.warnings.join()).toContain("another");
  });

  test("snippets left out of the prompt are a warning; a question that does not fit by itself is a 413", async () => {
    model.say({ steps: ["Yes."] });
    model.contextSize = 400;
    try {
      const text = `The archive of the museum ${"holds maps and letters of sailors ".repeat(60)}.`;
      await writing.carrel.call("POST", "/api/ingest", { json: { name: "Archive", text } });
      const { receipt } = expectOk(await writing.ask({ query: "What does the archive of the museum hold?" }));
      expect(receipt.warnings.length).toBeGreaterThan(0);
      expect(receipt.context.used).toBeLessThanOrEqual(receipt.context.limit);
      expectProblem(
        await writing.ask({ query: `museum archive ${"sailor ".repeat(1_000)}` }),
        413,
        "question_too_long",
      );
    } finally {
      model.contextSize = 4096;
    }
  });
});

describe("when the embedding model fails under a question", () => {
  test("full text answers alone: 200, searched.vectors 0 and a warning", async () => {
    const embeddings = await createStaticEmbedding();
    const broken = await openLibrary(
      await serveCarrel({
        parts: {
          embeddings: {
            ...embeddings,
            embed: async (texts, kind, signal) => {
              if (kind === "query") throw new ProviderError("embedding", "unreachable", "the embedding server is down");
              return embeddings.embed(texts, kind, signal);
            },
          },
        },
      }),
    );
    try {
      const answer = expectOk(await broken.ask({ query: "When does the museum open in winter?" }));
      expect(answer.answer).toContain("at nine");
      expect(answer.receipt.searched.vectors).toBe(0);
      expect(answer.receipt.warnings.length).toBeGreaterThan(0);
      for (const { metadata } of answer.relevantSnippets) expect(metadata._distance).toBeNumber();
    } finally {
      await broken.carrel.stop();
    }
  });
});
