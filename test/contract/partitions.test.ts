import { describe, expect, test } from "bun:test";
import { expectOk, expectProblem, isoTime, nobody, uuidV7 } from "./expectations.ts";
import { type Answer, serveCarrel } from "./serve-carrel.ts";

/** Section 7 of the contract: partitions. */

type Json = Answer["body"];

const carrel = await serveCarrel();
const call = carrel.call;

const make = async (name: string): Promise<Json> => expectOk(await call("POST", "/api/partition", { json: { name } }));
const get = async (id: string): Promise<Json> => expectOk(await call("GET", `/api/partition/${id}`));
const ingest = async (partition: string, text = `${partition} holds a lantern.`): Promise<Json> =>
  expectOk(await call("POST", "/api/ingest", { json: { name: "D", text, partition } }));

describe("POST /api/partition", () => {
  test("answers the record: id, name, organizationId, createdAt, documents", async () => {
    const made = await make("First");
    expect(Object.keys(made).sort()).toEqual(["createdAt", "documents", "id", "name", "organizationId"]);
    expect(made).toMatchObject({ name: "First", documents: 0 });
    expect(made.id).toMatch(uuidV7);
    expect(made.organizationId).toMatch(uuidV7);
    expect(made.createdAt).toMatch(isoTime);
    expect(await get(made.id)).toEqual(made);
  });

  test("is an upsert by name, trimmed and case-sensitive, also from many at once and from an ingest", async () => {
    const made = await Promise.all(["Race", " Race", "Race\t", "Race"].map(make));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made[1].name).toBe("Race");
    expect((await make("race")).id).not.toBe(made[0].id);
    expect((await ingest("Race")).partitionId).toBe(made[0].id);
    expect((await make("Race")).documents).toBe(1);
  });

  test.each([[""], [" "], ["x".repeat(256)], ["a\0"], [5], [null], [["a"]]])("%j is no name", async (name) => {
    const before = await carrel.everything();
    expectProblem(await call("POST", "/api/partition", { json: { name } }), 400, "invalid_request");
    expect(await carrel.everything()).toBe(before);
  });

  test("255 characters are counted without the white space around them", async () => {
    const name = "x".repeat(255);
    const made = await make(`  ${name}\n`);
    expect(made.name).toBe(name);
    expect((await ingest(`\t${name}  `, "A lantern in the long partition.")).partitionId).toBe(made.id);
    expectProblem(await call("POST", "/api/partition", { json: { name: ` ${name}x` } }), 400, "invalid_request");
  });

  test("a name may hold quotes, SQL and any script", async () => {
    for (const name of [
      "O'Hara",
      'the "x"',
      "'; DROP TABLE partitions; --",
      "日本語",
      "%_\\",
      "__proto__",
      "constructor",
    ]) {
      const made = await make(name);
      expect(made.name).toBe(name);
      expect((await make(name)).id).toBe(made.id);
      expect((await ingest(name)).partitionId).toBe(made.id);
      const found = expectOk(await call("GET", `/api/partition/search?searchValue=${encodeURIComponent(name)}`));
      expect(found.map(({ id }: Json) => id)).toEqual([made.id]);
      expectOk(await call("DELETE", `/api/partition/${made.id}?documents=delete`));
    }
  });
});

describe("GET /api/partition and /search", () => {
  test("count the documents of each", async () => {
    const { id } = await make("Counted");
    for (let at = 1; at <= 3; at += 1) {
      await ingest("Counted", `number ${at}`);
      expect((await get(id)).documents).toBe(at);
    }
    const [listed] = expectOk(await call("GET", "/api/partition/search?searchValue=counted"));
    expect(listed).toEqual(await get(id));
    expect(expectOk(await call("GET", "/api/partition?limit=100")).find((one: Json) => one.id === id)).toEqual(listed);
  });
});

describe("PUT /api/partition/:id", () => {
  test("renames; to its own name too", async () => {
    const { id } = await make("Before");
    const document = await ingest("Before");
    expect(expectOk(await call("PUT", `/api/partition/${id}`, { json: { name: " After " } }))).toMatchObject({
      id,
      name: "After",
      documents: 1,
    });
    expect(expectOk(await call("PUT", `/api/partition/${id}`, { json: { name: "After" } })).name).toBe("After");
    expect((await make("Before")).id).not.toBe(id);
    expect((await make("After")).id).toBe(id);
    expect(expectOk(await call("GET", `/api/document?partitionId=${id}`))[0].id).toBe(document.id);
  });

  test("to a name that is taken: 409; of another organization it is free", async () => {
    const [one, two] = [await make("One"), await make("Two")];
    const before = await carrel.everything();
    expectProblem(
      await call("PUT", `/api/partition/${one.id}`, { json: { name: "Two" } }),
      409,
      "partition_name_taken",
    );
    expectProblem(await call("PUT", `/api/partition/${two.id}`, { json: {} }), 400, "invalid_request");
    expectProblem(
      await call("PUT", `/api/partition/${nobody}`, { json: { name: "Three" } }),
      404,
      "partition_not_found",
    );
    expect(await carrel.everything()).toBe(before);
    const key = await carrel.foreignKey("other");
    const theirs = expectOk(await call("POST", "/api/partition", { key, json: { name: "Theirs" } }));
    expectOk(await call("PUT", `/api/partition/${theirs.id}`, { key, json: { name: "Two" } }));
  });
});

describe("DELETE /api/partition/:id", () => {
  test("of an empty one", async () => {
    const { id } = await make("Empty");
    expect(expectOk(await call("DELETE", `/api/partition/${id}`))).toEqual({ id, deleted: true });
    expectProblem(await call("GET", `/api/partition/${id}`), 404, "partition_not_found");
    expectProblem(await call("DELETE", `/api/partition/${id}`), 404, "partition_not_found");
    expect((await make("Empty")).id).not.toBe(id);
  });

  test("one that still holds documents: 409, and nothing changes; an unknown choice: 400", async () => {
    const { partitionId } = await ingest("Full");
    const before = await carrel.everything();
    const { detail } = expectProblem(await call("DELETE", `/api/partition/${partitionId}`), 409, "partition_not_empty");
    for (const told of ["1 document", "documents=detach"]) expect(detail).toContain(told);
    for (const choice of ["", "keep", "DELETE"])
      expectProblem(await call("DELETE", `/api/partition/${partitionId}?documents=${choice}`), 400, "invalid_request");
    expect(await carrel.everything()).toBe(before);
  });

  test("?documents=delete deletes them with it", async () => {
    const document = await ingest("Doomed", "The doomed albatross.");
    expectOk(await call("DELETE", `/api/partition/${document.partitionId}?documents=delete`));
    expectProblem(await call("GET", `/api/document/${document.id}`), 404, "document_not_found");
    expect(expectOk(await call("POST", "/api/search", { json: { query: "albatross" } })).relevantSnippets).toEqual([]);
  });

  test("?documents=detach keeps them in no partition", async () => {
    const document = await ingest("Left", "The detached pelican.");
    expectOk(await call("DELETE", `/api/partition/${document.partitionId}?documents=detach`));
    expect(expectOk(await call("GET", `/api/document/${document.id}`)).partitionId).toBeNull();
    const found = expectOk(await call("POST", "/api/search", { json: { query: "detached pelican" } }));
    expect(found.relevantDocuments[0]).toMatchObject({ id: document.id, partitionId: null });
  });

  test("once, whatever runs at once: to the others it is not there any more", async () => {
    const { id } = await make("Deleted at once");
    const answers = await Promise.all(Array.from({ length: 5 }, () => call("DELETE", `/api/partition/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  test("by a key that is limited to it: its documents may go with it, and not be taken out of it", async () => {
    const { partitionId } = await ingest("Held");
    const key = await carrel.key({ role: "writer", partitionId });
    const path = `/api/partition/${partitionId}?documents=`;
    expectProblem(await call("DELETE", `${path}detach`, { key }), 403, "key_limited");
    expectOk(await call("DELETE", `${path}delete`, { key }));
  });

  test.each(["delete", "detach"])(
    "?documents=%s while documents come: none is left in what is gone",
    async (choice) => {
      for (let round = 0; round < 2; round += 1) {
        const { id } = await make(`Rush ${choice} ${round}`);
        const before = expectOk(await call("POST", "/api/ingest", { json: { name: "B", text: "Before the rush." } }));
        const [removed, moved, ...stored] = await Promise.all([
          call("DELETE", `/api/partition/${id}?documents=${choice}`),
          call("PUT", `/api/document/${before.id}`, { json: { partitionId: id, text: `Rewritten ${round}.` } }),
          ...[{}, { async: true }, {}].map((more, at) =>
            call("POST", "/api/ingest", { json: { name: "N", text: `Rush ${at}.`, partitionId: id, ...more } }),
          ),
        ]);
        expectOk(removed);
        for (const answer of [moved, ...stored]) {
          if (answer.status === 404) {
            expectProblem(answer, 404, "partition_not_found");
            continue;
          }
          expect([200, 202]).toContain(answer.status);
          const { status, body } = await call("GET", `/api/document/${answer.body.id}`);
          if (choice === "detach") expect([status, body.partitionId]).toEqual([200, null]);
          else expect([status, body.code]).toEqual([404, "document_not_found"]);
        }
      }
    },
    30_000,
  );
});
