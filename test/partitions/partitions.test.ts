import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sampleDocument, sampleSnippets } from "../../tools/samples/records.ts";
import { answerOf, codeOf, startApp } from "../http/start-app.ts";

interface PartitionAnswer {
  id: string;
  name: string;
  documents: number;
}

let app: Awaited<ReturnType<typeof startApp>>;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const upsert = async (name: string, key?: string): Promise<PartitionAnswer> => {
  const response = await app.call("POST", "/api/partition", { json: { name }, ...(key ? { key } : {}) });
  expect(response.status).toBe(200);
  return (await response.json()) as PartitionAnswer;
};
const get = async (id: string, key?: string) =>
  answerOf(await app.call("GET", `/api/partition/${id}`, key ? { key } : {}));

/** Processed documents with snippets, in a partition. */
const fill = async (partitionId: string, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const document = sampleDocument({ organizationId: app.organizationId, partitionId });
    await app.store.documents.publish(
      document,
      "lighthouse",
      sampleSnippets(document, [app.store.indexes.active().id], ["lighthouse"]),
    );
    ids.push(document.id);
  }
  return ids;
};

describe("creating", () => {
  test("gives the record; the same name gives the same again", async () => {
    const created = await upsert(" Handbook ");
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Handbook",
      organizationId: app.organizationId,
      createdAt: expect.stringMatching(/Z$/),
      documents: 0,
    } as unknown as PartitionAnswer);
    expect(await upsert("Handbook")).toEqual(created);
    expect((await upsert("handbook")).id).not.toBe(created.id);
    await fill(created.id, 2);
    expect(await upsert("Handbook")).toEqual({ ...created, documents: 2 });
  });

  test("is never done twice, whatever runs at once", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => upsert("at once")));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });

  test("takes odd names as they are and refuses none or too long ones", async () => {
    for (const name of ['O\'Hara "quoted" -- ; DROP TABLE', "日本 🙂", "%_\\", "🙂".repeat(255)]) {
      const { id } = await upsert(name);
      expect((await get(id)).body).toMatchObject({ name });
    }
    for (const json of [
      {},
      { name: "  " },
      { name: "x".repeat(256) },
      { name: 5 },
      { name: "a\u0000" },
      { name: "\ud800" },
    ]) {
      expect(await codeOf(await app.call("POST", "/api/partition", { json }))).toEqual([400, "invalid_request"]);
    }
  });

  test("is for writers", async () => {
    expect(
      await codeOf(await app.call("POST", "/api/partition", { key: app.keys.reader, json: { name: "x" } })),
    ).toEqual([403, "role_forbidden"]);
  });
});

describe("reading", () => {
  test("unknown ids, odd ids and another organization's are the same 404", async () => {
    const { id } = await upsert("ours");
    const other = await app.issue("others", "admin");
    expect(await get(id, other)).toEqual({
      ...(await get(Bun.randomUUIDv7())),
      body: { ...((await get(Bun.randomUUIDv7())).body as object), instance: `/api/partition/${id}` },
    });
    for (const odd of ["1", id.toUpperCase(), `${id}'`, "a".repeat(5_000)]) {
      expect(await codeOf(await app.call("GET", `/api/partition/${encodeURIComponent(odd)}`))).toEqual([
        404,
        "partition_not_found",
      ]);
    }
  });

  test("lists newest first with the number of all, and searches names in any case", async () => {
    const key = await app.issue("listing", "writer");
    for (const name of ["Alpha", "alphabet", "Beta %", "Straße"]) await upsert(name, key);
    const names = async (path: string) => {
      const response = await app.call("GET", `/api/partition${path}`, { key });
      const found = ((await response.json()) as PartitionAnswer[]).map(({ name }) => name);
      return { total: response.headers.get("x-total-count"), names: found };
    };
    expect(await names("")).toEqual({ total: "4", names: ["Straße", "Beta %", "alphabet", "Alpha"] });
    expect(await names("?limit=1&skip=1&sortOrder=asc")).toEqual({ total: "4", names: ["alphabet"] });
    expect(await names("/search?searchValue=ALPHA")).toEqual({ total: "2", names: ["alphabet", "Alpha"] });
    expect(await names("/search?searchValue=%25")).toEqual({ total: "1", names: ["Beta %"] });
    expect(await names("/search?searchValue=' OR 1=1 --")).toEqual({ total: "0", names: [] });
    expect(await codeOf(await app.call("GET", "/api/partition/search", { key }))).toEqual([400, "invalid_request"]);
  });
});

describe("renaming", () => {
  const rename = (id: string, name: unknown, key?: string) =>
    app.call("PUT", `/api/partition/${id}`, { json: { name }, ...(key ? { key } : {}) });

  test("changes the name and nothing else", async () => {
    const { id } = await upsert("before");
    await fill(id, 1);
    expect(await (await rename(id, " after ")).json()).toMatchObject({ id, name: "after", documents: 1 });
    expect((await rename(id, "after")).status).toBe(200);
    expect((await upsert("before")).id).not.toBe(id);
  });

  test("to a name that is taken is a conflict", async () => {
    const { id } = await upsert("mine");
    await upsert("theirs");
    expect(await codeOf(await rename(id, "theirs"))).toEqual([409, "partition_name_taken"]);
    expect((await get(id)).body).toMatchObject({ name: "mine" });
  });

  test("of what is not there is a 404", async () => {
    expect(await codeOf(await rename(Bun.randomUUIDv7(), "x"))).toEqual([404, "partition_not_found"]);
  });
});

describe("deleting", () => {
  const remove = (id: string, query = "", key?: string) =>
    app.call("DELETE", `/api/partition/${id}${query}`, key ? { key } : {});
  const tenant = () => ({ organizationId: app.organizationId, partitionId: null });
  const snippetsOf = async (documentId: string) => {
    const view = app.store.openSnippets();
    const found = await view.neighbors(tenant(), documentId, 0, 10);
    view.close();
    return found;
  };

  test("an empty one", async () => {
    const { id } = await upsert("empty");
    expect(await answerOf(await remove(id))).toEqual({ status: 200, body: { id, deleted: true } });
    expect((await get(id)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
  });

  test("once, whatever runs at once: to the others it is not there any more", async () => {
    const { id } = await upsert("deleted at once");
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.call("DELETE", `/api/partition/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  test("one that holds documents is refused and changes nothing", async () => {
    const { id } = await upsert("full");
    await fill(id, 3);
    const { status, body } = await answerOf(await remove(id));
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: "partition_not_empty", detail: expect.stringContaining("3 documents") });
    expect((await get(id)).body).toMatchObject({ documents: 3 });
    expect(await codeOf(await remove(id, "?documents=burn"))).toEqual([400, "invalid_request"]);
  });

  test("with its documents", async () => {
    const { id } = await upsert("gone");
    const ids = await fill(id, 3);
    expect((await remove(id, "?documents=delete")).status).toBe(200);
    expect(await app.store.documents.getMany(tenant(), ids)).toEqual([]);
    for (const document of ids) expect(await snippetsOf(document)).toEqual([]);
  });

  test("without them", async () => {
    const { id } = await upsert("left");
    const ids = await fill(id, 3);
    expect((await remove(id, "?documents=detach")).status).toBe(200);
    const kept = await app.store.documents.getMany(tenant(), ids);
    expect(kept.map(({ partitionId }) => partitionId)).toEqual([null, null, null]);
    for (const document of ids) expect(await snippetsOf(document)).toMatchObject([{ partitionId: null }]);
    expect((await get(id)).status).toBe(404);
  });

  test("does not reach another organization", async () => {
    const { id } = await upsert("ours to keep");
    expect((await remove(id, "", await app.issue("others", "admin"))).status).toBe(404);
    expect((await get(id)).status).toBe(200);
  });
});

describe("a key limited to a partition", () => {
  test("sees its own alone and makes no other", async () => {
    const own = await upsert("own");
    const other = await upsert("other");
    const key = await app.issue("default", "writer", own.id);
    expect((await get(own.id, key)).status).toBe(200);
    expect((await get(other.id, key)).status).toBe(404);
    const list = await app.call("GET", "/api/partition", { key });
    expect(list.headers.get("x-total-count")).toBe("1");
    expect(await list.json()).toMatchObject([{ id: own.id }]);
    expect(await (await app.call("GET", "/api/partition/search?searchValue=o", { key })).json()).toMatchObject([
      { id: own.id },
    ]);
    expect((await upsert("own", key)).id).toBe(own.id);
    for (const name of ["other", "new"]) {
      expect(await codeOf(await app.call("POST", "/api/partition", { key, json: { name } }))).toEqual([
        403,
        "key_limited",
      ]);
    }
    expect((await app.call("PUT", `/api/partition/${other.id}`, { key, json: { name: "x" } })).status).toBe(404);
    expect((await app.call("DELETE", `/api/partition/${other.id}`, { key })).status).toBe(404);
  });

  test("does not move documents out of it", async () => {
    const own = await upsert("held");
    await fill(own.id, 1);
    const key = await app.issue("default", "writer", own.id);
    expect(await codeOf(await app.call("DELETE", `/api/partition/${own.id}?documents=detach`, { key }))).toEqual([
      403,
      "key_limited",
    ]);
    expect((await app.call("DELETE", `/api/partition/${own.id}?documents=delete`, { key })).status).toBe(200);
  });
});
