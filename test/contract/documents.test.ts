import { describe, expect, test } from "bun:test";
import { serveSite } from "../serve-site.ts";
import { eventually } from "../until.ts";
import { expectOk, expectProblem, nobody, uuidV7 } from "./expectations.ts";
import { type Answer, serveCarrel } from "./serve-carrel.ts";

/** Section 4 of the contract: documents and where they come from. What is refused stands in bad-input.test.ts. */

const site = serveSite();
const carrel = await serveCarrel({
  config: (config) => {
    config.fetch.allowPrivateAddresses = true;
  },
});
const call = carrel.call;

const ingest = async (json: object): Promise<Answer["body"]> => expectOk(await call("POST", "/api/ingest", { json }));
const upload = (
  name: string,
  bytes: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
  type = "",
): Promise<Answer> => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append("file", new File([bytes], name, { type }));
  return call("POST", "/api/ingest", { body: form });
};
const search = async (query: string, scope: object = {}): Promise<Answer["body"]> =>
  expectOk(await call("POST", "/api/search", { json: { query, ...scope } }));
const get = async (id: string): Promise<Answer["body"]> => expectOk(await call("GET", `/api/document/${id}`));

describe("name may be left out only with a file, url or websiteUrl", () => {
  test("a page gives its title, a file its name", async () => {
    expect((await ingest({ websiteUrl: `${site.url}/page` })).name).toBe("Opening hours of the museum");
    expect((await ingest({ url: `${site.url}/files/memo.pdf` })).name).toBe("memo.pdf");
    expect(expectOk(await upload("häuser & co.txt", "words")).name).toBe("häuser & co.txt");
    expect((await ingest({ url: `${site.url}/notes.md`, name: "Mine" })).name).toBe("Mine");
  });

  test("taken from a file or page, a name that is too long is cut to 255 characters", async () => {
    const page = await ingest({ websiteUrl: `${site.url}/long-title` });
    expect(page.name).toBe("long ".repeat(51).trimEnd());
    const file = expectOk(await upload(`${"n".repeat(300)}.txt`, "words"));
    expect(file.name).toBe("n".repeat(255));
    expect(expectOk(await upload(`${"😀".repeat(300)}.txt`, "words")).name).toBe("😀".repeat(255));
  });
});

describe("partitions", () => {
  test("the name is trimmed, case matters, and many at once make one", async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, at) => ingest({ name: `${at}`, text: `at once ${at}`, partition: " At once " })),
    );
    expect(new Set(made.map(({ partitionId }) => partitionId)).size).toBe(1);
    const lower = await ingest({ name: "l", text: "lower", partition: "at once" });
    expect(lower.partitionId).not.toBe(made[0].partitionId);
  });

  test("partition and partitionId may both be given where they are the same", async () => {
    const { partitionId } = await ingest({ name: "a", text: "same", partition: "Same" });
    expect((await ingest({ name: "b", text: "same too", partition: "Same", partitionId })).partitionId).toBe(
      partitionId,
    );
  });
});

describe("the answer of an ingest", () => {
  test.each<[string, Record<string, string>, object]>([
    ["async: true", {}, { async: true }],
    ["Prefer: respond-async", { prefer: "respond-async" }, {}],
    ["Prefer: respond-async, wait=10", { prefer: "respond-async, wait=10" }, {}],
  ])("with %s it is a 202 at once, pending, and processed later", async (_name, headers, extra) => {
    const json = { name: "Later", text: `The heron fishes ${Math.random()}.`, ...extra };
    const answer = await call("POST", "/api/ingest", { json, headers });
    expect([answer.status, answer.body.status]).toEqual([202, "pending"]);
    expect(answer.body.id).toMatch(uuidV7);
    await eventually(async () =>
      expect(await get(answer.body.id)).toMatchObject({ status: "processed", error: null, originalText: json.text }),
    );
  });
});

describe("text, file and tokens", () => {
  test("originalText comes with one document and PUT; in lists and relevantDocuments only with include=originalText", async () => {
    const { id } = await ingest({ name: "Kestrel", text: "The kestrel hovers." });
    expect((await get(id)).originalText).toBe("The kestrel hovers.");
    expect(expectOk(await call("PUT", `/api/document/${id}`, {})).originalText).toBe("The kestrel hovers.");
    const list = async (query: string) =>
      expectOk(await call("GET", `/api/document?searchValue=kestrel${query}`))[0].originalText;
    expect([await list(""), await list("&include=originalText")]).toEqual([null, "The kestrel hovers."]);
    const ask = async (query: string) => {
      const json = { query: "kestrel", documentId: id };
      return expectOk(await call("POST", `/api/query${query}`, { json })).relevantDocuments[0].originalText;
    };
    expect([await ask(""), await ask("?include=originalText")]).toEqual([null, "The kestrel hovers."]);
    for (const path of ["/api/document", "/api/query"])
      expectProblem(
        await call(
          path === "/api/query" ? "POST" : "GET",
          `${path}?include=all`,
          path === "/api/query" ? { json: { query: "q" } } : {},
        ),
        400,
        "invalid_request",
      );
  });

  test("parsedUrl is {base_url}/api/document/:id/text, text/markdown", async () => {
    const { id, parsedUrl } = await ingest({ name: "Lark", text: "# Lark\n\nIt *sings*." });
    expect(parsedUrl).toBe(`${carrel.url}/api/document/${id}/text`);
    const { status, headers, text } = await call("GET", `/api/document/${id}/text`);
    expect([status, text]).toEqual([200, "# Lark\n\nIt *sings*."]);
    expect(headers.get("content-type")).toStartWith("text/markdown");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("an uploaded page is never shown as a page of this server", async () => {
    const made = expectOk(
      await upload("page.html", "<h1>Words</h1><script>alert(1)</script><p>More words here.</p>", {}, "text/html"),
    );
    const { headers } = await call("GET", `/api/document/${made.id}/file`);
    expect(headers.get("content-disposition")).toStartWith("attachment");
    expect(headers.get("content-security-policy")).toContain("sandbox");
  });

  test("white space around an address is no part of it", async () => {
    expect((await ingest({ url: ` ${site.url}/notes.md\n` })).originalUrl).toBe(`${site.url}/notes.md`);
  });

  test("tokens is the number of tokens of the text by o200k_base", async () => {
    for (const [text, tokens] of [
      ["hello world", 2],
      ["tiktoken is great!", 6],
      ["<|endoftext|>", 7],
      ["\u304a\u8a95\u751f\u65e5\u304a\u3081\u3067\u3068\u3046", 8],
    ] as const)
      expect((await ingest({ name: "T", text })).tokens, text).toBe(tokens);
  });

  test("a website gives its main text, without navigation and footer", async () => {
    const { text } = await ingest({ websiteUrl: `${site.url}/page` });
    expect(text).toContain("opens at nine in winter");
    expect(text).toContain(`(${site.url}/directions)`);
    expect(text).not.toMatch(/Accept all cookies|Home/);
  });
});

describe("PUT", () => {
  test("an empty body changes nothing and returns the document", async () => {
    const {
      text: _text,
      unchanged: _unchanged,
      ...made
    } = await ingest({ name: "Still", text: "as it was", metadata: { a: 1 } });
    for (const options of [
      {},
      { json: {} },
      { body: "", headers: { "content-type": "application/x-www-form-urlencoded" } },
      { json: { unknown: 1 } },
    ])
      expect(expectOk(await call("PUT", `/document/${made.id}`, options))).toEqual(made);
    expect(await get(made.id)).toEqual(made);
  });

  test("metadata replaces; name and partitionId may change too, null takes them away", async () => {
    const { id, partitionId } = await ingest({
      name: "Old",
      text: "moves about",
      metadata: { a: 1 },
      partition: "From",
    });
    const to = expectOk(await call("POST", "/api/partition", { json: { name: "To" } })).id;
    const put = async (json: object) => expectOk(await call("PUT", `/api/document/${id}`, { json }));
    expect(await put({ name: "New", partitionId: to, metadata: { b: 2 } })).toMatchObject({
      name: "New",
      partitionId: to,
      metadata: { b: 2 },
    });
    expect((await search("moves about", { partitionId: to })).relevantDocuments).toHaveLength(1);
    expect((await search("moves about", { partitionId })).relevantDocuments).toEqual([]);
    expect(await put({ partitionId: null, metadata: null })).toMatchObject({
      partitionId: null,
      metadata: null,
      name: "New",
    });
    expectProblem(
      await call("PUT", `/api/document/${id}`, { json: { partitionId: nobody, name: "No" } }),
      404,
      "partition_not_found",
    );
    expect((await get(id)).name).toBe("New");
  });

  test("text swaps the snippets at once: no question sees none or both", async () => {
    const texts = ["The falcon number one dives.", "The falcon number two dives."];
    const { id } = await ingest({ name: "Falcon", text: texts[0] });
    let done = false;
    const watch = (async () => {
      const seen: string[] = [];
      while (!done)
        seen.push(
          (await search("falcon dives", { documentId: id })).relevantSnippets
            .map((one: Answer["body"]) => one.metadata.content)
            .join(" | "),
        );
      return seen;
    })();
    for (let at = 1; at <= 6; at += 1)
      expectOk(await call("PUT", `/api/document/${id}`, { json: { text: texts[at % 2] } }));
    done = true;
    for (const seen of await watch) expect(texts).toContain(seen);
  });

  test("a file's text may be replaced; createdAt stays, updatedAt and tokens follow", async () => {
    const made = expectOk(await upload("a.txt", "one two three"));
    const changed = expectOk(await call("PUT", `/api/document/${made.id}`, { json: { text: "one" } }));
    expect(changed).toMatchObject({ createdAt: made.createdAt, originalText: "one", tokens: 1 });
    expect(Date.parse(changed.updatedAt)).toBeGreaterThanOrEqual(Date.parse(made.updatedAt));
  });
});

describe("deletes", () => {
  test("answer {id, deleted: true}; snippets and file are gone when the answer is sent", async () => {
    const before = await carrel.everything();
    const made = expectOk(await upload("gone.txt", "The dodo is gone."));
    expect(expectOk(await call("DELETE", `/api/document/${made.id}`))).toEqual({ id: made.id, deleted: true });
    expect(JSON.stringify(await search("dodo"))).not.toContain(made.id);
    for (const path of ["", "/text", "/file"])
      expectProblem(await call("GET", `/api/document/${made.id}${path}`), 404, "document_not_found");
    expect(await carrel.everything()).toBe(before);
    expectProblem(await call("DELETE", `/api/document/${made.id}`), 404, "document_not_found");
  });
});
