import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { until } from "../until.ts";
import { expectOk, expectProblem, isoTime, nobody, uuidV7 } from "./expectations.ts";
import { type Answer, type Carrel, serveCarrel } from "./serve-carrel.ts";

/** Section 1 of the contract: who calls. */

let carrel: Carrel;
let call: Carrel["call"];
let document: Answer["body"];
let elsewhere: Answer["body"];
let chat: Answer["body"];

beforeAll(async () => {
  carrel = await serveCarrel();
  call = carrel.call;
  const ingest = (json: object) => call("POST", "/api/ingest", { json });
  document = expectOk(await ingest({ name: "Inside", text: "The lantern hangs inside.", partition: "Inside" }));
  elsewhere = expectOk(
    await ingest({ name: "Elsewhere", text: "The lantern hangs elsewhere.", partition: "Elsewhere" }),
  );
  chat = expectOk(await call("POST", "/api/chat", { json: { title: "T" } }));
});

afterAll(() => carrel.stop());

const issue = async (json: object, key?: string) =>
  call("POST", "/api/key", { json: { name: "k", ...json }, ...(key === undefined ? {} : { key }) });

describe("issuing, listing and revoking", () => {
  test("POST /api/key answers the record plus the key, which is crl_ and 43 characters of base62", async () => {
    const before = Date.now();
    const expiresAt = new Date(before + 3_600_000).toISOString();
    const json = { role: "writer", userId: "u", partitionId: document.partitionId, expiresAt };
    const { key, ...record } = expectOk(await issue(json));
    expect(key).toMatch(/^crl_[0-9A-Za-z]{43}$/);
    expect(record).toMatchObject({ name: "k", ...json, organizationId: document.organizationId });
    expect(record.id).toMatch(uuidV7);
    expect(record.createdAt).toMatch(isoTime);
  });

  test("role is reader by default, the rest null or the caller's", async () => {
    expect(expectOk(await issue({}))).toMatchObject({
      role: "reader",
      userId: "admin",
      partitionId: null,
      expiresAt: null,
    });
  });

  test("GET /api/key lists records without secret, newest first, with X-Total-Count", async () => {
    const { id } = expectOk(await issue({ name: "newest" }));
    const list = await call("GET", "/api/key");
    expect(expectOk(list)[0]).toMatchObject({ id, name: "newest" });
    expect(list.headers.get("x-total-count")).toBe(String(list.body.length));
    expect(list.text).not.toMatch(/crl_|"hash"|"key":/);
    expect(expectOk(await call("GET", "/api/key?limit=1&skip=1"))).toEqual([list.body[1]]);
  });

  test("DELETE /api/key/:id revokes at once", async () => {
    const { id, key } = expectOk(await issue({}));
    expectOk(await call("GET", "/api/document", { key }));
    expect(expectOk(await call("DELETE", `/api/key/${id}`))).toEqual({ id, deleted: true });
    expectProblem(await call("GET", "/api/document", { key }), 401, "key_unknown");
    expectProblem(await call("DELETE", `/api/key/${id}`), 404, "key_not_found");
  });

  test("an expired key is a 401", async () => {
    for (let lifeMs = 600; ; lifeMs *= 2) {
      const expiresAt = Date.now() + lifeMs;
      const issued = await issue({ expiresAt: new Date(expiresAt).toISOString() });
      const { key } = issued.body;
      const before = issued.status === 200 ? await call("GET", "/api/document", { key }) : issued;
      // Nothing is said by a key that a slow machine used too late: the next one lives longer.
      if (Date.now() >= expiresAt) continue;
      expectOk(before);
      await until(() => Date.now() > expiresAt);
      expectProblem(await call("GET", "/api/document", { key }), 401, "key_expired");
      return;
    }
  });

  test.each<[string, object, number, string]>([
    ["no name", { name: undefined }, 400, "invalid_request"],
    ["a blank name", { name: " " }, 400, "invalid_request"],
    ["a name of 256 characters", { name: "n".repeat(256) }, 400, "invalid_request"],
    ["a role there is not", { role: "root" }, 400, "invalid_request"],
    ["a userId of 256 characters", { userId: "u".repeat(256) }, 400, "invalid_request"],
    ["an expiry in the past", { expiresAt: "2020-01-01T00:00:00.000Z" }, 400, "invalid_request"],
    ["an expiry that is no time", { expiresAt: "soon" }, 400, "invalid_request"],
    ["an expiry without time zone", { expiresAt: "2099-01-01T00:00:00" }, 400, "invalid_request"],
    ["31 February", { expiresAt: "2099-02-31T00:00:00Z" }, 400, "invalid_request"],
    ["a partition there is not", { partitionId: nobody }, 404, "partition_not_found"],
  ])("%s is refused and issues nothing", async (_name, json, status, code) => {
    const before = await carrel.everything();
    expectProblem(await issue(json), status, code);
    expect(await carrel.everything()).toBe(before);
  });
});

describe("roles", () => {
  const lists: [string, string, object?][] = [
    ["GET", "/api/document"],
    ["GET", "/api/document/:document"],
    ["GET", "/api/document/:document/text"],
    ["GET", "/api/chat"],
    ["GET", "/api/chat/:chat"],
    ["GET", "/api/partition"],
    ["GET", "/api/partition/:partition"],
    ["GET", "/api/partition/search?searchValue=i"],
    ["POST", "/api/query", { query: "lantern" }],
    ["POST", "/api/search", { query: "lantern" }],
    ["POST", "/api/chat/:chat/private", { message: "lantern" }],
    ["POST", "/api/chat/:chat/message", { message: "lantern" }],
  ];
  const writes: [string, string, object?][] = [
    ["POST", "/api/ingest", { name: "W", text: "written" }],
    ["PUT", "/api/document/:document", { metadata: { a: 1 } }],
    ["POST", "/api/chat", {}],
    ["PUT", "/api/chat/:chat", { title: "W" }],
    ["POST", "/api/chat/:chat", { title: "W" }],
    ["POST", "/api/partition", { name: "Written" }],
    ["PUT", "/api/partition/:partition", { name: "Inside" }],
  ];
  const removals: [string, string][] = [
    ["DELETE", "/api/document/:document"],
    ["DELETE", "/document/:document"],
    ["DELETE", "/api/chat/:chat"],
    ["DELETE", "/chat/:chat"],
    ["DELETE", "/api/partition/:partition"],
    ["POST", "/api/document/:document/retry"],
    ["POST", "/api/document/:document/cancel"],
    ["POST", "/api/ingest/batch"],
  ];
  const administration: [string, string, object?][] = [
    ["POST", "/api/key", { name: "made by an admin" }],
    ["GET", "/api/key"],
    ["GET", "/metrics"],
  ];
  const whole = (path: string) =>
    path.replace(":document", document.id).replace(":chat", chat.id).replace(":partition", document.partitionId);
  const ask = (key: string, [method, path, json]: [string, string, object?]) =>
    call(method, whole(path), { key, ...(json === undefined ? {} : { json }) });

  test("a reader lists, gets, asks and sends messages, and is refused the rest with 403", async () => {
    const key = await carrel.key({ role: "reader" });
    for (const operation of lists) expect((await ask(key, operation)).status, operation.join(" ")).toBe(200);
    const before = await carrel.everything();
    for (const operation of [...writes, ...removals, ...administration])
      expectProblem(await ask(key, operation), 403, "role_forbidden");
    expect(await carrel.everything()).toBe(before);
  });

  test("a writer also ingests, updates, deletes, makes chats and partitions; keys are not for it", async () => {
    const key = await carrel.key({ role: "writer" });
    for (const operation of [...lists, ...writes])
      expect((await ask(key, operation)).status, operation.join(" ")).toBe(200);
    const { body } = await call("POST", "/api/ingest", { key, json: { name: "gone", text: "soon gone" } });
    expectOk(await call("DELETE", `/api/document/${body.id}`, { key }));
    for (const operation of administration) expectProblem(await ask(key, operation), 403, "role_forbidden");
    expectProblem(await call("DELETE", `/api/key/${nobody}`, { key }), 403, "role_forbidden");
  });

  test("an admin also manages keys", async () => {
    const key = await carrel.key({ role: "admin" });
    for (const operation of [...lists, ...writes, ...administration])
      expect((await ask(key, operation)).status, operation.join(" ")).toBe(200);
  });
});

describe("a key limited to one partition", () => {
  let key: string;
  let other: Answer["body"];

  beforeAll(async () => {
    key = await carrel.key({ role: "admin", partitionId: document.partitionId });
    other = expectOk(await call("POST", "/api/chat", { json: { partitionId: elsewhere.partitionId } }));
  });

  test.each<[string, string, object | null]>([
    ["GET", "/api/document/:document", null],
    ["GET", "/api/document/:document/text", null],
    ["GET", "/api/document/:document/file", null],
    ["GET", "/api/document/:document/events", null],
    ["PUT", "/api/document/:document", { name: "taken" }],
    ["DELETE", "/document/:document", null],
    ["POST", "/api/document/:document/retry", null],
    ["POST", "/api/query", { query: "lantern", documentId: ":document" }],
    ["POST", "/api/query", { query: "lantern", partitionId: ":partition" }],
    ["POST", "/api/ingest", { name: "N", text: "t", partitionId: ":partition" }],
    ["POST", "/api/ingest", { name: "N", text: "t", partition: "Elsewhere" }],
    ["GET", "/api/document?partitionId=:partition", null],
    ["GET", "/api/partition/:partition", null],
    ["PUT", "/api/partition/:partition", { name: "taken" }],
    ["DELETE", "/api/partition/:partition?documents=delete", null],
    ["POST", "/api/chat", { partitionId: ":partition" }],
    ["POST", "/api/chat", { documentId: ":document" }],
    ["GET", "/api/chat/:chat", null],
    ["PUT", "/api/chat/:chat", { title: "taken" }],
    ["POST", "/api/chat/:chat/private", { message: "lantern" }],
    ["DELETE", "/api/chat/:chat", null],
    ["POST", "/api/key", { name: "wider", partitionId: ":partition" }],
  ])("%s %s %o elsewhere is 404 and changes nothing", async (method, path, json) => {
    const before = await carrel.everything();
    const fill = (text: string) =>
      text.replace(":document", elsewhere.id).replace(":partition", elsewhere.partitionId).replace(":chat", other.id);
    const body = json === null ? {} : { json: JSON.parse(fill(JSON.stringify(json))) };
    expect((await call(method, fill(path), { key, ...body })).status).toBe(404);
    expect(await carrel.everything()).toBe(before);
  });

  test("lists and questions are narrowed to it", async () => {
    const documents = expectOk(await call("GET", "/api/document", { key }));
    for (const { partitionId } of documents) expect(partitionId).toBe(document.partitionId);
    expect(expectOk(await call("GET", "/api/partition", { key })).map(({ id }: { id: string }) => id)).toEqual([
      document.partitionId,
    ]);
    expect(expectOk(await call("GET", "/api/chat", { key }))).toEqual([]);
    const { relevantDocuments } = expectOk(await call("POST", "/api/query", { key, json: { query: "lantern" } }));
    expect(relevantDocuments.map(({ id }: { id: string }) => id)).toEqual([document.id]);
    for (const { partitionId } of expectOk(await call("GET", "/api/key", { key })))
      expect(partitionId).toBe(document.partitionId);
  });

  test("an ingest that names no partition lands in it", async () => {
    const made = expectOk(await call("POST", "/api/ingest", { key, json: { name: "N", text: "lands inside" } }));
    expect(made.partitionId).toBe(document.partitionId);
    expectOk(await call("DELETE", `/api/document/${made.id}`));
  });

  test.each([null, ""])("%p names its own partition", async (partitionId) => {
    const json = { partitionId, public: true };
    const made = expectOk(await call("POST", "/api/chat", { key, json }));
    expect(made).toMatchObject({ partitionId: document.partitionId, documentId: null });
    const changed = expectOk(await call("PUT", `/api/chat/${made.id}`, { key, json: { documentId: null, ...json } }));
    expect(changed.partitionId).toBe(document.partitionId);
    const put = expectOk(await call("PUT", `/api/chat/by-limited-${partitionId}`, { key, json }));
    expect(put.partitionId).toBe(document.partitionId);
    const answer = await call("POST", `/api/chat/${made.id}/message`, {
      key: null,
      json: { message: "lantern of elsewhere" },
    });
    expect(answer.text).not.toContain("hangs elsewhere");
    for (const { id } of [made, put]) expectOk(await call("DELETE", `/api/chat/${id}`));
  });

  test("`/metrics` takes a key that is not limited", async () => {
    expectProblem(await call("GET", "/metrics", { key }), 403, "key_limited");
  });

  test("it issues no wider key, and reaches no key outside", async () => {
    const made = expectOk(await issue({ role: "admin" }, key));
    expect(made.partitionId).toBe(document.partitionId);
    const wide = expectOk(await issue({}));
    expectProblem(await call("DELETE", `/api/key/${wide.id}`, { key }), 404, "key_not_found");
    expectOk(await call("DELETE", `/api/key/${made.id}`, { key }));
  });

  test("it cannot take a document out of the partition", async () => {
    const path = `/api/document/${document.id}`;
    for (const partitionId of [null, ""]) {
      const kept = expectOk(await call("PUT", path, { key, json: { partitionId } }));
      expect(kept.partitionId).toBe(document.partitionId);
    }
    expectProblem(
      await call("PUT", path, { key, json: { partitionId: elsewhere.partitionId } }),
      404,
      "partition_not_found",
    );
    expect((await call("DELETE", `/api/partition/${document.partitionId}?documents=detach`, { key })).status).toBe(403);
    expect(expectOk(await call("GET", path)).partitionId).toBe(document.partitionId);
  });
});

describe("another organization", () => {
  test("its records are 404, exactly as ones that do not exist", async () => {
    const key = await carrel.foreignKey("Acme & Söhne");
    const [theirKey] = expectOk(await call("GET", "/api/key", { key }));
    expect(expectOk(await call("GET", "/api/document", { key }))).toEqual([]);
    const before = await carrel.everything();
    const operations: [string, string, object?][] = [
      ["GET", "/api/document/:document"],
      ["PUT", "/api/document/:document", { text: "stolen" }],
      ["DELETE", "/api/document/:document"],
      ["GET", "/api/document/:document/text"],
      ["GET", "/api/chat/:chat"],
      ["PUT", "/api/chat/:chat", { public: true }],
      ["POST", "/api/chat/:chat/message", { message: "hello" }],
      ["DELETE", "/chat/:chat"],
      ["GET", "/api/partition/:partition"],
      ["PUT", "/api/partition/:partition", { name: "stolen" }],
      ["DELETE", "/api/partition/:partition?documents=delete"],
      ["POST", "/api/query", { query: "lantern", documentId: ":document" }],
      ["POST", "/api/chat", { partitionId: ":partition" }],
      ["POST", "/api/ingest", { name: "N", text: "t", partitionId: ":partition" }],
    ];
    for (const [method, path, json] of operations) {
      const ask = (ids: Record<string, string>) => {
        const fill = (text: string) =>
          Object.entries(ids).reduce((filled, [name, id]) => filled.replace(name, id), text);
        const body = json === undefined ? {} : { json: JSON.parse(fill(JSON.stringify(json))) };
        return call(method, fill(path), { key, ...body });
      };
      const theirs = await ask({ ":document": document.id, ":chat": chat.id, ":partition": document.partitionId });
      expect(theirs.status, `${method} ${path}`).toBe(404);
      // A chat that does not exist would be made.
      if (method === "PUT" && path === "/api/chat/:chat") continue;
      const nobodys = await ask({ ":document": nobody, ":chat": nobody, ":partition": nobody });
      for (const each of ["status", "code", "detail", "title"] as const)
        expect(theirs.body[each]).toEqual(nobodys.body[each]);
    }
    expect(await carrel.everything()).toBe(before);
    expectProblem(await call("DELETE", `/api/key/${theirKey.id}`), 404, "key_not_found");
  });

  test("partitions of the same name are two; questions find nothing of the other's", async () => {
    const key = await carrel.foreignKey("Beta");
    const json = { name: "B", text: "The lantern of Beta.", partition: "Inside" };
    const theirs = expectOk(await call("POST", "/api/ingest", { key, json }));
    expect(theirs.partitionId).not.toBe(document.partitionId);
    const { relevantDocuments } = expectOk(await call("POST", "/api/query", { key, json: { query: "lantern" } }));
    expect(relevantDocuments.map(({ id }: { id: string }) => id)).toEqual([theirs.id]);
    const ours = expectOk(await call("POST", "/api/query", { json: { query: "lantern of Beta" } }));
    expect(JSON.stringify(ours)).not.toContain(theirs.id);
  });
});
