import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { ProviderError } from "../../providers/contract.ts";
import { sentMessageSchema } from "../../src/chats/schema.ts";
import type { DocumentRecord } from "../../src/domain/records.ts";
import {
  type ChatBody,
  type ChatWithMessages,
  call,
  joinDeltas,
  readEvents,
  type SentMessage,
  send,
  withoutRequestId,
} from "../answers/client.ts";
import { createScriptedModel, type ScriptedModel } from "../answers/scripted-model.ts";
import { serveQuestions, type TestServer } from "../answers/serve-questions.ts";

let server: TestServer;
let model: ScriptedModel;
let key: string;
let rules: DocumentRecord;

beforeAll(async () => {
  model = createScriptedModel();
  server = await serveQuestions({ answerModel: model });
  key = await server.key({ userId: "anna" });
  rules = await server.document("In winter the reading room opens at nine.", { name: "House rules" });
  await server.document("In winter the boats lie in the shed.", { name: "Boats" });
});
afterAll(() => server.stop());
beforeEach(() => {
  model.prompts.splice(0);
  model.say({ steps: ["At nine ", "[1]."] });
});

const createChat = async (settings: object = {}): Promise<string> =>
  (await call<ChatBody>(`${server.url}/api/chat`, { key, body: settings })).body.id;
const say = (chat: string, body: object, path = "message") =>
  call<SentMessage>(`${server.url}/api/chat/${chat}/${path}`, { key, body });
const getChat = async (chat: string) => (await call<ChatWithMessages>(`${server.url}/api/chat/${chat}`, { key })).body;
const texts = async (chat: string) => (await getChat(chat)).messages.map(({ message }) => message);

describe("sending a message", () => {
  test.each([["message"], ["private"], ["public"]])(
    "to /%s stores it and returns the answer's message",
    async (path) => {
      const chat = await createChat({ documentId: rules.id });
      const { status, body } = await say(chat, { message: "When does the room open in winter?" }, path);
      expect(status).toBe(200);
      expect([...Value.Errors(sentMessageSchema, body)]).toEqual([]);
      expect(body).toMatchObject({ message: "At nine [1].", isSystem: true, chatId: chat, userId: "anna" });
      expect(body.sourceDocuments).toEqual([
        {
          metadata: {
            id: expect.any(String),
            documentUploadId: rules.id,
            content: "In winter the reading room opens at nine.",
            _distance: 1,
            columns: [],
            page: null,
            headings: [],
            start: 0,
            end: 41,
          },
          pageContent: "In winter the reading room opens at nine.",
        },
      ]);
      expect(body.receipt).toMatchObject({ kept: 1, model: { provider: "scripted", name: "parrot" } });

      const { messages } = await getChat(chat);
      // The receipt and the words of doubt tell of this answer as it was made; the chat keeps neither.
      const { receipt: _receipt, doubt: _doubt, ...stored } = body;
      expect(messages).toEqual([
        {
          ...stored,
          id: expect.any(String),
          message: "When does the room open in winter?",
          isSystem: false,
          sourceDocuments: [],
          createdAt: expect.any(String),
        },
        stored,
      ]);
    },
  );

  test("stays within the chat's document or partition", async () => {
    const everywhere = await say(await createChat(), { message: "winter" });
    expect(everywhere.body.sourceDocuments).toHaveLength(2);
    const one = await say(await createChat({ documentId: rules.id }), { message: "winter" });
    expect(one.body.sourceDocuments).toHaveLength(1);
  });

  test("names the chat by its first words, once, and only where nobody did", async () => {
    const unnamed = await createChat();
    const long = "When does the reading room of the house by the lake open in the winter months?";
    await say(unnamed, { message: long });
    expect((await getChat(unnamed)).name).toBe("When does the reading room of the house by the lake open in");
    await say(unnamed, { message: "Another question about winter" });
    expect((await getChat(unnamed)).name).toBe("When does the reading room of the house by the lake open in");
    const named = await createChat({ name: "Ours" });
    await say(named, { message: "winter" });
    expect((await getChat(named)).name).toBe("Ours");
  });

  test("shows the model the turns before, without their marks", async () => {
    const chat = await createChat();
    await say(chat, { message: "When does the room open in winter?" });
    await say(chat, { message: "And the boats?" });
    const turns = model.prompts.at(-1) ?? [];
    expect(turns.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(turns[1]?.content).toBe("When does the room open in winter?");
    expect(turns[2]?.content).toBe("At nine.");
    expect(turns[3]?.content).toContain("Question: And the boats?");
  });

  test("finds by the turns before: a follow-up that names nothing itself", async () => {
    const chat = await createChat();
    await say(chat, { message: "boats in the shed" });
    const followUp = await say(chat, { message: "And why?" });
    expect(followUp.body.sourceDocuments[0]?.pageContent).toContain("boats");
  });

  test("keeps the conversations of different users apart, and shows them all to a key", async () => {
    const chat = await createChat();
    await say(chat, { message: "boats", userId: "ben" });
    await say(chat, { message: "winter", userId: "carla" });
    expect(model.prompts[1]?.map(({ role }) => role)).toEqual(["system", "user"]);
    const { messages } = await getChat(chat);
    expect(messages.map(({ userId }) => userId)).toEqual(["ben", "ben", "carla", "carla"]);
    const bens = await call<ChatWithMessages>(`${server.url}/api/chat/${chat}?userId=ben`, { key });
    expect(bens.body.messages).toEqual(messages.slice(0, 2));
  });

  test("is not the answer's to change what is oldest first", async () => {
    const chat = await createChat();
    for (const message of ["winter one", "winter two", "winter three"]) await say(chat, { message });
    const { messages } = await getChat(chat);
    expect(messages.map(({ isSystem }) => isSystem)).toEqual([false, true, false, true, false, true]);
    const times = messages.map(({ createdAt }) => Date.parse(createdAt));
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });

  test("waits for the one before in the same conversation", async () => {
    const chat = await createChat();
    const sent = Array.from({ length: 5 }, (_, n) => `winter ${n}`);
    const answers = await Promise.all(sent.map((message) => say(chat, { message })));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    const { messages } = await getChat(chat);
    expect(messages.map(({ isSystem }) => isSystem)).toEqual(Array(5).fill([false, true]).flat());
    expect(new Set(messages.filter(({ isSystem }) => !isSystem).map(({ message }) => message))).toEqual(new Set(sent));
  });

  test("takes a form", async () => {
    const chat = await createChat();
    const response = await fetch(`${server.url}/api/chat/${chat}/message`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/x-www-form-urlencoded" },
      body: "message=winter+hours&userId=ben",
    });
    expect(response.status).toBe(200);
    expect(((await response.json()) as SentMessage).userId).toBe("ben");
  });

  test("where nothing is relevant says so and calls no model", async () => {
    const chat = await createChat();
    const { body } = await say(chat, { message: "zygomorphic?" });
    expect(body).toMatchObject({
      message: "The documents do not hold an answer to this question.",
      sourceDocuments: [],
    });
    expect(model.prompts).toEqual([]);
  });
});

describe("streaming", () => {
  test("has the events of a question, done with the answer's message", async () => {
    const chat = await createChat({ documentId: rules.id });
    const response = await send(`${server.url}/api/chat/${chat}/message`, {
      key,
      body: { message: "winter", stream: true },
    });
    const events = await readEvents(response);
    expect(events.map(({ event }) => event)).toEqual(["snippets", "delta", "delta", "done"]);
    expect(joinDeltas(events)).toBe("At nine [1].");
    expect(events[0]?.data).toMatchObject([{ metadata: { documentUploadId: rules.id } }]);
    const done = events.at(-1)?.data as SentMessage;
    expect(done).toMatchObject({ message: "At nine [1].", isSystem: true });
    expect((await getChat(chat)).messages.at(-1)?.id).toBe(done.id);
  });

  test("that fails keeps the sent message", async () => {
    const chat = await createChat();
    model.say({ steps: ["At", new ProviderError("answer", "unreachable", "Gone.")] });
    const response = await send(`${server.url}/api/chat/${chat}/message`, {
      key,
      body: { message: "winter" },
      headers: { accept: "text/event-stream" },
    });
    const events = await readEvents(response);
    expect(events.at(-1)).toMatchObject({ event: "error", data: { status: 503, code: "model_unreachable" } });
    expect(await texts(chat)).toEqual(["winter"]);
  });

  test("whose reader goes away frees the conversation for the next message", async () => {
    const chat = await createChat();
    model.say({ steps: ["At nine", () => new Promise(() => {})] }, { steps: ["Later [1]."] });
    const gone = new AbortController();
    const response = await send(`${server.url}/api/chat/${chat}/message`, {
      key,
      body: { message: "winter", stream: true },
      signal: gone.signal,
    });
    await response.body?.getReader().read();
    gone.abort();
    expect((await say(chat, { message: "winter again" })).body.message).toBe("Later [1].");
    expect(await texts(chat)).toEqual(["winter", "winter again", "Later [1]."]);
  });
});

describe("failures", () => {
  test("of the model keep the sent message, and the next one goes on from it", async () => {
    const chat = await createChat();
    model.say({ steps: [new ProviderError("answer", "bad_answer", "It broke.")] }, { steps: ["At nine [1]."] });
    const failed = await call(`${server.url}/api/chat/${chat}/message`, { key, body: { message: "winter" } });
    expect(failed.status).toBe(502);
    expect({ ...withoutRequestId(failed.body), instance: "…" }).toMatchSnapshot();
    expect(await texts(chat)).toEqual(["winter"]);
    await say(chat, { message: "winter?" });
    expect(model.prompts.at(-1)?.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(await texts(chat)).toEqual(["winter", "winter?", "At nine [1]."]);
  });

  test.each([
    ["no message", {}],
    ["an empty one", { message: "" }],
    ["white space", { message: " \n " }],
    ["too long a one", { message: "x".repeat(8_001) }],
    ["a number", { message: 5 }],
    ["too long a userId", { message: "x", userId: "x".repeat(256) }],
    ["NUL in userId", { message: "x", userId: "a\0" }],
  ])("%s is a 400 and stores nothing", async (_name, body) => {
    const chat = await createChat();
    const refused = await call(`${server.url}/api/chat/${chat}/message`, { key, body });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe("invalid_request");
    expect(await texts(chat)).toEqual([]);
  });

  test("unknown chats and those of others are a 404", async () => {
    const chat = await createChat({ public: true });
    const foreign = await server.key({ organization: "other" });
    for (const path of ["message", "private", "public"]) {
      const unknown = await call(`${server.url}/api/chat/${Bun.randomUUIDv7()}/${path}`, {
        key,
        body: { message: "x" },
      });
      expect([unknown.status, unknown.body.code]).toEqual([404, "chat_not_found"]);
      const others = await call(`${server.url}/api/chat/${chat}/${path}`, { key: foreign, body: { message: "x" } });
      expect([others.status, others.body.code]).toEqual([404, "chat_not_found"]);
    }
  });

  test("a chat whose document or partition is gone is a 409, and can still be read", async () => {
    const tenant = { organizationId: await server.organization("default"), partitionId: null };
    const document = await server.document("In winter nothing happens.");
    const { partition } = await server.store.partitions.upsert(tenant, "Short-lived");
    const chats = [await createChat({ documentId: document.id }), await createChat({ partitionId: partition.id })];
    for (const chat of chats) await say(chat, { message: "winter" });
    await server.store.documents.remove(tenant, document.id);
    await server.store.partitions.remove(tenant, partition.id);
    for (const chat of chats) {
      const refused = await call(`${server.url}/api/chat/${chat}/message`, { key, body: { message: "still there?" } });
      expect({ ...withoutRequestId(refused.body), instance: "…" }).toMatchSnapshot();
      expect(await texts(chat)).not.toContain("still there?");
      expect((await getChat(chat)).messages.length).toBe(2);
    }
  });

  test("a document moved out of the chat's partition is a 409", async () => {
    const tenant = { organizationId: await server.organization("default"), partitionId: null };
    const { partition } = await server.store.partitions.upsert(tenant, "Moving");
    const document = await server.document("In winter it moves.", { partitionId: partition.id });
    const chat = await createChat({ documentId: document.id, partitionId: partition.id });
    await server.store.documents.relabel(tenant, document.id, { partitionId: null });
    const refused = await call(`${server.url}/api/chat/${chat}/message`, { key, body: { message: "x" } });
    expect([refused.status, refused.body.code]).toEqual([409, "chat_scope_gone"]);
  });

  test("a chat deleted while it answers leaves no message behind", async () => {
    await call(`${server.url}/api/chat/vanishing`, { key, method: "PUT", body: {} });
    const asked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const wait = () => {
      asked.resolve();
      return goOn.promise;
    };
    model.say({ steps: ["At ", wait, "nine"] });
    const answer = call(`${server.url}/api/chat/vanishing/message`, { key, body: { message: "winter" } });
    await asked.promise;
    expect((await call(`${server.url}/api/chat/vanishing`, { key, method: "DELETE" })).status).toBe(200);
    goOn.resolve();
    expect((await answer).body.code).toBe("chat_not_found");
    await call(`${server.url}/api/chat/vanishing`, { key, method: "PUT", body: {} });
    expect(await texts("vanishing")).toEqual([]);
  });

  test("a reader's key may send", async () => {
    const chat = await createChat();
    const reader = await server.key({ role: "reader" });
    expect(
      (await call(`${server.url}/api/chat/${chat}/private`, { key: reader, body: { message: "winter" } })).status,
    ).toBe(200);
  });
});
