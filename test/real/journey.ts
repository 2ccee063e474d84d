/** One whole journey against each real model server: ten files in, ask, stream, stop, chat, change the embedding model. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import { type AnswerBody, joinDeltas, readEvents } from "../answers/client.ts";
import { type EmbedderServer, serveWithEmbedder } from "../embedder/serve-with-embedder.ts";
import { realServers } from "./servers.ts";

const files = [
  "README.rst",
  "docx-tables.docx",
  "example-10k-1p.html",
  "fake-email.eml",
  "fake-memo.pdf",
  "fake-power-point-table.pptx",
  "handbook-1p.docx",
  "norwich-city.txt",
  "semicolon-delimited.csv",
  "stanley-cups.xlsx",
];
/** What the model `parrot` always says. */
const said = "The quick café answer is in source [1], and also near “naïve” text 日本 [2].";
const question = { query: "How often did Norwich City win the cup?" };

type Provider = "ollama" | "openai";
const journey = (provider: Provider, address: string) =>
  describe(`${provider}: a journey`, () => {
    const baseUrl = provider === "openai" ? `${address}/v1` : address;
    let server: EmbedderServer;
    const answering = (model: string) => (config: Config) => {
      config.models.answer = { ...config.models.answer, provider, model, baseUrl, maxOutputTokens: 3_000 };
    };
    beforeAll(async () => {
      server = await serveWithEmbedder();
      await server.restart({}, answering("parrot"));
    });
    afterAll(() => server.dispose());

    test("ten files", async () => {
      for (const name of files) {
        const form = new FormData();
        form.append("file", new File([readFileSync(join(import.meta.dir, "../fixtures/documents", name))], name));
        const response = await server.send("/api/ingest", { method: "POST", body: form });
        expect([name, response.status]).toEqual([name, 200]);
      }
    }, 120_000);

    test("ask", async () => {
      const answer = (await (await server.post("/api/query", question)).json()) as AnswerBody;
      expect(answer.answer?.startsWith("The quick café answer is in source [1]")).toBe(true);
      expect(answer.receipt.model).toEqual({ provider, name: "parrot" });
      expect(answer.receipt.context.limit).toBe(4096);
    }, 120_000);

    test("stream", async () => {
      const events = await readEvents(await server.post("/api/query", { ...question, stream: true }));
      expect(events.map(({ event }) => event).filter((event) => event !== "delta")).toEqual(["snippets", "done"]);
      expect(joinDeltas(events)).toStartWith(said.slice(0, 30));
    }, 120_000);

    test("chat", async () => {
      const { id } = (await (await server.post("/api/chat", { title: "Football" })).json()) as { id: string };
      const sent = await server.post(`/api/chat/${id}/message`, { message: question.query });
      expect(await sent.json()).toMatchObject({ isSystem: true, message: expect.stringContaining("quick café") });
      const chat = await (await server.send(`/api/chat/${id}`)).json();
      expect((chat as { messages: unknown[] }).messages.length).toBe(2);
      // The model is asked to rewrite the follow-up, says what it always says, and is not believed.
      const followUp = await (await server.post(`/api/chat/${id}/message`, { message: "And the league?" })).json();
      expect(followUp).toMatchObject({
        message: expect.stringContaining("quick café"),
        receipt: {
          followUp: { by: "turns", promptTokens: expect.any(Number), outputTokens: expect.any(Number) },
          warnings: expect.arrayContaining([expect.stringContaining("it answered instead of rewriting")]),
        },
      });
    }, 120_000);

    test("change of the embedding model", async () => {
      await server.restart({ provider, model: "minilm", baseUrl, timeoutMs: 60_000 }, answering("parrot"));
      let status = await server.status();
      for (; status.building !== null; status = await server.status()) {
        expect(status.building.error).toBeNull();
        expect((await server.search(question.query)).relevantSnippets.length).toBeGreaterThan(0);
        await Bun.sleep(100);
      }
      expect(status.active).toEqual({ provider, model: "minilm", dimensions: 384 });
      const { relevantDocuments, receipt } = await server.search(question.query);
      expect(relevantDocuments[0]?.name).toBe("norwich-city.txt");
      expect(receipt.searched.vectors).toBeGreaterThan(0);
      expect(receipt.warnings).toEqual([]);
    }, 600_000);

    test("a client that leaves a stream stops the generation at the server within a second", async () => {
      await server.restart({}, answering("babble"));
      /** The server does one thing at a time: how long it takes to answer somebody else. */
      const milliseconds = async (): Promise<number> => {
        const began = performance.now();
        await oneToken(provider, address);
        return Math.round(performance.now() - began);
      };
      const begin = async (): Promise<AbortController> => {
        const client = new AbortController();
        const response = await server.post("/api/query", { ...question, stream: true }, client.signal);
        const reader = response.body?.getReader();
        const decoder = new TextDecoder();
        for (let seen = ""; !seen.includes("event: delta"); ) {
          const piece = await reader?.read();
          if (piece?.done !== false) throw new Error(`no delta: ${seen}`);
          seen += decoder.decode(piece.value);
        }
        return client;
      };
      await oneToken(provider, address);
      const goesOn = await begin();
      const busyMs = await milliseconds();
      goesOn.abort();
      const leaves = await begin();
      leaves.abort();
      const freeMs = await milliseconds();
      console.log(`${provider}: free again ${freeMs} ms after the client left; ${busyMs} ms while it stays`);
      expect(freeMs).toBeLessThan(1_000);
      expect(busyMs).toBeGreaterThan(freeMs);
    }, 120_000);
  });

const oneToken = async (provider: Provider, address: string): Promise<void> => {
  const messages = [{ role: "user", content: "hi" }];
  const response =
    provider === "ollama"
      ? await fetch(`${address}/api/chat`, {
          method: "POST",
          // The same size as Carrel asks for: another one would load the model anew.
          body: JSON.stringify({
            model: "babble",
            messages,
            stream: false,
            options: { num_predict: 1, num_ctx: 4096 },
          }),
        })
      : await fetch(`${address}/v1/chat/completions`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ model: "babble", messages, max_tokens: 1 }),
        });
  expect(response.status).toBe(200);
  await response.text();
};

const { ollama, openai } = realServers;
if (ollama !== null) journey("ollama", ollama);
if (openai !== null) journey("openai", openai);
