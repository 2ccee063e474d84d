import { describe, expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, streamText } from "ai";
import OpenAI, { APIError, AuthenticationError, NotFoundError } from "openai";
import { startFakeModelServer } from "../web/answers/fake-model-server.ts";
import { startBinary } from "../web/journeys/start-binary.ts";

/** The clients that people already have, from npm, as they are, against the compiled program. */
const model = startFakeModelServer();
model.script = ["The boiler is ", "serviced in May [1]."];

const prompt = "When is the boiler serviced?";
const said = "The boiler is serviced in May [1].";

const server = await startBinary(model.settings);
const text = "The boiler is serviced in May.";
expect((await server.post("/api/ingest", { name: "House rules", partition: "house", text })).status).toBe(200);
const options = { apiKey: await server.issueKey({ role: "reader" }), baseURL: `${server.url}/v1` };

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe("openai", () => {
  const client = (change: object = {}) => new OpenAI({ ...options, maxRetries: 0, ...change });
  const messages = [{ role: "user" as const, content: prompt }];

  test("lists models and retrieves one with a slash", async () => {
    const { data } = await client().models.list();
    expect(data.map(({ id }) => id)).toEqual(["carrel", "carrel/house"]);
    expect((await client().models.retrieve("carrel/house")).id).toBe("carrel/house");
  });

  test("asks, whole and as a stream, and keeps what is Carrel's", async () => {
    const answer = await client().chat.completions.create({ model: "carrel/house", messages });
    expect(answer.choices[0]?.message).toMatchObject({ content: said, annotations: [{ type: "url_citation" }] });
    expect(answer).toMatchObject({ carrel: { relevantSnippets: [{}], receipt: { id: expect.any(String) } } });
    const stream = client().chat.completions.stream({
      model: "carrel",
      messages,
      stream_options: { include_usage: true },
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message).toMatchObject({ content: said, annotations: [{ type: "url_citation" }] });
    expect(final).toMatchObject({ carrel: {}, usage: { total_tokens: expect.any(Number) } });
  });

  test("asks for responses", async () => {
    const answer = await client().responses.create({ model: "carrel", input: prompt });
    expect(answer.output_text).toBe(said);
    const stream = client().responses.stream({ model: "carrel", input: prompt });
    expect((await stream.finalResponse()).output_text).toBe(said);
  });

  test("throws its own errors", async () => {
    expect(await failureOf(client({ apiKey: "crl_wrong" }).models.list())).toBeInstanceOf(AuthenticationError);
    const unknown = await failureOf(client().chat.completions.create({ model: "gpt-4o", messages }));
    expect(unknown).toBeInstanceOf(NotFoundError);
    expect(unknown).toMatchObject({ code: "model_not_found", param: "model" });
  });

  test("tells of a model that dies in the middle, and does not repeat what a dead one refused", async () => {
    const dying = startFakeModelServer();
    const isHeard = Promise.withResolvers<void>();
    dying.script = ["The boiler is serviced in May [1]. ", "And ", () => isHeard.promise.then(() => dying.stop())];
    const failing = await startBinary(dying.settings);
    await failing.post("/api/ingest", { name: "House rules", text: "The boiler is serviced in May." });
    let requests = 0;
    const counted = client({
      ...{ apiKey: failing.key, baseURL: `${failing.url}/v1`, maxRetries: 2 },
      fetch(...request: Parameters<typeof fetch>) {
        requests += 1;
        return fetch(...request);
      },
    });
    const cut = await counted.chat.completions.create({ model: "carrel", messages, stream: true });
    const read = async () => {
      for await (const { choices } of cut) if (choices[0]?.delta.content) isHeard.resolve();
    };
    expect(await failureOf(read())).toBeInstanceOf(APIError);
    const dead = counted.chat.completions.create({ model: "carrel", messages });
    expect(await failureOf(dead)).toMatchObject({ status: 503, code: "model_unreachable" });
    expect(requests).toBe(2);
  });
});

describe("the AI SDK", () => {
  test("has the snippets as sources, of chat completions and of responses", async () => {
    const provider = createOpenAI(options);
    for (const asked of [provider.chat("carrel"), provider("carrel")]) {
      const whole = await generateText({ model: asked, prompt, maxRetries: 0 });
      expect([whole.text, whole.sources.length]).toEqual([said, 1]);
      expect(whole.sources[0]).toMatchObject({ sourceType: "url", title: "House rules" });
      const stream = streamText({ model: asked, prompt, maxRetries: 0 });
      expect([await stream.text, (await stream.sources).length]).toEqual([said, 1]);
    }
  });

  test("as for any compatible server has the text, its sources in it where asked", async () => {
    const headers = { "X-Carrel-Sources": "text" };
    const provider = createOpenAICompatible({ name: "carrel", includeUsage: true, headers, ...options });
    const { text } = await generateText({ model: provider("carrel/house"), prompt, maxRetries: 0 });
    expect(text).toStartWith(`${said}\n\n[1] House rules <http`);
    const stream = streamText({ model: provider("carrel"), prompt, maxRetries: 0 });
    expect(await stream.text).toBe(text);
    expect((await stream.usage).totalTokens).toBeGreaterThan(0);
  });
});

describe("LangChain", () => {
  const chat = (change: object = {}) =>
    new ChatOpenAI({
      model: "carrel",
      apiKey: options.apiKey,
      configuration: { baseURL: options.baseURL },
      maxRetries: 0,
      ...change,
    });

  test("asks, whole and as a stream", async () => {
    expect((await chat().invoke(prompt)).content).toBe(said);
    let streamed = "";
    for await (const { content } of await chat().stream(prompt)) streamed += content;
    expect(streamed).toBe(said);
  });

  test("has citations with responses", async () => {
    const { content } = await chat({ useResponsesApi: true }).invoke(prompt);
    expect(JSON.stringify(content)).toContain('"title":"House rules"');
  });
});
