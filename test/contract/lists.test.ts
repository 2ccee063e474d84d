import { describe, expect, test } from "bun:test";
import { expectOk, expectProblem, nobody } from "./expectations.ts";
import { serveCarrel } from "./serve-carrel.ts";

/** Section 3 of the contract, its lists: paging, order, totals, searches; and quotes in every string that filters. */

const names = [
  ...["Beta", "alpha", "100% wool", "snake_case", "O'Brien", 'say "hi"', "Ärger", "back\\slash"],
  ...["Gamma", "Kilogram", "Tango"],
];
let partitionId: string;

const carrel = await serveCarrel();
const call = carrel.call;
for (const name of names) {
  const json = { name, text: `About ${name}.`, metadata: { label: name, length: name.length } };
  const made = expectOk(
    await call("POST", "/api/ingest", { json: { ...json, ...(name === "Beta" ? { partition: name } : {}) } }),
  );
  partitionId ??= made.partitionId;
  expectOk(await call("POST", "/api/chat", { json: { name, title: `Title of ${name}` } }));
  expectOk(await call("POST", "/api/partition", { json: { name } }));
}

interface Listed {
  id: string;
  name: string;
  createdAt: string;
}

const lists = ["/api/document?", "/api/chat?", "/api/partition?", "/api/partition/search?searchValue=&", "/api/key?"];

describe.each(lists)("%s", (path) => {
  const get = (query: string) => call("GET", path + query);

  test("newest first, sortOrder=asc turns that round, the total is in X-Total-Count", async () => {
    const answer = await get("limit=100");
    const all: Listed[] = expectOk(answer);
    const key = ({ createdAt, id }: Listed) => `${createdAt} ${id}`;
    expect(all.map(key)).toEqual(all.map(key).sort().reverse());
    expect(answer.headers.get("x-total-count")).toBe(String(all.length));
    expect(expectOk(await get("limit=100&sortOrder=desc"))).toEqual(all);
    expect(expectOk(await get("limit=100&sortOrder=asc"))).toEqual([...all].reverse());
  });

  test("limit and skip page through without a gap; the total stays", async () => {
    const all: Listed[] = expectOk(await get("limit=100"));
    const paged: Listed[] = [];
    for (let skip = 0; skip < all.length; skip += 3) {
      const page = await get(`limit=3&skip=${skip}`);
      expect(page.headers.get("x-total-count")).toBe(String(all.length));
      paged.push(...expectOk(page));
    }
    expect(paged).toEqual(all);
    for (const skip of [all.length, 4_294_967_296]) {
      const past = await get(`skip=${skip}`);
      expect(expectOk(past)).toEqual([]);
      expect(past.headers.get("x-total-count")).toBe(String(all.length));
    }
  });

  test("without a limit, a page has at most ten", async () => {
    const all: Listed[] = expectOk(await get("limit=100"));
    expect(expectOk(await get(""))).toEqual(all.slice(0, 10));
  });

  test.each([
    "limit=0",
    "limit=101",
    "limit=-1",
    "limit=1.5",
    "limit=ten",
    "limit=",
    "limit=1e1",
    "limit=1&limit=2",
    "skip=-1",
    "skip=0.5",
    "skip=x",
    "skip=99999999999999999999",
    "sortOrder=up",
    "sortOrder=ASC",
  ])("%s is a 400 that names it", async (query) => {
    const { errors } = expectProblem(await get(query), 400, "invalid_request");
    expect(errors[0].path).toBe(query.split("=")[0]);
  });

  test("unknown parameters are ignored", async () => {
    expectOk(await get("colour=red&organizationId=x"));
  });
});

describe("searching and sorting", () => {
  const found = async (path: string, value: string): Promise<string[]> =>
    expectOk(await call("GET", `${path}searchValue=${encodeURIComponent(value)}`)).map(({ name }: Listed) => name);

  test.each(["/api/document?", "/api/chat?", "/api/partition/search?"])(
    "%s searchValue is a case-insensitive substring of the name",
    async (path) => {
      expect(await found(path, "BET")).toEqual(["Beta"]);
      expect(await found(path, "ALPHA")).toEqual(["alpha"]);
      expect(await found(path, "ärger")).toEqual(["Ärger"]);
      expect(await found(path, "zebra")).toEqual([]);
      const total = await call("GET", `${path}searchValue=a&limit=1`);
      expect(Number(total.headers.get("x-total-count"))).toBe(names.filter((name) => /a/i.test(name)).length);
      expect(await found(path, "")).toHaveLength(10);
    },
  );

  test.each([
    ["Κώστας Οδός", ["Κώσ", "κώστασ", "ΚΏΣΤΑΣ", "δόσ"]],
    ["GROẞE Straße", ["große", "STRASSE", "straẞe"]],
  ])("each part of %s is found, in either case", async (name, parts) => {
    const made = [
      expectOk(await call("POST", "/api/ingest", { json: { name, text: `About ${name}.` } })).id,
      expectOk(await call("POST", "/api/chat", { json: { name } })).id,
      expectOk(await call("POST", "/api/partition", { json: { name } })).id,
    ];
    for (const path of ["/api/document?", "/api/chat?", "/api/partition/search?"])
      for (const part of parts) expect(await found(path, part), `${path} ${part}`).toEqual([name]);
    for (const [at, kind] of ["document", "chat", "partition"].entries())
      expectOk(await call("DELETE", `/api/${kind}/${made[at]}`));
  });

  test.each(["/api/document?", "/api/chat?", "/api/partition/search?"])(
    "%s takes wildcards, quotes and SQL for themselves",
    async (path) => {
      for (const [value, expected] of [
        ["%", ["100% wool"]],
        ["_", ["snake_case"]],
        ["'", ["O'Brien"]],
        ['"', ['say "hi"']],
        ["\\", ["back\\slash"]],
        ["' OR 1=1 --", []],
        ["'; DROP TABLE documents; --", []],
        ["') OR ('1'='1", []],
        ["$(id)", []],
      ] as const)
        expect(await found(path, value), value).toEqual([...expected]);
      expectProblem(await call("GET", `${path}searchValue=%00`), 400, "invalid_request");
    },
  );

  test("sortBy on chats: createdAt, name, title; both ways", async () => {
    const sorted = async (query: string): Promise<string[]> =>
      expectOk(await call("GET", `/api/chat?limit=100&${query}`)).map(({ name }: Listed) => name);
    expect(await sorted("sortBy=createdAt")).toEqual([...names].reverse());
    for (const field of ["name", "title"]) {
      const rising = await sorted(`sortBy=${field}&sortOrder=asc`);
      expect(rising).toHaveLength(names.length);
      expect(await sorted(`sortBy=${field}&sortOrder=desc`)).toEqual([...rising].reverse());
      expect(await sorted(`sortBy=${field}`)).toEqual([...rising].reverse());
      expect(rising.indexOf("snake_case")).toBeGreaterThan(rising.indexOf("back\\slash"));
    }
    for (const field of ["id", "userId", "NAME", "", "name; DROP", "messages"])
      expectProblem(await call("GET", `/api/chat?sortBy=${field}`), 400, "invalid_request");
  });

  test("a chat without title has its place in the order by title, and paging loses none", async () => {
    const { id } = expectOk(await call("POST", "/api/chat", { json: { name: "untitled" } }));
    for (const sortOrder of ["asc", "desc"]) {
      const seen: string[] = [];
      for (let skip = 0; skip <= names.length; skip += 2)
        seen.push(
          ...expectOk(await call("GET", `/api/chat?sortBy=title&sortOrder=${sortOrder}&limit=2&skip=${skip}`)).map(
            (one: Listed) => one.id,
          ),
        );
      expect(new Set(seen).size).toBe(names.length + 1);
      expect(seen).toContain(id);
    }
    expectOk(await call("DELETE", `/api/chat/${id}`));
  });
});

describe("documents take partitionId, status, searchValue and metadata", () => {
  const list = async (query: string): Promise<string[]> =>
    expectOk(await call("GET", `/api/document?limit=100&${query}`)).map(({ name }: Listed) => name);
  const filter = (metadata: unknown) => `metadata=${encodeURIComponent(JSON.stringify(metadata))}`;

  test("partitionId", async () => {
    expect(await list(`partitionId=${partitionId}`)).toEqual(["Beta"]);
    for (const id of [nobody, "none", "' OR 1=1 --", ""])
      expectProblem(
        await call("GET", `/api/document?partitionId=${encodeURIComponent(id)}`),
        404,
        "partition_not_found",
      );
  });

  test("status", async () => {
    expect(await list("status=processed")).toHaveLength(names.length);
    for (const status of ["pending", "processing", "failed"]) expect(await list(`status=${status}`)).toEqual([]);
    for (const status of ["done", "", "PROCESSED"])
      expectProblem(await call("GET", `/api/document?status=${status}`), 400, "invalid_request");
  });

  test("metadata: equality and operators; quotes and SQL find only themselves", async () => {
    for (const name of names) expect(await list(filter({ label: name }))).toEqual([name]);
    expect(await list(filter({ label: { $in: ["Beta", "alpha", "nothing"] } }))).toEqual(["alpha", "Beta"]);
    expect(await list(filter({ label: { $in: [] } }))).toEqual([]);
    expect(await list(filter({ length: { $gt: 4, $lte: 5 } }))).toEqual(
      names.filter(({ length }) => length === 5).reverse(),
    );
    expect(await list(filter({ length: { $lt: 5 } }))).toEqual(["Beta"]);
    expect(await list(filter({ length: { $gte: 10 } }))).toEqual(names.filter(({ length }) => length >= 10).reverse());
    expect(await list(filter({ label: { $ne: "Beta" } }))).toHaveLength(names.length - 1);
    expect(await list(filter({ missing: { $ne: "Beta" } }))).toHaveLength(names.length);
    expect(await list(filter({ "' OR 1=1 --": "x" }))).toEqual([]);
    expect(await list(filter({ label: "' OR 1=1 --" }))).toEqual([]);
    expect(await list(filter({ label: "Beta", length: 5 }))).toEqual([]);
    expect(
      await list(`${filter({ label: "Beta" })}&partitionId=${partitionId}&status=processed&searchValue=b`),
    ).toEqual(["Beta"]);
  });

  test.each([
    "{",
    "[]",
    "5",
    '"a"',
    '{"a":{"$regex":"x"}}',
    '{"$in":[1]}',
    '{"a":{"$in":5}}',
    '{"a":{"b":1}}',
    '{"a":[1]}',
    '{"a":{"$gt":true}}',
    '{"a":{}}',
  ])("the filter %s is a 400 that names what is wrong", async (text) => {
    for (const answer of [
      await call("GET", `/api/document?metadata=${encodeURIComponent(text)}`),
      await call("POST", "/api/query", { body: new URLSearchParams({ query: "q", metadata: text }) }),
    ])
      expect(expectProblem(answer, 400, "invalid_request").errors[0].path).toStartWith("metadata");
  });
});

describe("ids", () => {
  const odd = [
    "1",
    "none",
    "' OR '1'='1",
    "%27%3B--",
    nobody.toUpperCase(),
    "x".repeat(3_000),
    "..%2f..%2fkey",
    "%F0%9F%98%80",
    "%",
  ];

  test.each(odd)("an id of another form does not exist: %.40s", async (id) => {
    const before = await carrel.everything();
    const encoded = id.includes("%") ? id : encodeURIComponent(id);
    for (const [method, path, code] of [
      ["GET", `/api/document/${encoded}`, "document_not_found"],
      ["PUT", `/api/document/${encoded}`, "document_not_found"],
      ["DELETE", `/document/${encoded}`, "document_not_found"],
      ["GET", `/api/partition/${encoded}`, "partition_not_found"],
      ["DELETE", `/api/partition/${encoded}?documents=delete`, "partition_not_found"],
      ["DELETE", `/api/chat/${encoded}`, "chat_not_found"],
      ["DELETE", `/api/key/${encoded}`, "key_not_found"],
    ] as const)
      expectProblem(await call(method, path), 404, code);
    expect(await carrel.everything()).toBe(before);
  });

  test.each(["' OR 1=1 --", "1", "😀", "x".repeat(10_000), "a/b"])("nor in a body: %.40s", async (id) => {
    const before = await carrel.everything();
    for (const [path, json, code] of [
      ["/api/query", { query: "q", documentId: id }, "document_not_found"],
      ["/api/query", { query: "q", partitionId: id }, "partition_not_found"],
      ["/api/chat", { documentId: id }, "document_not_found"],
      ["/api/chat", { partitionId: id }, "partition_not_found"],
      ["/api/ingest", { name: "N", text: "t", partitionId: id }, "partition_not_found"],
      ["/api/key", { name: "N", partitionId: id }, "partition_not_found"],
    ] as const)
      expectProblem(await call("POST", path, { json }), 404, code);
    expect(await carrel.everything()).toBe(before);
  });
});
