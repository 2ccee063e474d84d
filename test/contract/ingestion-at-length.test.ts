import { describe, expect, test } from "bun:test";
import { formOf } from "../call-server.ts";
import { expectOk, expectProblem } from "./expectations.ts";
import { type Answer, type CallOptions, serveCarrel } from "./serve-carrel.ts";

/** Section 10 of the contract: kinds of file and repeated requests. The rest stands in test/documents and test/ingest. */

const carrel = await serveCarrel();
const call = carrel.call;

describe("the content decides what a file is", () => {
  const upload = (
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    type: string,
    fields: Record<string, string> = {},
  ): Promise<Answer> => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    form.append("file", new File([content], name, { type }));
    return call("POST", "/api/ingest", { body: form });
  };

  test("over its name and over mimeType; mimeType where the content cannot tell", async () => {
    const pdf = await Bun.file(`${import.meta.dir}/../fixtures/documents/fake-memo.pdf`).bytes();
    expect(expectOk(await upload("notes.txt", pdf, "text/plain", { mimeType: "text/csv" })).mimeType).toBe(
      "application/pdf",
    );
    const rows = "name,goals\nAnn,3\nBob,5\n";
    expect(expectOk(await upload("rows", rows, "", { mimeType: "text/csv" })).mimeType).toBe("text/csv");
    expect(expectOk(await upload("plain", rows, "", { mimeType: "text/plain" })).mimeType).toBe("text/plain");
  });
});

describe("Idempotency-Key on POST /api/ingest", () => {
  const send = (key: string, json: object, more: CallOptions = {}): Promise<Answer> =>
    call("POST", "/api/ingest", { json, headers: { "idempotency-key": key }, ...more });

  test("the same key and body get the first answer again, also at once; nothing is doubled", async () => {
    const json = { name: "Idempotent", text: "Sent again and again.", partition: "Idempotent" };
    const answers = await Promise.all([1, 2, 3].map(() => send("first", json)));
    answers.push(await send("first", json));
    for (const answer of answers) expect(expectOk(answer)).toEqual(answers[0]?.body);
    expect(expectOk(await call("GET", "/api/partition/search?searchValue=idempotent"))[0].documents).toBe(1);
    const later = [await send("later", { ...json, async: true }), await send("later", { ...json, async: true })];
    expect(later.map(({ status }) => status)).toEqual([202, 202]);
    expect(later[1]?.body.id).toBe(later[0]?.body.id);
  });

  test("the same key with another body is a 409 and stores nothing", async () => {
    expectOk(await send("second", { name: "A", text: "one text" }));
    const before = await carrel.everything();
    for (const json of [
      { name: "A", text: "another text" },
      { name: "B", text: "one text" },
      { name: "A", text: "one text", metadata: { a: 1 } },
    ])
      expectProblem(await send("second", json), 409, "idempotency_conflict");
    expect(await carrel.everything()).toBe(before);
  });

  test("a refused request does not use the key up; another organization's same key is another", async () => {
    expectProblem(await send("third", { name: "A", text: " " }), 400, "invalid_request");
    const { id } = expectOk(await send("third", { name: "A", text: "good now" }));
    const key = await carrel.foreignKey("other");
    expect(expectOk(await send("third", { name: "A", text: "good now" }, { key })).id).not.toBe(id);
  });

  test("of a file too", async () => {
    const upload = (content: string): Promise<Answer> => {
      const body = formOf({ file: new File([content], "a.txt") });
      return call("POST", "/api/ingest", { body, headers: { "idempotency-key": "file" } });
    };
    const { id } = expectOk(await upload("the same bytes"));
    expect(expectOk(await upload("the same bytes")).id).toBe(id);
    const before = await carrel.everything();
    expectProblem(await upload("other bytes!!!"), 409, "idempotency_conflict");
    expect(await carrel.everything()).toBe(before);
  });
});

test("GET /api/embedder says which model is active and what is being built, to admins", async () => {
  expect(expectOk(await call("GET", "/api/embedder"))).toEqual({
    active: { provider: "builtin", model: "static", dimensions: expect.any(Number) },
    building: null,
    pending: 0,
    error: null,
  });
  expectProblem(await call("GET", "/api/embedder", { key: null }), 401, "key_missing");
  expectProblem(
    await call("GET", "/api/embedder", { key: await carrel.key({ role: "writer" }) }),
    403,
    "role_forbidden",
  );
});
