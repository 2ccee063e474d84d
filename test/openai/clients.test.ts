import { afterAll, describe, expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, streamText } from "ai";
import OpenAI, { APIError, AuthenticationError, NotFoundError } from "openai";
import { ProviderError } from "../../providers/contract.ts";
import { createScriptedModel } from "../answers/scripted-model.ts";
import { serveQuestions } from "../answers/serve-questions.ts";

/** The clients that people already have, from npm, as they are, against a real listener. */

const prompt = "When is the boiler serviced?";
const said = "The boiler is serviced in May [1].";

const model = createScriptedModel();
model.say({ steps: ["The boiler is ", "serviced in May [1]."] });
const server = await serveQuestions({ answerModel: model });
const organizationId = await server.organization("default");
const { partition } = await server.store.partitions.upsert({ organizationId, partitionId: null }, "house");
await server.document("The boiler is serviced in May.", { name: "House rules", partitionId: partition.id });
const options = { apiKey: await server.key({ role: "reader" }), baseURL: `${server.url}/v1` };
afterAll(() => server.stop());

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

  test("throws its own errors, and does not repeat what a dead model refused", async () => {
    expect(await failureOf(client({ apiKey: "crl_wrong" }).models.list())).toBeInstanceOf(AuthenticationError);
    const unknown = await failureOf(client().chat.completions.create({ model: "gpt-4o", messages }));
    expect(unknown).toBeInstanceOf(NotFoundError);
    expect(unknown).toMatchObject({ code: "model_not_found", param: "model" });
    const asked = model.prompts.length;
    model.say({ steps: [new ProviderError("answer", "unreachable", "refused")] });
    const dead = client({ maxRetries: 2 }).chat.completions.create({ model: "carrel", messages });
    expect(await failureOf(dead)).toMatchObject({ status: 503, code: "model_unreachable" });
    expect(model.prompts.length - asked).toBe(1);
    model.say({ steps: ["The boiler is serviced in May [1]. ", new ProviderError("answer", "bad_answer", "broke")] });
    const cut = await client().chat.completions.create({ model: "carrel", messages, stream: true });
    const read = async () => {
      for await (const _ of cut);
    };
    expect(await failureOf(read())).toBeInstanceOf(APIError);
    model.say({ steps: [said] });
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
