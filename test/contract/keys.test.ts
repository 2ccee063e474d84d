import { describe, expect, test } from "bun:test";
import { until } from "../until.ts";
import { expectOk, expectProblem, isoTime, nobody, uuidV7 } from "./expectations.ts";
import { serveCarrel } from "./serve-carrel.ts";

/** Section 1 of the contract: keys. What each may do and see stands in key-matrix.test.ts. */

const carrel = await serveCarrel();
const call = carrel.call;
const json = { name: "Inside", text: "The lantern hangs inside.", partition: "Inside" };
const document = expectOk(await call("POST", "/api/ingest", { json }));

const issue = async (json: object, key?: string) =>
  call("POST", "/api/key", { json: { name: "k", ...json }, ...(key === undefined ? {} : { key }) });

describe("issuing, listing and revoking", () => {
  test("POST /api/key answers the record plus the key, which is crl_ and 43 characters of base62", async () => {
    const { partitionId, organizationId } = document;
    const json = {
      name: " Website ",
      role: "writer",
      userId: "web",
      partitionId,
      expiresAt: "2099-01-31T10:00:00+02:00",
    };
    const { key, ...record } = expectOk(await issue(json));
    expect(key).toMatch(/^crl_[0-9A-Za-z]{43}$/);
    expect(record).toEqual({
      ...json,
      id: expect.stringMatching(uuidV7),
      name: "Website",
      organizationId,
      createdAt: expect.stringMatching(isoTime),
      expiresAt: "2099-01-31T08:00:00.000Z",
      requestsPerMinute: null,
      tokensPerDay: null,
      maxDocuments: null,
      maxBytes: null,
    });
    expectOk(await call("GET", "/api/document", { key }));
  });

  test("role is reader by default, the rest null or the caller's", async () => {
    const plain = { role: "reader", userId: "admin", partitionId: null, expiresAt: null };
    expect(expectOk(await issue({}))).toMatchObject(plain);
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

test("the key identifies user and organization", async () => {
  const key = await carrel.key({ role: "writer", userId: "Grace" });
  const made = expectOk(await call("POST", "/api/ingest", { key, json: { name: "G", text: "of Grace" } }));
  const chat = expectOk(await call("POST", "/api/chat", { key }));
  const sent = expectOk(await call("POST", `/api/chat/${chat.id}/private`, { key, json: { message: "Grace" } }));
  expect([made.addedByUserId, chat.userId, sent.userId]).toEqual(["Grace", "Grace", "Grace"]);
  expect(chat.organizationId).toBe(made.organizationId);
});
