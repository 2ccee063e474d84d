import { expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { Secret } from "../../config/secret.ts";
import { checkedLines } from "../../providers/ollama/connection.ts";
import { serve } from "../serve.ts";
import { adapters } from "./adapters.ts";
import { failure, listen } from "./chat-conformance.ts";

const destination = {
  service: "answer" as const,
  configKey: "models.answer",
  baseUrl: "http://127.0.0.1:11434",
  apiKey: new Secret("sk-very-secret"),
  timeoutMs: 30_000,
};

/** The bytes as a server may send them: cut anywhere, inside a character too. */
const inPieces = (text: string, size: number): Response => {
  const bytes = new TextEncoder().encode(text);
  return new Response(
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    }),
  );
};

test("lines of JSON go through unchanged, however they are cut, and empty ones are taken out", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.json()), fc.integer({ min: 1, max: 9 }), fc.boolean(), async (lines, size, ended) => {
      const text = lines.map((line) => `${line}\n`).join("") + (ended ? "" : "{}");
      const sent = `\n${text.replaceAll("\n", "\n\r\n\n")}`;
      expect(await checkedLines(inPieces(sent, size), destination).text()).toBe(text);
    }),
  );
});

test.each([["{}\n<html>sk-very-secret\n{}\n"], ["{}\n{"], ["not JSON"]])("%j fails, without the key", async (text) => {
  const error = await failure(checkedLines(inPieces(text, 3), destination).text());
  expect(error.kind).toBe("bad_answer");
  expect(error.message).toContain("models.answer.baseUrl");
  expect(error.message).not.toContain("sk-very-secret");
});

test("nothing of it is printed", async () => {
  const printed = spyOn(console, "warn");
  const garbage = '{"message":{"content":"At"},"done":false}\nsomebody\'s text\n{"done":true}\n';
  const server = serve((request) => (request.url.endsWith("/api/show") ? Response.json({}) : new Response(garbage)));
  const model = adapters.ollama.chat("parrot", { baseUrl: server.url });
  expect((await failure(listen(model))).message).toContain("did not answer as Ollama does");
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
});
