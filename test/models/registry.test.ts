import { describe, expect, test } from "bun:test";
import { defaultConfig } from "../../config/load.ts";
import { createAnswerModelOf, type Providers, providers } from "../../src/models/registry.ts";
import { failure, listen } from "../providers/chat-conformance.ts";
import { plainText } from "../providers/third-provider.ts";
import { serve } from "../serve.ts";

/** The record with a third provider: its line. */
const known = { ...providers.answer, plainText };

describe("a third provider", () => {
  const server = serve(async (request) => {
    if (new URL(request.url).pathname !== "/say") return new Response("", { status: 401 });
    const { turns } = (await request.json()) as { turns: { content: string }[] };
    return new Response(`You said: ${turns.at(-1)?.content}`);
  });

  const create = (path: string) =>
    createAnswerModelOf(known, {
      ...defaultConfig().models.answer,
      provider: "plainText",
      model: "echo",
      baseUrl: `${server.url}${path}`,
    });

  test("is chosen by its name and answers", async () => {
    const model = create("");
    if (model === null) throw new Error("there is no model");
    expect(model.provider).toBe("plainText");
    const { text, done } = await listen(model);
    expect(text).toStartWith("You said: ");
    expect(done?.finishReason).toBe("stop");
  });

  test("has the failures that all have", async () => {
    const model = create("/elsewhere");
    if (model === null) throw new Error("there is no model");
    const error = await failure(listen(model));
    expect(error.kind).toBe("unauthorized");
    expect(error.message).toContain("set models.answer.apiKey");
  });
});

/** Checked by the compiler: each of these would be an unused directive if the types were looser. */
test("the record and the names in config/schema.ts are checked against each other", () => {
  // @ts-expect-error a provider that the schema does not name
  const unnamed: Providers["answer"] = { ...providers.answer, plainText };
  // @ts-expect-error a name of the schema without a provider
  const missing: Providers["answer"] = { builtin: null, ollama: plainText };
  const settings = { ...defaultConfig().models.answer, provider: "plainText" as const };
  // @ts-expect-error settings that name a provider outside the record
  expect(() => createAnswerModelOf(providers.answer, settings)).toThrow();
  expect([unnamed, missing]).toHaveLength(2);
});
