import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKey, hashKey, isKey } from "../../src/access/key.ts";
import { readTime } from "../../src/domain/times.ts";
import { createKey, type NewKey } from "../../src/keys/keys.ts";
import { answerOf, codeOf, startApp } from "../http/start-app.ts";

let app: Awaited<ReturnType<typeof startApp>>;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

interface IssuedKey {
  id: string;
  key: string;
}
const issue = async (json: object, key: string | null = app.keys.admin): Promise<IssuedKey> => {
  const response = await app.call("POST", "/api/key", { key, json });
  expect(response.status).toBe(200);
  return (await response.json()) as IssuedKey;
};
const statusWith = async (key: string, path = "/api/partition") => (await app.call("GET", path, { key })).status;
const listed = async (key: string): Promise<string[]> =>
  ((await (await app.call("GET", "/api/key?limit=100", { key })).json()) as IssuedKey[]).map(({ id }) => id);
const newKey = (change: Partial<NewKey>): NewKey => ({
  name: "x",
  role: "reader",
  userId: "u",
  partitionId: null,
  expiresAt: null,
  ...change,
});

describe("the key itself", () => {
  test("has 43 digits of base62, and no two are alike", () => {
    const keys = Array.from({ length: 500 }, generateKey);
    for (const key of keys) expect(isKey(key)).toBe(true);
    expect(new Set(keys).size).toBe(500);
    expect(new Set(keys.join("").slice(4)).size).toBe(63);
  });

  test("is stored as its SHA-256 alone", async () => {
    const { key } = await issue({ name: "secret" });
    expect(app.store.keys.getByHash(hashKey(key))).toMatchObject({ name: "secret", hash: hashKey(key) });
    expect(hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

describe("issuing", () => {
  test("answers the record with the key, this once", async () => {
    const response = await app.call("POST", "/api/key", {
      json: { name: " Website ", role: "writer", userId: "web", expiresAt: "2099-01-31T10:00:00+02:00" },
    });
    const body = (await response.json()) as Record<string, unknown>;
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Website",
      role: "writer",
      organizationId: app.organizationId,
      userId: "web",
      partitionId: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expiresAt: "2099-01-31T08:00:00.000Z",
      key: expect.stringMatching(/^crl_[0-9A-Za-z]{43}$/),
      requestsPerMinute: null,
      tokensPerDay: null,
      maxDocuments: null,
      maxBytes: null,
    });
    const { key, ...record } = body;
    expect(await (await app.call("GET", "/api/key?limit=1")).json()).toEqual([record]);
    expect(await statusWith(String(key))).toBe(200);
  });

  test("a reader of the caller's user unless told otherwise", async () => {
    expect(await issue({ name: "plain" })).toMatchObject({ role: "reader", userId: "admin-user", expiresAt: null });
  });

  test("bad input issues nothing", async () => {
    const before = (await listed(app.keys.admin)).length;
    for (const json of [
      {},
      { name: "" },
      { name: "x".repeat(300) },
      { name: "x", role: "owner" },
      { name: "x", userId: 5 },
      { name: "x", expiresAt: "tomorrow" },
      { name: "x", expiresAt: "2026-02-31T00:00:00Z" },
      { name: "x", expiresAt: "2020-01-01T00:00:00Z" },
      { name: "a\u0000b" },
    ]) {
      const { status, body } = await answerOf(await app.call("POST", "/api/key", { json }));
      expect([status, (body as { code: string }).code]).toEqual([400, "invalid_request"]);
    }
    const missing = await app.call("POST", "/api/key", { json: { name: "x", partitionId: Bun.randomUUIDv7() } });
    expect(await codeOf(missing)).toEqual([404, "partition_not_found"]);
    expect(await listed(app.keys.admin)).toHaveLength(before);
  });

  test("is for admins", async () => {
    for (const key of [app.keys.reader, app.keys.writer]) {
      expect((await app.call("POST", "/api/key", { key, json: { name: "x" } })).status).toBe(403);
      expect(await statusWith(key, "/api/key")).toBe(403);
    }
  });
});

describe("expiry", () => {
  test("ends a key at its time", async () => {
    const tenant = { organizationId: app.organizationId, partitionId: null };
    const { key, record } = await createKey(app.store, tenant, newKey({ expiresAt: Date.now() + 100_000 }));
    expect(await statusWith(key)).toBe(200);
    record.expiresAt = Date.now() - 1;
    await app.store.keys.change(record);
    const response = await app.call("GET", "/api/partition", { key });
    expect([response.headers.get("www-authenticate"), ...(await codeOf(response))]).toEqual([
      "Bearer",
      401,
      "key_expired",
    ]);
  });

  test("is read as ISO 8601 with time zone and nothing else", () => {
    expect(readTime("expiresAt", "2027-01-31T00:00Z")).toBe(Date.UTC(2027, 0, 31));
    expect(readTime("expiresAt", "2027-01-31T00:00:00.5+01:00")).toBe(Date.UTC(2027, 0, 30, 23, 0, 0, 500));
    for (const text of ["2027-01-31", "2027-01-31T00:00:00", "31.1.2027", "", "2027-13-01T00:00:00Z", "0"]) {
      expect(() => readTime("expiresAt", text)).toThrow("expiresAt");
    }
  });
});

describe("revoking", () => {
  test("holds from the next request on", async () => {
    const { id, key } = await issue({ name: "short" });
    expect(await statusWith(key)).toBe(200);
    expect(await (await app.call("DELETE", `/api/key/${id}`)).json()).toEqual({ id, deleted: true });
    expect(await statusWith(key)).toBe(401);
    expect((await app.call("DELETE", `/api/key/${id}`)).status).toBe(404);
    expect((await app.call("DELETE", "/api/key/nothing")).status).toBe(404);
  });

  test("does not reach another organization", async () => {
    const other = await app.issue("other", "admin");
    const { id, key } = await issue({ name: "ours" });
    expect((await app.call("DELETE", `/api/key/${id}`, { key: other })).status).toBe(404);
    expect(await statusWith(key)).toBe(200);
    expect(await listed(other)).not.toContain(id);
  });
});

describe("a key limited to a partition", () => {
  const limited = async () => {
    const partition = (await (
      await app.call("POST", "/api/partition", { json: { name: `p${Math.random()}` } })
    ).json()) as {
      id: string;
    };
    const admin = await issue({ name: "limited", role: "admin", partitionId: partition.id });
    return { partition, admin };
  };

  test("issues keys of its own partition alone", async () => {
    const { partition, admin } = await limited();
    const other = await limited();
    expect(await issue({ name: "narrowed" }, admin.key)).toMatchObject({ partitionId: partition.id });
    expect(await issue({ name: "same", partitionId: partition.id }, admin.key)).toMatchObject({
      partitionId: partition.id,
    });
    const wider = await app.call("POST", "/api/key", {
      key: admin.key,
      json: { name: "x", partitionId: other.partition.id },
    });
    expect(await codeOf(wider)).toEqual([404, "partition_not_found"]);
  });

  test("sees and revokes keys of its own partition alone", async () => {
    const { admin } = await limited();
    const wide = await issue({ name: "wide" });
    const narrow = await issue({ name: "narrow" }, admin.key);
    expect((await listed(admin.key)).toSorted()).toEqual([admin.id, narrow.id].toSorted());
    expect((await app.call("DELETE", `/api/key/${wide.id}`, { key: admin.key })).status).toBe(404);
    expect((await app.call("DELETE", `/api/key/${narrow.id}`, { key: admin.key })).status).toBe(200);
  });
});

test("lists come newest first, or oldest, in pages", async () => {
  const key = await app.issue("listing", "admin");
  for (const name of ["a", "b", "c"]) await issue({ name }, key);
  const names = async (query: string) => {
    const response = await app.call("GET", `/api/key${query}`, { key });
    expect(response.headers.get("x-total-count")).toBe("4");
    return ((await response.json()) as { name: string }[]).map(({ name }) => name);
  };
  expect(await names("?limit=2")).toEqual(["c", "b"]);
  expect(await names("?limit=2&skip=1")).toEqual(["b", "a"]);
  expect(await names("?sortOrder=asc&skip=1")).toEqual(["a", "b", "c"]);
  expect(await names("?skip=100")).toEqual([]);
});
