import { describe, expect, test } from "bun:test";
import { createQuotas } from "../../src/limits/quotas.ts";
import { noLimits } from "../../src/limits/rates.ts";
import { formOf } from "../call-server.ts";
import { startTestServer } from "../start-server.ts";

const open = noLimits;

const server = await startTestServer({
  limits: { key: open, organization: { ...open, maxDocuments: 6, maxBytes: 4_000 } },
});

/** Each test has an organization of its own. */
const inOrganization = async (organization: string) => {
  const key = await server.issueKey({ organization, role: "admin" });
  const ask = (method: string, path: string, json?: unknown) => server.ask(method, path, { key, json });
  return {
    key,
    ask,
    ingest: (text: string, more: object = {}) => ask("POST", "/api/ingest", { name: "D", text, ...more }),
  };
};

describe("documents stored", () => {
  test("the one too many is refused by name; deleting makes room at once; replacing needs none", async () => {
    const { ask, ingest } = await inOrganization("Documents");
    const made: string[] = [];
    for (let count = 0; count < 6; count++) {
      const { status, body } = await ingest(`Text number ${count}.`, {
        metadata: { externalId: `d${count}` },
        upsert: true,
      });
      expect(status).toBe(200);
      made.push(body.id);
    }
    const refused = await ingest("One too many.");
    expect([refused.status, refused.body.code]).toEqual([409, "quota_reached"]);
    expect(refused.body.detail).toContain("6 documents (limits.organization.maxDocuments); 6 are stored");
    expect((await ingest("Later.", { async: true })).status).toBe(409);
    const replaced = await ingest("Another text.", { metadata: { externalId: "d0" }, upsert: true });
    expect([replaced.status, replaced.body.id]).toEqual([200, made[0]]);
    expect((await ask("PUT", `/api/document/${made[1]}`, { text: "A new text." })).status).toBe(200);
    expect((await ask("DELETE", `/api/document/${made[2]}`)).status).toBe(200);
    expect((await ingest("Fits again.")).status).toBe(200);
    expect((await ingest("Does not.")).status).toBe(409);
    expect((await ask("GET", "/api/document")).headers.get("x-total-count")).toBe("6");
  });

  test("a batch stores what fits, and says so line by line", async () => {
    const { key } = await inOrganization("Batch");
    const lines = Array.from({ length: 9 }, (_, at) => JSON.stringify({ name: `L${at}`, text: `Line number ${at}.` }));
    const { text } = await server.ask("POST", "/api/ingest/batch", { key, body: lines.join("\n") });
    const answers = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    // Which lines are first is not decided by their order alone: they are stored in groups.
    const codes = answers.map(({ error }) => error?.code ?? "stored").sort();
    expect(codes).toEqual([...Array(3).fill("quota_reached"), ...Array(6).fill("stored")]);
  });

  test("many at once do not get past it", async () => {
    const { ask, ingest } = await inOrganization("Race");
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => ingest(`Racing text ${at}.`)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(6);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(Number((await ask("GET", "/api/document")).headers.get("x-total-count"))).toBeWithin(1, 7);
  });

  test("a key limited to a partition is held to what is in it", async () => {
    const { ask, ingest } = await inOrganization("Partition");
    await ingest("Elsewhere.");
    const partition = await ask("POST", "/api/partition", { name: "Own" });
    const { body } = await ask("POST", "/api/key", {
      name: "p",
      role: "writer",
      partitionId: partition.body.id,
      maxDocuments: 2,
    });
    const add = (text: string) => server.ask("POST", "/api/ingest", { key: body.key, json: { name: "P", text } });
    expect([(await add("One.")).status, (await add("Two.")).status]).toEqual([200, 200]);
    const refused = await add("Three.");
    expect(refused.body.detail).toContain("2 documents (maxDocuments of the key, or limits.key.maxDocuments)");
    expect((await ingest("The others go on.")).status).toBe(200);
  });

  test("the operator's socket is not held back", async () => {
    const headers = {
      "x-carrel-organization": "Operator",
      "x-carrel-make-organization": "true",
      "content-type": "application/json",
    };
    for (let count = 0; count < 8; count++) {
      const response = await fetch("http://localhost/api/ingest", {
        unix: `${server.dataDir}/carrel.sock`,
        method: "POST",
        headers,
        body: JSON.stringify({ name: "O", text: `Operator's text ${count}.` }),
      });
      expect(response.status).toBe(200);
    }
  });
});

describe("bytes stored", () => {
  test("texts and original files count, in UTF-8; deleting makes room", async () => {
    const { key, ask, ingest } = await inOrganization("Bytes");
    // 1,500 characters of two bytes each.
    const first = await ingest("é".repeat(1_500));
    expect(first.status).toBe(200);
    const refused = await ingest("x".repeat(1_200));
    expect([refused.status, refused.body.code]).toEqual([409, "quota_reached"]);
    expect(refused.body.detail).toContain("4,000 bytes (limits.organization.maxBytes); 3,000 are stored");
    const form = formOf({ file: new File(["A file about the heron. ".repeat(50)], "heron.txt") });
    expect((await server.ask("POST", "/api/ingest", { key, body: form })).status).toBe(409);
    expect((await ingest("x".repeat(900))).status).toBe(200);
    expect((await ask("PUT", `/api/document/${first.body.id}`, { text: "x".repeat(500) })).status).toBe(409);
    expect((await ask("DELETE", `/api/document/${first.body.id}`)).status).toBe(200);
    const file = await server.ask("POST", "/api/ingest", { key, body: form });
    expect(file.status).toBe(200);
    const { organizationId } = file.body;
    const documents = server.program.deps.store.documents;
    // 900 of the text; 1,200 of the file, and about as many of its text.
    const { documents: count, bytes } = await documents.usage({ organizationId, partitionId: null }, true);
    expect(count).toBe(2);
    expect(bytes).toBeWithin(900 + 1_200 + 1_100, 900 + 1_200 + 1_201);
  });
});

test("the store is asked once for many reservations, again when it is long ago", async () => {
  let asked = 0;
  let now = 0;
  const quotas = createQuotas(
    {
      settings: { limits: { key: open, organization: { ...open, maxDocuments: 1_000 } } },
      keyLimits: { get: () => null },
      documents: {
        usage: async () => {
          asked += 1;
          return { documents: 10, bytes: 0 };
        },
      },
    },
    () => now,
  );
  const principal = { organizationId: "o", partitionId: null, userId: "u", role: "writer", keyId: "k" } as const;
  const reserve = async (documents: number) => (await quotas.reserve(principal, { documents, bytes: 0 })).settle(true);
  for (let count = 0; count < 100; count++) await reserve(1);
  expect(asked).toBe(1);
  now += 61_000;
  await reserve(1);
  expect(asked).toBe(2);
  // Too many by what was counted since: the store knows better.
  for (let count = 0; count < 10; count++) await reserve(98);
  expect(asked).toBe(2);
  await reserve(98);
  expect(asked).toBe(3);
  await expect(reserve(2_000)).rejects.toThrow("1,000 documents");
});
