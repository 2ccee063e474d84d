import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { ProviderError } from "../../providers/contract.ts";
import { createScriptedModel } from "../answers/scripted-model.ts";
import { serveQuestions } from "../answers/serve-questions.ts";
import { type Answer, type CallOptions, callServer, sendRequest } from "../call-server.ts";
import { startTestServer } from "../start-server.ts";
import { until } from "../until.ts";

/** OpenAI's API over a real listener: a model that follows a script answers, or none. */

const winter = "When does the reading room open in winter?";
const text = "# Hours\n\nIn winter the reading room opens at nine.";
const said = "In winter the reading room opens at nine [1].";

const model = createScriptedModel();
const server = await serveQuestions({
  answerModel: model,
  config: (config) => {
    config.server.allowedOrigins = ["app://notes"];
  },
});
const quoting = await serveQuestions();
const key = await server.key({ role: "reader" });
const organizationId = await server.organization("default");
const { partition } = await server.store.partitions.upsert({ organizationId, partitionId: null }, "house/rules é");
const rules = await server.document(text, { name: "House rules", partitionId: partition.id });
await quoting.document(text, { name: "House rules" });
await quoting.document("The hall is open until ten.", { name: "Hall" });
await quoting.document("The hall was painted. It is late work.", { name: "Paint" });
beforeEach(() => {
  model.prompts.splice(0);
  model.options.splice(0);
  model.say({ steps: ["In winter the reading ", "room opens at nine [1]."], promptTokens: 60, outputTokens: 11 });
});

const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  callServer(server.url, method, path, { key, ...options });
const user = (content: unknown) => ({ role: "user", content });
const chat = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  call("POST", "/v1/chat/completions", { json: { model: "carrel", messages: [user(winter)], ...body }, headers });
const responses = (body: object): Promise<Answer> =>
  call("POST", "/v1/responses", { json: { model: "carrel", input: winter, ...body } });
const quoted = async (body: object): Promise<Answer> =>
  callServer(quoting.url, "POST", "/v1/chat/completions", {
    key: await quoting.key(),
    json: { model: "carrel", messages: [user(winter)], ...body },
  });
/** The data of a stream's events, in order. */
const dataOf = ({ text }: Answer) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
    .map((line): any => (line === "data: [DONE]" ? "[DONE]" : JSON.parse(line.slice(6))));
const contentOf = (chunks: ReturnType<typeof dataOf>): string =>
  chunks.map((chunk) => chunk.choices?.[0]?.delta?.content ?? "").join("");
const lastPrompt = () => model.prompts.at(-1) ?? [];

describe("models", () => {
  const house = { id: "carrel/house/rules é", object: "model", owned_by: "carrel", name: "Carrel: house/rules é" };

  test("are all documents and each partition that the key may see", async () => {
    const { body } = await call("GET", "/v1/models");
    expect(body).toMatchObject({ object: "list", data: [{ id: "carrel", object: "model", name: "Carrel" }, house] });
    expect(body.data[1].created).toBeWithin(1_600_000_000, 9_000_000_000);
    expect((await call("GET", "/v1/models/carrel")).body.id).toBe("carrel");
    for (const path of [encodeURIComponent(house.id), "carrel/house/rules%20%C3%A9", "carrel%2Fhouse/rules%20é"])
      expect((await call("GET", `/v1/models/${path}`)).body).toMatchObject(house);
  });

  test("of another organization, or of none, are not there", async () => {
    const other = await server.key({ organization: "other" });
    const notFound = { type: "invalid_request_error", code: "model_not_found", param: "model" };
    expect((await call("GET", "/v1/models", { key: other })).body.data).toHaveLength(1);
    for (const path of [encodeURIComponent(house.id), "gpt-4o", "carrel%2F", "carrel/%", "a/b/c"]) {
      const { status, body } = await call("GET", `/v1/models/${path}`, { key: other });
      expect([path, status, body.error]).toMatchObject([path, 404, notFound]);
    }
    const json = { model: house.id, messages: [user(winter)] };
    const asked = await call("POST", "/v1/chat/completions", { key: other, json });
    expect([asked.status, asked.body.error]).toMatchObject([404, notFound]);
  });

  test("a key that is limited to a partition sees no other", async () => {
    const organizationId = await server.organization("default");
    const { partition } = await server.store.partitions.upsert({ organizationId, partitionId: null }, "empty");
    const limited = await server.key({ role: "reader", partitionId: partition.id });
    const { body } = await call("GET", "/v1/models", { key: limited });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(["carrel", "carrel/empty"]);
    const json = { model: "carrel", messages: [user(winter)] };
    const asked = await call("POST", "/v1/chat/completions", { key: limited, json });
    expect(asked.body.carrel.relevantSnippets).toEqual([]);
  });
});

describe("a chat completion", () => {
  test("answers from the documents, with an annotation for each snippet and the receipt", async () => {
    const { status, body, headers } = await chat({ model: "carrel/house/rules é", temperature: 2, seed: 1, user: "u" });
    expect(status).toBe(200);
    const [snippet] = body.carrel.relevantSnippets;
    expect(body).toMatchObject({
      id: `chatcmpl-${body.carrel.receipt.id}`,
      object: "chat.completion",
      model: "carrel/house/rules é",
      usage: { prompt_tokens: 60, completion_tokens: 11, total_tokens: 71 },
      carrel: { receipt: { warnings: [], asked: { kind: "question" } } },
    });
    expect(headers.get("x-carrel-receipt")).toBe(body.carrel.receipt.id);
    const url = `${server.url}/documents/${rules.id}?snippet=${snippet.metadata.id}`;
    expect(body.choices).toEqual([
      {
        index: 0,
        message: {
          role: "assistant",
          content: said,
          refusal: null,
          annotations: [
            {
              type: "url_citation",
              url_citation: { start_index: 41, end_index: 44, url, title: "House rules" },
            },
          ],
        },
        logprobs: null,
        finish_reason: "stop",
      },
    ]);
  });

  test("streamed is the same text in chunks, with annotations, receipt and usage at the end", async () => {
    const answer = await chat({ stream: true, stream_options: { include_usage: true } });
    expect(answer.headers.get("content-type")).toStartWith("text/event-stream");
    expect(answer.text).not.toContain("event:");
    const chunks = dataOf(answer);
    expect(contentOf(chunks)).toBe(said);
    const id = `chatcmpl-${answer.headers.get("x-carrel-receipt")}`;
    const [first] = chunks;
    const [annotated, last, usage, done] = chunks.slice(-4);
    for (const chunk of chunks.slice(0, -1)) expect(chunk).toMatchObject({ id, object: "chat.completion.chunk" });
    expect(first).toMatchObject({
      choices: [{ index: 0, delta: { role: "assistant" }, finish_reason: null }],
      usage: null,
    });
    expect(annotated.choices[0].delta.annotations).toHaveLength(1);
    expect(last).toMatchObject({ choices: [{ delta: {}, finish_reason: "stop" }], carrel: { receipt: {} } });
    expect(usage).toMatchObject({ choices: [], usage: { prompt_tokens: 60, completion_tokens: 11, total_tokens: 71 } });
    expect(done).toBe("[DONE]");
    expect(dataOf(await chat({ stream: true })).some((chunk) => chunk.usage !== undefined)).toBeFalse();
  });

  test("tells of sources in the way that X-Carrel-Sources names", async () => {
    const listed = await chat({}, { "x-carrel-sources": "text" });
    const { content, annotations } = listed.body.choices[0].message;
    expect(content).toBe(`${said}\n\n[1] House rules <${annotations[0].url_citation.url}>`);
    const streamedList = dataOf(await chat({ stream: true }, { "x-carrel-sources": "text" }));
    expect(contentOf(streamedList)).toBe(content);
    // Clients send the list back with the answer; it is no part of what was said.
    await chat({ messages: [user(winter), { role: "assistant", content }, user("Who else keeps the reading room?")] });
    expect(lastPrompt()[2]?.content).toBe("In winter the reading room opens at nine.");

    const shown = dataOf(await chat({ stream: true }, { "x-carrel-sources": "open-webui" }));
    const at = shown.findIndex(({ event }) => event !== undefined);
    expect(shown[at]).toMatchObject({
      choices: [],
      event: {
        type: "source",
        data: {
          source: { id: rules.id, name: "House rules", url: `${server.url}/documents/${rules.id}` },
          document: [text],
          metadata: [{ source: `${rules.id}#1`, name: "House rules" }],
          distances: [1],
        },
      },
    });
    expect(at).toBeLessThan(shown.findIndex(({ choices }) => choices?.[0]?.delta.content?.length > 0));
    expect(JSON.stringify(shown)).not.toContain("url_citation");
    const whole = await chat({}, { "x-carrel-sources": "open-webui" });
    expect(whole.body.choices[0].message.annotations).toHaveLength(1);

    expect((await chat({}, { "x-carrel-sources": "none" })).body.choices[0].message.annotations).toEqual([]);
    const wrong = await chat({}, { "x-carrel-sources": "footnotes" });
    expect([wrong.status, wrong.body.error]).toMatchObject([
      400,
      { param: "X-Carrel-Sources", code: "invalid_request" },
    ]);
  });

  test("a snippet that is not cited has its annotation at the end", async () => {
    const { content, annotations } = (await quoted({ messages: [user("How late is the hall open?")] })).body.choices[0]
      .message;
    const at = annotations.findIndex((_: unknown, index: number) => !content.includes(`[${index + 1}]`));
    expect(annotations[at].url_citation).toMatchObject({ start_index: content.length, end_index: content.length });
  });

  test("takes instructions, the turns before and parts of text", async () => {
    const messages = [
      { role: "system", content: "Speak like a pirate." },
      user([
        { type: "text", text: "Who keeps the lamps?" },
        { type: "image_url", image_url: { url: "data:," } },
      ]),
      { role: "assistant", content: "Nobody [3].", tool_calls: [] },
      { role: "tool", tool_call_id: "1", content: "secret" },
      { role: "developer", content: [{ type: "text", text: "Be short." }] },
      user([{ type: "text", text: winter }]),
    ];
    const { body } = await chat({ messages, tools: [{ type: "function" }], tool_choice: "auto" });
    const [system, asked, answered, question] = lastPrompt();
    expect(system?.content).toEndWith("\n\nSpeak like a pirate.\n\nBe short.");
    expect([asked?.content, answered?.content]).toEqual(["Who keeps the lamps?", "Nobody."]);
    expect(question?.content).toContain(`Question: ${winter}`);
    expect(JSON.stringify(lastPrompt())).not.toContain("secret");
    expect(body.carrel.receipt.warnings).toEqual([
      "The tools were not used: answers are made from documents alone.",
      "Pictures and files of earlier messages were not read.",
    ]);
  });

  test("takes 200 turns", async () => {
    const turns = Array.from({ length: 100 }, (_, n) => [
      user(`Question ${n}?`),
      { role: "assistant", content: `${n}.` },
    ]);
    const { status, body } = await chat({ messages: [...turns.flat(), user(winter)] });
    expect([status, body.choices[0].message.content]).toEqual([200, said]);
  });

  test("translates the answer before from the sources of its question", async () => {
    const messages = [user(winter), { role: "assistant", content: said }, user("Translate that into German.")];
    const { body } = await chat({ messages });
    expect(body.carrel.receipt.asked.kind).toBe("conversation");
    expect(body.carrel.relevantSnippets).toHaveLength(1);
    expect(lastPrompt().at(-1)?.content).toContain("reading room opens at nine");
  });

  test("max_tokens bounds the answer, of a model and of quotations", async () => {
    model.say({ steps: ["In winter"], finishReason: "length", outputTokens: 2 });
    const { body } = await chat({ max_tokens: 2 });
    expect(model.options.at(-1)).toMatchObject({ maxOutputTokens: 2 });
    expect(body.choices[0]).toMatchObject({ message: { content: "In winter [1]" }, finish_reason: "length" });
    const short = (await quoted({ max_completion_tokens: 3 })).body;
    expect(short.choices[0].finish_reason).toBe("length");
    expect(short.usage.completion_tokens).toBeWithin(1, 4);
    expect((await quoted({ max_tokens: -1 })).body.choices[0].finish_reason).toBe("stop");
  });
});

describe("what Open WebUI sends beside questions", () => {
  const title = "### Task:\nGenerate a title.\n### Chat History:\n<chat_history>…</chat_history>";

  test("a task goes to the model as it is, and has no receipt", async () => {
    model.say({ steps: ['{"title": "Winter"}'] });
    const { body, headers } = await chat({ messages: [user(title)] });
    expect(lastPrompt()).toEqual([{ role: "user", content: title }]);
    expect(body.choices[0].message).toMatchObject({ content: '{"title": "Winter"}', annotations: [] });
    expect(body.carrel).toBeUndefined();
    expect(headers.get("x-carrel-receipt")).toBeNull();
    expect((await quoted({ messages: [user(title)] })).body.choices[0].message.content).toBe("{}");
    expect(contentOf(dataOf(await quoted({ messages: [user(title)], stream: true })))).toBe("{}");
    const long = await chat({ messages: [user(title + " word".repeat(6_000))] });
    expect([long.status, long.body.error.code]).toEqual([413, "question_too_long"]);
  });

  test("an attached file is answered from, beside the documents or alone", async () => {
    const attached = `### Task:\nRespond to the user query.\n<context>\n<source id="1">The pump is green.</source>\n</context>\n`;
    model.say({ steps: ["The pump is green."] });
    const { body } = await chat({ messages: [user(`${attached}What color has the xylophone?`)] });
    expect(body.choices[0].message.content).toBe("The pump is green.");
    expect(body.carrel.receipt.asked.question).toBe("What color has the xylophone?");
    expect(lastPrompt().at(-1)?.content).toBe(
      'Attached text:\n\n<source id="1">The pump is green.</source>\n\nQuestion: What color has the xylophone?',
    );
    const list = '<attached_files>\n<file type="file" id="1" name="pump.txt"/>\n</attached_files>\n\n';
    const listed = await chat({
      messages: [user(list + winter), { role: "assistant", content: said }, user(attached + list + winter)],
    });
    const { asked, warnings } = listed.body.carrel.receipt;
    expect([asked.question, warnings.join()]).toEqual([winter, expect.not.stringContaining("attached")]);
    expect(JSON.stringify(lastPrompt())).not.toContain("attached_files");
    expect(lastPrompt().at(-1)?.content).toContain("Sources:\n\n[1] House rules");
    const unread = await chat({
      messages: [
        user([
          { type: "text", text: list },
          { type: "text", text: winter },
        ]),
      ],
    });
    expect(unread.body.carrel.receipt.asked.question).toBe(winter);
    expect(unread.body.carrel.receipt.warnings).toContain(
      "The attached files were not read: only their names were sent.",
    );
    const long = `<context>${"The pump is green. ".repeat(9_000)}</context>Summarize it`;
    expect((await chat({ messages: [user(long)] })).body.carrel.receipt.warnings).toContain(
      "The attached text was shortened to fit the model's context.",
    );
    const { receipt } = (await quoted({ messages: [user(attached + winter)] })).body.carrel;
    expect(receipt.warnings).toEqual([
      "The built-in answerer quotes the documents alone: the attached text was not used.",
    ]);
  });
});

describe("a response", () => {
  test("answers input as text or items", async () => {
    const { body } = await responses({ instructions: "Be short.", store: true });
    expect(lastPrompt()[0]?.content).toEndWith("\n\nBe short.");
    expect(body).toMatchObject({
      id: `resp_${body.carrel.receipt.id}`,
      object: "response",
      status: "completed",
      store: false,
      instructions: "Be short.",
      usage: { input_tokens: 60, output_tokens: 11, total_tokens: 71 },
    });
    expect(body.output[0].content[0]).toMatchObject({
      type: "output_text",
      text: said,
      annotations: [{ type: "url_citation", start_index: 41, end_index: 44, title: "House rules" }],
    });
    const input = [
      { type: "message", role: "user", content: [{ type: "input_text", text: "Who keeps the lamps?" }] },
      { type: "reasoning", summary: [] },
      { type: null, id: "msg_1" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Nobody." }] },
      { role: "user", content: [{ type: "input_text", text: winter }] },
    ];
    expect((await responses({ input })).body.output[0].content[0].text).toBe(said);
    expect(lastPrompt().map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  });

  test("streams its events in order", async () => {
    const { text } = await call("POST", "/v1/responses", { json: { model: "carrel", input: winter, stream: true } });
    const events = dataOf({ text } as Answer);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
    const types = events.map(({ type }) => type);
    expect([...new Set(types)]).toEqual(
      [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.annotation.added",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
      ].map((name) => `response.${name}`),
    );
    for (const type of types) expect(text).toContain(`event: ${type}\n`);
    const deltas = events.filter(({ type }) => type === "response.output_text.delta");
    expect(deltas.map(({ delta }) => delta).join("")).toBe(said);
    expect(events.at(-1).response).toMatchObject({ status: "completed", output: [{ content: [{ text: said }] }] });
  });

  test("says that it is incomplete, or that it failed", async () => {
    model.say({ steps: ["In winter"], finishReason: "length" });
    const incomplete = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    expect((await responses({ max_output_tokens: 2 })).body).toMatchObject(incomplete);
    const last = dataOf(await responses({ max_output_tokens: 2, stream: true })).at(-1);
    expect(last).toMatchObject({ type: "response.incomplete", response: incomplete });
    model.say({
      steps: [
        "In winter the reading room opens at nine [1]. ",
        "Then ",
        () => Bun.sleep(1_100),
        new ProviderError("answer", "bad_answer", "broke"),
      ],
    });
    const failed = dataOf(await responses({ stream: true })).at(-1);
    expect(failed).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "model_failed" } },
    });
  });
});

describe("what cannot be answered is refused in OpenAI's form", () => {
  const image = [
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url: "data:," } },
  ];
  test.each<[object, string]>([
    [{ n: 2 }, "n"],
    [{ tool_choice: "required", tools: [] }, "tool_choice"],
    [{ tool_choice: { type: "function", function: { name: "f" } } }, "tool_choice"],
    [{ response_format: { type: "json_object" } }, "response_format"],
    [{ logprobs: true }, "logprobs"],
    [{ modalities: ["text", "audio"] }, "modalities"],
    [{ audio: { voice: "alloy" } }, "audio"],
    [{ messages: [user(image)] }, "messages"],
    [{ messages: [user([{ type: "input_audio" }])] }, "messages"],
    [{ messages: [user([{ type: "file" }])] }, "messages"],
  ])("%j", async (change, param) => {
    const { status, body, headers } = await chat(change);
    expect([status, headers.get("content-type")]).toEqual([400, "application/json"]);
    expect(body).toEqual({
      error: { message: expect.any(String), type: "invalid_request_error", param, code: "unsupported_value" },
    });
  });
  test.each<[object, string]>([
    [{ previous_response_id: "resp_1" }, "previous_response_id"],
    [{ conversation: "conv_1" }, "conversation"],
    [{ background: true }, "background"],
    [{ text: { format: { type: "json_schema" } } }, "text.format"],
    [{ include: ["message.output_text.logprobs"] }, "include"],
    [{ input: [{ role: "user", content: [{ type: "input_image" }] }] }, "input"],
  ])("%j", async (change, param) => {
    const { status, body } = await responses(change);
    expect([status, body.error]).toMatchObject([400, { param, code: "unsupported_value" }]);
  });
  test("an input of no items", async () => {
    expect((await responses({ input: [] })).body.error).toMatchObject({
      message: expect.stringContaining("a message of the role `user`"),
      param: "input",
    });
  });
  test("what means nothing else is taken", async () => {
    const change = {
      n: 1,
      tool_choice: "none",
      response_format: { type: "text" },
      logprobs: false,
      modalities: ["text"],
    };
    expect((await chat({ ...change, stop: "x", top_p: 3, unknown: { a: 1 }, max_tokens: null })).status).toBe(200);
    expect((await responses({ background: false, text: { format: { type: "text" }, verbosity: "low" } })).status).toBe(
      200,
    );
  });

  test.each<[object, number, string, string | null]>([
    [{ messages: [] }, 400, "invalid_request", "messages"],
    [{ messages: "hello" }, 400, "invalid_request", "messages"],
    [{ messages: [user("")] }, 400, "invalid_request", "messages"],
    [{ messages: [user(null)] }, 400, "invalid_request", "messages"],
    [{ messages: [{ role: "assistant", content: "Hello" }] }, 400, "invalid_request", "messages"],
    [{ messages: [{ role: "robot", content: "Hello" }, user(winter)] }, 400, "invalid_request", "messages"],
    [{ messages: [user("a".repeat(8_001))] }, 400, "query_too_long", "messages"],
    [
      { messages: [user(`<context>${"a".repeat(9_000)}</context>${"b".repeat(8_001)}`)] },
      400,
      "query_too_long",
      "messages",
    ],
    [{ messages: [user([{ type: "text", text: 3 }])] }, 400, "invalid_request", "messages.0.content.0.text"],
    [{ max_tokens: 0 }, 400, "invalid_request", "max_tokens"],
    [{ stream: "yes" }, 400, "invalid_request", "stream"],
    [{ model: undefined }, 400, "invalid_request", "model"],
    [{ model: "gpt-4o" }, 404, "model_not_found", "model"],
    [{ messages: [user("a".repeat(1_100_000))] }, 413, "body_too_large", null],
  ])("%.100j", async (change, status, code, param) => {
    const answer = await chat(change);
    expect([answer.status, answer.body.error]).toMatchObject([status, { type: "invalid_request_error", code, param }]);
  });

  test("no key, a wrong key, an unknown path and method", async () => {
    for (const given of [null, "crl_wrong"]) {
      const { status, body, headers } = await call("GET", "/v1/models", { key: given });
      expect([status, body.error]).toMatchObject([401, { type: "authentication_error", code: "invalid_api_key" }]);
      expect(headers.get("www-authenticate")).toBe("Bearer");
    }
    for (const path of ["/v1", "/v1/", "/v1/embeddings", "/v1/files/x"]) {
      const { status, body } = await call("POST", path, { json: {} });
      expect([path, status, body.error?.code]).toEqual([path, 404, "route_not_found"]);
    }
    const { status, body, headers } = await call("DELETE", "/v1/chat/completions");
    expect([status, body.error.code, headers.get("allow")]).toEqual([405, "method_not_allowed", "POST, OPTIONS"]);
  });

  test("pages of allowed origins may send what OpenAI's clients send", async () => {
    const { headers } = await call("OPTIONS", "/v1/chat/completions", {
      headers: {
        origin: "app://notes",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,x-stainless-os,x-stainless-retry-count,x-evil",
      },
    });
    expect(headers.get("access-control-allow-headers")).toEndWith(", x-stainless-os, x-stainless-retry-count");
    const { headers: answered } = await chat({}, { origin: "app://notes" });
    expect(answered.get("access-control-allow-origin")).toBe("app://notes");
    expect(answered.get("access-control-expose-headers")).toContain("X-Carrel-Receipt");
  });
});

describe("a model that fails", () => {
  test.each([
    ["unreachable", 503, "model_unreachable"],
    ["bad_answer", 502, "model_failed"],
  ] as const)("by %s before it says anything: %i, streamed or not", async (kind, status, code) => {
    for (const stream of [false, true]) {
      model.say({ steps: [new ProviderError("answer", kind, "secret address")] });
      const { status: got, body, headers } = await chat({ stream });
      expect([got, body.error]).toMatchObject([status, { type: "server_error", code, param: null }]);
      expect(headers.get("x-should-retry")).toBe("false");
      expect(headers.get("retry-after")).toBe(status === 503 ? "5" : null);
      expect(body.error.message).not.toContain("secret");
      expect(body.error.message).toEndWith(` (requestId: ${headers.get("x-request-id")})`);
    }
  });

  test("has said something: the stream ends in an error, without [DONE]", async () => {
    model.say({
      steps: [
        "In winter the reading room opens at nine [1]. ",
        "And ",
        new ProviderError("answer", "bad_answer", "broke"),
      ],
    });
    const chunks = dataOf(await chat({ stream: true }));
    expect(contentOf(chunks)).toContain("opens at nine");
    expect(chunks.at(-1)).toEqual({
      error: { message: expect.any(String), type: "server_error", param: null, code: "model_failed" },
    });
  });

  test("lies about sources: marks that point nowhere are in no text and no annotation, streamed or not", async () => {
    for (const stream of [false, true]) {
      model.say({ steps: ["In winter it opens at nine [1]", "[7]. It was built by Adam [2", "2]."] });
      const answer = await chat({ stream });
      const chunks = stream ? dataOf(answer) : [];
      const { content, annotations } = stream
        ? {
            content: contentOf(chunks),
            annotations: chunks.flatMap(({ choices }) => choices?.[0]?.delta?.annotations ?? []),
          }
        : answer.body.choices[0].message;
      expect(content.match(/\[\d+\]/g)).toEqual(["[1]"]);
      expect(annotations.length).toBe(1);
      const { carrel } = stream ? chunks.find(({ carrel }) => carrel !== undefined) : answer.body;
      expect(carrel.receipt.warnings.length).toBeGreaterThan(0);
    }
  });

  test("is slow: the documents are quoted instead, and a warning says so", async () => {
    for (const stream of [false, true]) {
      model.say({ steps: [new ProviderError("answer", "timeout", "secret address")] });
      const answer = await chat({ stream });
      const chunks = stream ? dataOf(answer) : [];
      expect(stream ? contentOf(chunks) : answer.body.choices[0].message.content).toBe(
        "In winter the reading room opens at nine. [1]",
      );
      const { receipt } = (stream ? chunks.find(({ carrel }) => carrel !== undefined) : answer.body).carrel;
      expect(receipt.warnings.join()).toContain("did not answer within 60 s: the answer is quoted from the documents");
    }
  });

  test("leaves nothing: no receipt is kept of a question that failed or was refused", async () => {
    const answer = { provider: "openai" as const, model: "none", baseUrl: "http://127.0.0.1:9/v1" };
    const failing = await startTestServer({}, { configure: ({ models }) => Object.assign(models.answer, answer) });
    const add = spyOn(failing.program.deps.store.receipts, "add");
    await failing.post("/api/ingest", { name: "House rules", text });
    const ask = async (change: object) =>
      (await failing.post("/v1/chat/completions", { model: "carrel", messages: [user(winter)], ...change })).status;
    expect([await ask({}), await ask({ stream: true })]).toEqual([503, 503]);
    expect([await ask({ model: "gpt-4o" }), await ask({ n: 2 }), await ask({ messages: [] })]).toEqual([404, 400, 400]);
    expect(add).toHaveBeenCalledTimes(0);
    expect(await ask({ messages: [user("Who won the chess championship of 1972?")] })).toBe(200);
    expect(add).toHaveBeenCalledTimes(1);
  });

  test("a client that goes ends its model call, streamed or not", async () => {
    for (const stream of [true, false]) {
      const before = model.stopped;
      const silent = Promise.withResolvers<void>();
      model.say({ steps: ["In winter ", () => silent.promise] });
      const leave = new AbortController();
      const json = { model: "carrel", messages: [user(winter)], stream };
      const sent = sendRequest(server.url, "POST", "/v1/chat/completions", { key, json, signal: leave.signal });
      sent.catch(() => {});
      await until(() => model.prompts.length > 0);
      if (stream) await sent;
      leave.abort();
      await until(() => model.stopped > before);
      model.prompts.splice(0);
      silent.resolve();
    }
  });
});
