import { beforeEach, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { ProviderError } from "../../providers/contract.ts";
import { sentMessageSchema } from "../../src/chats/schema.ts";
import {
  type ChatBody,
  type ChatWithMessages,
  call,
  readEvents,
  type SentMessage,
  send,
  withoutRequestId,
} from "../answers/client.ts";
import { createScriptedModel } from "../answers/scripted-model.ts";
import { serveQuestions } from "../answers/serve-questions.ts";

const model = createScriptedModel();
const server = await serveQuestions({ answerModel: model });
const key = await server.key({ userId: "anna" });
const rules = await server.document("In winter the reading room opens at nine.", { name: "House rules" });
await server.document("In winter the boats lie in the shed.", { name: "Boats" });
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

  test("is not the answer's to change what is oldest first", async () => {
    const chat = await createChat();
    for (const message of ["winter one", "winter two", "winter three"]) await say(chat, { message });
    const { messages } = await getChat(chat);
    expect(messages.map(({ isSystem }) => isSystem)).toEqual([false, true, false, true, false, true]);
    const times = messages.map(({ createdAt }) => Date.parse(createdAt));
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });
});

describe("streaming", () => {
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
});
