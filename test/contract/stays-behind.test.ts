import { afterAll, expect, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "../../src/store/engine/lance.ts";
import { analyze } from "../../src/text/analysis/analyze.ts";
import { formOf } from "../call-server.ts";
import { startTestServer } from "../start-server.ts";
import { filesIn, filesWith, untilNoFileHas } from "../store/erasure/files-with.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { eventually, until } from "../until.ts";
import { secret } from "../webhooks/receiver.ts";

/**
 * A marker goes in through one door after another; when what it stands in is deleted, it has to be in no file of the data
 * directory soon after. The pass that is a minute's limit in a real server comes after a second here.
 */
const eraseWithinMs = 1_000;
const mostMs = 120_000;
/** In data files and in the terms of indexes the marker stands as it is; LanceDB packs longer texts. */
const filler = (n: number): string => `Note ${n}: the harbour office keeps the tide tables of the year in its hall.`;

let pageText = "";
let isTaking = true;
const folder = (): string => join(top, "followed");

const top = await temporaryFolder("stays");
await mkdir(folder(), { recursive: true });
const site = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ url }) => {
    if (url.endsWith("/robots.txt")) return new Response("User-agent: *\nAllow: /\n");
    if (url.endsWith(".xml"))
      return new Response(`<urlset><url><loc>${url.replace(".xml", "-page")}</loc></url></urlset>`);
    if (url.endsWith(".txt")) return new Response(pageText, { headers: { "content-type": "text/plain" } });
    const body = `<html><head><title>${pageText}</title></head><body><article><p>${pageText}</p></article></body></html>`;
    return new Response(body, { headers: { "content-type": "text/html" } });
  },
});
const answer = () => new Response(null, { status: isTaking ? 204 : 503 });
const hook = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
const server = await startTestServer(
  {
    fetch: { allowPrivateAddresses: true },
    folders: [{ path: folder(), partition: "Followed", watch: true, exclude: [] }],
    webhooks: [
      {
        url: hook.url.href,
        secret,
        events: ["document.processed", "document.failed", "document.deleted"],
      },
    ],
  },
  { eraseWithinMs },
  join(top, "data"),
);
afterAll(async () => {
  await site.stop(true);
  await hook.stop(true);
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
type Body = any;

const json = async (response: Response): Promise<Body> => {
  const body = await response.json();
  expect({ status: response.status, body }).toMatchObject({ status: response.status < 300 ? response.status : 200 });
  return body;
};
const ingest = async (body: object): Promise<Body> => json(await server.post("/api/ingest", body));
const remove = async (path: string): Promise<Body> => json(await server.call(path, { method: "DELETE" }));
const put = async (path: string, body: object): Promise<Body> =>
  json(
    await server.call(path, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

await Promise.all(Array.from({ length: 60 }, (_, n) => ingest({ name: `Filler ${n}`, text: filler(n) })));
isTaking = false; // what is to be told of documents from now on waits in the store

/** A word that stands nowhere else, in the forms that a file may hold it in. */
const newMarker = (): { word: string; forms: string[] } => {
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(14)), (byte) =>
    String.fromCharCode(97 + (byte % 26)),
  );
  const word = `Qz${letters.join("")}ing`;
  const stems = analyze(word);
  return { word, forms: [...new Set([word, word.toLowerCase(), word.toUpperCase(), ...stems])] };
};

const untilProcessed = (id: string): Promise<void> =>
  until(async () => (await json(await server.call(`/api/document/${id}`))).status === "processed");

const emptied = /^(documents|texts|snippets_\w+)\.lance[/\\]/;
/** What LanceDB writes once and never changes, but for data files: those stay where no row of them was removed. */
const isMadeFromRows = /[/\\](_indices|_deletions|_versions)[/\\].*(?<!\.json)$/;

/** Files of the tables that every removed document had rows in, which a pass has to make anew. */
const filesOfRows = async (): Promise<string[]> =>
  (await filesIn(join(server.dataDir, "tables"))).filter((path) => emptied.test(path) && isMadeFromRows.test(path));

/** All that the versions on the disk can still tell, unpacked. @throws where the server removes one meanwhile */
const rowsOnDisk = async (leaveOut: readonly string[]): Promise<string> => {
  const { connection } = await connect(join(server.dataDir, "tables"));
  const rows: string[] = [];
  try {
    for (const name of await connection.tableNames()) {
      if (leaveOut.includes(name)) continue;
      const table = await connection.openTable(name);
      for (const { version } of await table.listVersions()) {
        await table.checkout(version);
        for (const row of await table.query().toArray()) rows.push(JSON.stringify(row));
      }
    }
    return rows.join("\n").toLowerCase();
  } finally {
    connection.close();
  }
};

/** Puts the marker in. @returns how it is taken out, and what else has to hold then */
type Door = (word: string) => Promise<{ out: () => Promise<unknown>; after?: () => Promise<unknown> }>;

const doors: Record<string, Door> = {
  "text, name and metadata": async (word) => {
    const { id } = await ingest({ name: `On ${word}`, text: `About ${word}.`, metadata: { [word]: word } });
    return { out: () => remove(`/api/document/${id}`) };
  },
  "a long text that a waiting document came with": async (word) => {
    const { id } = await ingest({ name: "Async", text: `${filler(1)} ${word}. `.repeat(400), async: true });
    await untilProcessed(id);
    return { out: () => remove(`/api/document/${id}`) };
  },
  "a file and its name": async (word) => {
    const form = formOf({ file: new File([`About ${word}.`], `${word}.txt`, { type: "text/plain" }) });
    const { id } = await json(await server.call("/api/ingest", { method: "POST", body: form }));
    return { out: () => remove(`/api/document/${id}`) };
  },
  "a page and its title": async (word) => {
    pageText = `This page is about ${word}, and about nothing else that is worth telling.`;
    const { id } = await ingest({ websiteUrl: `${site.url.href}page-of-${word}` });
    return { out: () => remove(`/api/document/${id}`) };
  },
  "a file at an address": async (word) => {
    pageText = `About ${word}.`;
    const { id } = await ingest({ url: `${site.url.href}${word}.txt` });
    return { out: () => remove(`/api/document/${id}`) };
  },
  "a batch": async (word) => {
    const lines = [1, 2, 3].map((n) => JSON.stringify({ name: `${word} ${n}`, text: `${word} ${n}` })).join("\n");
    const answer = await (await server.call("/api/ingest/batch", { method: "POST", body: lines })).text();
    const lineAnswers = answer.trim().split("\n");
    const ids = lineAnswers.map((line) => JSON.parse(line).id as string);
    for (const id of ids) await untilProcessed(id);
    return { out: () => Promise.all(ids.map((id) => remove(`/api/document/${id}`))) };
  },
  "an idempotency key": async (word) => {
    const send = () =>
      server.call("/api/ingest", {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": word },
        body: JSON.stringify({ name: `Once ${word}`, text: `Once, about ${word}.`, metadata: { word } }),
      });
    const first = await json(await send());
    expect(await json(await send())).toEqual(first);
    return {
      out: () => remove(`/api/document/${first.id}`),
      after: async () => {
        const again = await send();
        expect([again.status, ((await again.json()) as Body).code]).toEqual([404, "document_not_found"]);
      },
    };
  },
  "the sources of a chat": async (word) => {
    const between = [1, 2, 3, 4, 5, 6].map((n) => `Train ${n} leaves the northern station at ${n + 5} in the morning.`);
    const text = ["The lighthouse door is painted green.", ...between, `Bread cost four pence in ${word}.`].join(" ");
    const { id } = await ingest({ name: "Lighthouse", text });
    const chat = await json(await server.post("/api/chat", { documentId: id }));
    const sent = await json(
      await server.post(`/api/chat/${chat.id}/message`, { message: "Is the lighthouse door painted green?" }),
    );
    expect(sent.message).not.toContain(word);
    expect(sent.sourceDocuments[0].metadata.content).toContain(word);
    const messages = async () => (await json(await server.call(`/api/chat/${chat.id}`))).messages;
    const isReduced = async () => {
      const [question, answer] = await messages();
      expect(question.message).toBe("Is the lighthouse door painted green?");
      expect(answer.message).toBe(sent.message);
      expect(answer.sourceDocuments).toHaveLength(sent.sourceDocuments.length);
      for (const source of answer.sourceDocuments) {
        expect(source).toMatchObject({
          deleted: true,
          pageContent: "",
          metadata: { documentUploadId: id, deleted: true },
        });
        expect(source.metadata).not.toHaveProperty("content");
      }
    };
    return {
      async out() {
        await remove(`/api/document/${id}`);
        await isReduced();
      },
      after: isReduced,
    };
  },
  "a deleted chat": async (word) => {
    const chat = await json(await server.post("/api/chat", { title: `On ${word}`, brandSettings: { word } }));
    await json(await server.post(`/api/chat/${chat.id}/message`, { message: `What is ${word}?` }));
    return { out: () => remove(`/api/chat/${chat.id}`) };
  },
  "a message of a visitor": async (word) => {
    const { id } = await json(await server.post("/api/chat", { public: true }));
    const sent = await fetch(`${server.url}/api/chat/${id}/message`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message: `What is ${word}?` }),
    });
    expect(sent.status).toBe(200);
    await sent.arrayBuffer();
    return { out: () => remove(`/api/chat/${id}`) };
  },
  "settings of a chat that were changed before": async (word) => {
    const { id } = await json(await server.post("/api/chat", {}));
    await put(`/api/chat/${id}`, { title: `On ${word}`, prompt: `Speak of ${word}. {query}`, public: true });
    await put(`/api/chat/${id}`, { title: "Another", prompt: null });
    return { out: () => remove(`/api/chat/${id}`) };
  },
  "a file that could not be read": async (word) => {
    const form = formOf({
      async: "true",
      file: new File([`%PDF-1.4 broken, about ${word}`], `${word}.pdf`, { type: "application/pdf" }),
    });
    const { id } = await json(await server.call("/api/ingest", { method: "POST", body: form }));
    await until(async () => (await json(await server.call(`/api/document/${id}`))).status === "failed");
    return { out: () => remove(`/api/document/${id}`) };
  },
  "an ingest that fails while it is waited for": async (word) => {
    const form = formOf({
      partition: `Part ${word}`,
      file: new File([`%PDF-1.4 broken, about ${word}`], `${word}.pdf`, { type: "application/pdf" }),
    });
    const kept = formOf({ file: new File([`About ${word}.`], `${word}.txt`) });
    const { id } = await json(await server.call("/api/ingest", { method: "POST", body: kept }));
    expect((await server.call("/api/ingest", { method: "POST", body: form })).status).toBe(422);
    return { out: () => remove(`/api/document/${id}`) };
  },
  "the pages of a sitemap": async (word) => {
    pageText = `This page is about ${word}, and about nothing else that is worth telling.`;
    const rootDomain = `${site.url.href}map-of-${word}.xml`;
    const { documents } = await json(await server.post("/api/scanSitemap", { rootDomain }));
    expect(documents).toHaveLength(1);
    await untilProcessed(documents[0].id);
    return { out: () => remove(`/api/document/${documents[0].id}`) };
  },
  "an import": async (word) => {
    const exported = async (): Promise<Body[]> =>
      (await (await server.call("/api/export")).text())
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    const { id } = await ingest({ name: "To be exported", text: "Exported to be imported again." });
    const entry = (await exported()).find(({ kind, record }) => kind === "document" && record.id === id);
    await remove(`/api/document/${id}`);
    const record = { ...entry.record, id: Bun.randomUUIDv7(), name: `On ${word}`, text: `Imported, ${word}.` };
    const imported = await server.call("/api/import", { method: "POST", body: JSON.stringify({ ...entry, record }) });
    expect((await json(imported)).documents.added).toBe(1);
    const [document] = await json(await server.call(`/api/document?searchValue=${word}`));
    await untilProcessed(document.id);
    return { out: () => remove(`/api/document/${document.id}`) };
  },
  "a followed folder": async (word) => {
    const path = join(folder(), `${word}.txt`);
    await writeFile(path, `About ${word}.`);
    const listed = async () => (await json(await server.call(`/api/document?searchValue=${word}`))) as Body[];
    await until(async () => (await listed())[0]?.status === "processed");
    return {
      async out() {
        await rm(path);
        await until(async () => (await listed()).length === 0);
      },
    };
  },
  "a partition deleted with its documents": async (word) => {
    const { partitionId } = await ingest({ name: "Inside", text: `Inside, ${word}.`, partition: `Part ${word}` });
    return { out: () => remove(`/api/partition/${partitionId}?documents=delete`) };
  },
  "what an update replaces": async (word) => {
    const { id } = await ingest({ name: `Old ${word}`, text: `Old text, ${word}.`, metadata: { word } });
    return { out: () => put(`/api/document/${id}`, { name: "New", text: "New text.", metadata: {} }) };
  },
  "what an upsert replaces": async (word) => {
    const metadata = { externalId: "upserted" };
    await ingest({ name: `Old ${word}`, text: `Old text, ${word}.`, metadata, upsert: true });
    return { out: () => ingest({ name: "New", text: "New text.", metadata, upsert: true }) };
  },
};

/** A webhook goes on telling what it was written for while there is the document that it tells of. */
const staysADocument = ["what an update replaces", "what an upsert replaces"];

test("what came in through any door leaves nothing behind when it is deleted", async () => {
  const entered: { name: string; word: string; forms: string[]; door: Awaited<ReturnType<Door>> }[] = [];
  for (const [name, door] of Object.entries(doors)) {
    const { word, forms } = newMarker();
    entered.push({ name, word, forms, door: await door(word) });
    // The same look finds it while it is there.
    expect([name, await filesWith(server.dataDir, forms)]).not.toEqual([name, []]);
  }
  const before = await filesOfRows();
  for (const { door } of entered) await door.out();
  // Longer texts and the terms of indexes are packed, and no search for bytes finds them.
  const stale = async () => (await filesOfRows()).filter((path) => before.includes(path));
  await eventually(async () => expect(await stale()).toEqual([]));
  const mayStay = (name: string) => (path: string) =>
    staysADocument.includes(name) && path.includes("deliveries.lance");
  for (const { name, forms } of entered)
    expect([name, await untilNoFileHas(server.dataDir, forms, mostMs, mayStay(name))]).toEqual([name, []]);
  const rows = await eventually(() => rowsOnDisk([]));
  const rowsBeside = await eventually(() => rowsOnDisk(["deliveries"]));
  for (const { name, forms } of entered) {
    const told = staysADocument.includes(name) ? rowsBeside : rows;
    expect([name, forms.filter((form) => told.includes(form.toLowerCase()))]).toEqual([name, []]);
  }
  for (const { name, forms, door } of entered) {
    await door.after?.();
    expect([name, await filesWith(server.dataDir, forms, mayStay(name))]).toEqual([name, []]);
  }
  const query = "Where does the harbour office keep the tide tables?";
  expect((await json(await server.post("/api/query", { query }))).relevantSnippets.length).toBeGreaterThan(0);
});
