import { expect, test } from "bun:test";
import { serve } from "../serve.ts";
import { adapters } from "./adapters.ts";

/** A server that embeds one text a second and is silent until all of a request are done must not seem to hang. */
test.each([
  ["ollama", 8],
  ["openai", 16],
] as const)("%s: at most %p texts a request to a server of one's own, in order", async (vendor, most) => {
  const sizes: number[] = [];
  const server = serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/api/show") return Response.json({});
    if (pathname === "/v1/models") return Response.json({ data: [] });
    const { input } = (await request.json()) as { input: string[] };
    sizes.push(input.length);
    const vectors = input.map((text) => [Number(text), 1]);
    return Response.json({
      embeddings: vectors,
      data: vectors.map((embedding, index) => ({ index, embedding })),
    });
  });
  const model = adapters[vendor].embedding("minilm", { baseUrl: server.url });
  const texts = Array.from({ length: 50 }, (_, n) => `${n}`);
  const vectors = await model.embed(texts, "document", new AbortController().signal);
  expect(vectors.map((vector) => Math.round((vector[0] ?? 0) / (vector[1] ?? 1)))).toEqual(texts.map(Number));
  expect(Math.max(...sizes)).toBe(most);
});
