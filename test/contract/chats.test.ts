import { describe, expect, test } from "bun:test";
import { ProviderError } from "../../providers/contract.ts";
import { createScriptedModel } from "../answers/scripted-model.ts";
import { expectEventStream, expectOk, expectProblem, isoTime, nobody, uuidV7 } from "./expectations.ts";
import { type Answer, serveCarrel } from "./serve-carrel.ts";

/** Section 6 of the contract, for callers with a key: chats and messages. */

type Json = Answer["body"];

const carrel = await serveCarrel();
const call = carrel.call;
const winter = expectOk(
  await call("POST", "/api/ingest", {
    json: { name: "W", text: "In winter the museum opens at nine.", partition: "W" },
  }),
);
const summer = expectOk(
  await call("POST", "/api/ingest", {
    json: { name: "S", text: "In summer the museum opens at eight.", partition: "S" },
  }),
);

const make = async (json: object = {}): Promise<Json> => expectOk(await call("POST", "/api/chat", { json }));
const send = (id: string, json: object, path = "message"): Promise<Answer> =>
  call("POST", `/api/chat/${id}/${path}`, { json });
const read = async (id: string): Promise<Json> => expectOk(await call("GET", `/api/chat/${id}`));

describe("settings", () => {
  test("without any: private, named New chat, of the key's user", async () => {
    expect(await make()).toEqual({
      id: expect.stringMatching(uuidV7),
      createdAt: expect.stringMatching(isoTime),
      name: "New chat",
      userId: "admin",
      organizationId: winter.organizationId,
      documentId: null,
      partitionId: null,
      public: false,
      title: null,
      logoUrl: null,
      brandSettings: null,
    });
  });

  test("with every one", async () => {
    const given = {
      title: "Ask the house",
      documentId: winter.id,
      userId: "guest 7",
      logoUrl: "https://house.example/logo.svg",
      public: true,
      brandSettings: { colour: "#336699", nested: { deep: [1, null] } },
      name: "The house",
    };
    const made = await make(given);
    expect(made).toMatchObject(given);
    expect(await read(made.id)).toEqual({ ...made, messages: [] });
  });

  test("name may be given; it defaults to title, else to New chat until the first message gives its first words", async () => {
    expect((await make({ name: "Mine", title: "Title" })).name).toBe("Mine");
    expect((await make({ title: "Title" })).name).toBe("Title");
    const { id, name } = await make();
    expect(name).toBe("New chat");
    expectOk(await send(id, { message: "When does the museum open in winter?" }));
    expect((await read(id)).name).toBe("When does the museum open in winter?");
    expectOk(await send(id, { message: "And in summer?" }));
    expect((await read(id)).name).toBe("When does the museum open in winter?");
    const long = await make();
    expectOk(await send(long.id, { message: "museum ".repeat(100) }));
    expect((await read(long.id)).name.length).toBeLessThanOrEqual(255);
  });

  test("a chat without a name is named by its title once", async () => {
    const { id } = await make();
    for (const title of ["Titled", "Again"])
      expect(expectOk(await call("PUT", `/api/chat/${id}`, { json: { title } })).name).toBe("Titled");
  });

  test("a logo is taken by http or https alone", async () => {
    const { id, logoUrl: none } = await make({ logoUrl: "" });
    expect(none).toBeNull();
    for (const logoUrl of [
      "javascript:alert(1)",
      " javascript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "/l.png",
    ])
      for (const path of [`/api/chat/${id}`, "/api/chat"]) {
        const { errors } = expectProblem(
          await call("POST", path, { json: { title: "T", logoUrl } }),
          400,
          "invalid_request",
        );
        expect(errors[0].path).toBe("logoUrl");
      }
    expect(await read(id)).toMatchObject({ title: null, logoUrl: null });
  });
});

describe("scopes are checked as for questions", () => {
  test.each<[string, () => object, number, string]>([
    ["unknown document", () => ({ documentId: nobody }), 404, "document_not_found"],
    ["unknown partition", () => ({ partitionId: nobody }), 404, "partition_not_found"],
    ["contradictory", () => ({ documentId: winter.id, partitionId: summer.partitionId }), 400, "scope_conflict"],
  ])("%s, at creation and at a change", async (_name, json, status, code) => {
    const { id } = await make({ title: "Kept" });
    const before = await carrel.everything();
    expectProblem(await call("POST", "/api/chat", { json: json() }), status, code);
    for (const method of ["PUT", "POST"]) {
      expectProblem(await call(method, `/api/chat/${id}`, { json: { ...json(), title: "Changed" } }), status, code);
      expectProblem(await call(method, "/api/chat/not-made", { json: json() }), status, code);
    }
    expect(await carrel.everything()).toBe(before);
  });

  test("a change is checked with what it leaves", async () => {
    const { id } = await make({ documentId: winter.id });
    const { partitionId } = summer;
    expectProblem(await call("PUT", `/api/chat/${id}`, { json: { partitionId } }), 400, "scope_conflict");
    const json = { documentId: null, partitionId };
    expect(expectOk(await call("PUT", `/api/chat/${id}`, { json }))).toMatchObject(json);
  });

  test.each([["documentId"], ["partitionId"]] as const)(
    "a chat with %s is answered from there alone",
    async (field) => {
      for (const [document, hour] of [
        [winter, "nine"],
        [summer, "eight"],
      ] as const) {
        const { id } = await make({ [field]: field === "documentId" ? document.id : document.partitionId });
        const { message, sourceDocuments } = expectOk(await send(id, { message: "When does the museum open?" }));
        expect(message).toContain(`at ${hour}`);
        for (const { metadata } of sourceDocuments) expect(metadata.documentUploadId).toBe(document.id);
      }
    },
  );
});

describe.each(["PUT", "POST"])("%s /api/chat/:id", (method) => {
  test("changes what is given and leaves the rest", async () => {
    const { id } = await make({ title: "Old", logoUrl: "https://l.example", userId: "u", public: true });
    const changed = expectOk(
      await call(method, `/api/chat/${id}`, { json: { title: "New", brandSettings: { a: 1 } } }),
    );
    expect(changed).toMatchObject({
      id,
      title: "New",
      logoUrl: "https://l.example",
      userId: "u",
      public: true,
      brandSettings: { a: 1 },
    });
    expect(expectOk(await call(method, `/api/chat/${id}`, {}))).toEqual(changed);
    const { messages, ...stored } = await read(id);
    expect([stored, messages]).toEqual([changed, []]);
    expect(
      expectOk(
        await call(method, `/api/chat/${id}`, { json: { logoUrl: null, public: false, documentId: winter.id } }),
      ),
    ).toMatchObject({ logoUrl: null, public: false, documentId: winter.id });
    expect(expectOk(await call(method, `/api/chat/${id}`, { json: { documentId: null } })).documentId).toBeNull();
  });

  test.each(["a", "A-b_9", "x".repeat(64), "0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d24"])(
    "creates one with the id %s",
    async (name) => {
      const id = `${name.slice(0, 63)}${method === "PUT" ? "p" : "q"}`;
      expect(expectOk(await call(method, `/api/chat/${id}`, { json: { title: "T" } }))).toMatchObject({
        id,
        title: "T",
        name: "T",
      });
      expectOk(await send(id, { message: "museum" }));
      expect((await read(id)).messages).toHaveLength(2);
      expectOk(await call("DELETE", `/api/chat/${id}`));
    },
  );

  test.each(["x".repeat(65), "a b", "a.b", "ä", "a%2Fb", "a'b"])("no chat can have the id %s: 404", async (id) => {
    const before = await carrel.everything();
    const path = `/api/chat/${id.includes("%") ? id : encodeURIComponent(id)}`;
    expectProblem(await call(method, path, { json: { title: "T" } }), 404, "chat_not_found");
    expect(await carrel.everything()).toBe(before);
  });

  test("an id that another organization holds is a 404 and nothing changes", async () => {
    const key = await carrel.foreignKey("other");
    const id = `theirs-${method}`;
    const theirs = expectOk(await call("PUT", `/api/chat/${id}`, { key, json: { title: "Theirs" } }));
    const before = await carrel.everything();
    expectProblem(
      await call(method, `/api/chat/${id}`, { json: { title: "Mine", public: true } }),
      404,
      "chat_not_found",
    );
    expect(await carrel.everything()).toBe(before);
    const { messages: _messages, ...now } = expectOk(await call("GET", `/api/chat/${id}`, { key }));
    expect(now).toEqual(theirs);
  });

  test("many at once make one chat", async () => {
    const id = `race-${method}`;
    const made = await Promise.all(
      Array.from({ length: 6 }, () => call(method, `/api/chat/${id}`, { json: { title: "R" } })),
    );
    for (const answer of made) expect(expectOk(answer).id).toBe(id);
    expect(expectOk(await call("GET", "/api/chat?limit=100")).filter((chat: Json) => chat.id === id)).toHaveLength(1);
  });
});

describe("messages", () => {
  test("a follow-up is understood from the turns before it, of the same user alone", async () => {
    // Two documents hold the words of the follow-up: only the turns before it say which of them is meant.
    const texts = ["In winter the tower closes at noon.", "In winter the harbour closes at dusk."];
    const made: Json[] = [];
    for (const text of texts)
      made.push(expectOk(await call("POST", "/api/ingest", { json: { name: text, text, partition: "Closing" } })));
    const { id } = await make({ partitionId: made[0].partitionId });
    const askAs = async (userId: string, message: string) => expectOk(await send(id, { message, userId })).message;
    for (const [userId, topic, answer] of [
      ["a", "tower", "noon"],
      ["b", "harbour", "dusk"],
    ] as const) {
      await askAs(userId, `When does the ${topic} close?`);
      const [best] = (await askAs(userId, "And in winter?")).split("\n");
      expect(best).toContain(answer);
    }
    for (const document of made) expectOk(await call("DELETE", `/api/document/${document.id}`));
  });

  test("two users keep separate conversations", async () => {
    const { id } = await make();
    for (const userId of ["a", "b"]) expectOk(await send(id, { message: `museum winter ${userId}`, userId }));
    const of = async (userId: string) =>
      expectOk(await call("GET", `/api/chat/${id}?userId=${userId}`)).messages.map((message: Json) => message.userId);
    expect(await of("a")).toEqual(["a", "a"]);
    expect((await read(id)).messages).toHaveLength(4);
    expect(await of("nobody")).toEqual([]);
  });

  test("streams as questions do; done is the answer's Message", async () => {
    const { id } = await make();
    const asked = [
      await call("POST", `/api/chat/${id}/message`, {
        json: { message: "When does the museum open in winter?" },
        headers: { accept: "text/event-stream" },
      }),
      await send(id, { message: "When does the museum open in winter?", stream: true }, "private"),
    ];
    for (const answer of asked) {
      const events = expectEventStream(answer);
      expect([events[0]?.event, events.at(-1)?.event]).toEqual(["snippets", "done"]);
      expect(events.at(-1)?.data).toMatchObject({ isSystem: true, chatId: id });
      const text = events
        .filter(({ event }) => event === "delta")
        .map(({ data }) => data.text)
        .join("");
      expect(text.trim()).toBe(events.at(-1)?.data.message.trim());
      expect(events[0]?.data[0].metadata.documentUploadId).toMatch(uuidV7);
    }
    expect((await read(id)).messages).toHaveLength(4);
  });

  test("nothing relevant is said and stored", async () => {
    const { id } = await make();
    const answer = expectOk(await send(id, { message: "What is the airspeed of an unladen swallow?" }));
    expect(answer.message).toMatch(/documents do not hold/);
    expect(answer.sourceDocuments).toEqual([]);
    expect((await read(id)).messages).toHaveLength(2);
  });

  test("sent at once they are all stored and answered", async () => {
    const { id } = await make();
    await Promise.all(
      Array.from({ length: 5 }, (_, at) => send(id, { message: `museum winter ${at}` }).then(expectOk)),
    );
    const { messages } = await read(id);
    expect(messages.map(({ isSystem }: Json) => isSystem)).toEqual(Array.from({ length: 10 }, (_, at) => at % 2 === 1));
  });

  test("a refused message stores nothing", async () => {
    const { id } = await make();
    for (const json of [
      {},
      { message: "" },
      { message: " \n" },
      { message: 5 },
      { message: "x".repeat(8_001) },
      { message: "m", userId: 5 },
    ])
      for (const path of ["message", "private", "public"])
        expectProblem(await send(id, json, path), 400, "invalid_request");
    expect((await read(id)).messages).toEqual([]);
    for (const path of ["message", "private", "public"])
      expectProblem(await send(nobody, { message: "m" }, path), 404, "chat_not_found");
  });
});

describe("when the scope is gone", () => {
  test.each(["document", "partition"])(
    "of a deleted %s: sending is a 409 with that reason, reading goes on",
    async (what) => {
      const document = expectOk(
        await call("POST", "/api/ingest", {
          json: { name: "G", text: "The lighthouse is red.", partition: `Gone ${what}` },
        }),
      );
      const { id } = await make(
        what === "document" ? { documentId: document.id } : { partitionId: document.partitionId },
      );
      expectOk(await send(id, { message: "What colour is the lighthouse?" }));
      expectOk(
        await call(
          "DELETE",
          what === "document" ? `/document/${document.id}` : `/api/partition/${document.partitionId}?documents=delete`,
        ),
      );
      for (const path of ["message", "private", "public"]) {
        const { detail } = expectProblem(await send(id, { message: "And now?" }, path), 409, "chat_scope_gone");
        expect(detail).toContain(what);
      }
      expect((await read(id)).messages).toHaveLength(2);
      expect(expectOk(await call("GET", "/api/chat?limit=1"))[0].id).toBe(id);
    },
  );
});

describe("deleting a chat", () => {
  test("deletes its messages: one made anew with its id has none", async () => {
    const id = "phoenix";
    expectOk(await call("PUT", `/api/chat/${id}`, {}));
    expectOk(await send(id, { message: "museum winter" }));
    expect(expectOk(await call("DELETE", `/chat/${id}`))).toEqual({ id, deleted: true });
    expectProblem(await call("GET", `/api/chat/${id}`), 404, "chat_not_found");
    expectProblem(await send(id, { message: "museum" }), 404, "chat_not_found");
    expectOk(await call("PUT", `/api/chat/${id}`, {}));
    expect((await read(id)).messages).toEqual([]);
  });
});

const model = createScriptedModel();
const written = await serveCarrel({ parts: { answerModel: model } });
expectOk(
  await written.call("POST", "/api/ingest", { json: { name: "W", text: "In winter the museum opens at nine." } }),
);

describe("with a model", () => {
  test.each([
    ["bad_answer", 502, "model_failed"],
    ["unreachable", 503, "model_unreachable"],
  ] as const)("if it fails (%s), the sent message stays stored and the error says so", async (kind, status, code) => {
    const { id } = expectOk(await written.call("POST", "/api/chat", {}));
    model.say({ steps: [new ProviderError("answer", kind, "the model server is not well")] });
    const answer = await written.call("POST", `/api/chat/${id}/message`, {
      json: { message: "When does the museum open?" },
    });
    expect(expectProblem(answer, status, code).detail).toBe(
      "the model server is not well. The sent message is stored.",
    );
    const { messages } = expectOk(await written.call("GET", `/api/chat/${id}`));
    expect(messages.map(({ message }: Json) => message)).toEqual(["When does the museum open?"]);
  });

  test.each([false, true])("a visitor is not told which model failed and why (streamed: %p)", async (stream) => {
    const { id } = expectOk(await written.call("POST", "/api/chat", { json: { public: true } }));
    model.say({ steps: [new ProviderError("answer", "bad_answer", "http://10.0.0.5:11434 answered 500")] });
    const json = { message: "When does the museum open?", stream };
    const answer = await written.call("POST", `/api/chat/${id}/public`, { key: null, json });
    const problem = stream
      ? JSON.parse(answer.text.split("event: error\ndata: ")[1] ?? "null")
      : expectProblem(answer, 502, "model_failed");
    expect(problem).toMatchObject({
      status: 502,
      code: "model_failed",
      detail:
        "The model that writes the answers is not working at the moment: ask again later. The sent message is stored.",
    });
    const token = answer.headers.get("x-visitor-token") ?? "";
    const seen = await written.call("GET", `/api/chat/${id}`, { key: null, headers: { "x-visitor-token": token } });
    expect(expectOk(seen).messages.map(({ isSystem }: Json) => isSystem)).toEqual([false]);
  });
});
