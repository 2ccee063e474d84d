import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { formOf } from "../call-server.ts";
import { eventually } from "../until.ts";
import { type EmbedderServer, serveWithEmbedder } from "./serve-with-embedder.ts";

let server: EmbedderServer;
beforeEach(async () => {
  server = await serveWithEmbedder();
});
afterEach(() => server.dispose());

const fruits = ["apples from the old orchard", "pears in the cellar", "plums on the southern wall"];
const ingestAll = async () => {
  for (const text of fruits) expect((await server.ingest(text)).status).toBe(200);
};
const removeTable = (prefix: string): void => {
  const tables = join(server.dataDir, "tables");
  for (const name of readdirSync(tables)) {
    if (name.startsWith(prefix)) rmSync(join(tables, name), { recursive: true });
  }
};
const best = async (query: string) => {
  const { relevantSnippets, receipt } = await server.search(query);
  return { text: relevantSnippets[0]?.metadata.content, vectors: receipt.searched.vectors };
};

test.each(["snippets_", "indexes"])("without %s the search index is built again from the texts", async (table) => {
  await server.restart({});
  await ingestAll();
  const before = await server.status();
  expect(before.building).toBeNull();
  await server.restart({}, () => removeTable(table));
  await server.until(({ building }) => building === null);
  expect(await server.status()).toEqual(before);
  expect(await best("plums wall")).toEqual({ text: fruits[2], vectors: 3 });
  await server.restart({});
  expect(await best("pears cellar")).toEqual({ text: fruits[1], vectors: 3 });
});

test("without the table of texts a file is read again", async () => {
  await server.restart({});
  const form = formOf({ file: new File(["quinces by the gate"], "quinces.txt", { type: "text/plain" }) });
  const { id } = (await (await server.send("/api/ingest", { method: "POST", body: form })).json()) as { id: string };
  await ingestAll();
  await server.restart({}, () => removeTable("texts."));
  const read = async () =>
    (await (await server.send(`/api/document/${id}`)).json()) as { status: string; originalText: string };
  await eventually(async () =>
    expect(await read()).toMatchObject({ status: "processed", originalText: "quinces by the gate" }),
  );
  expect((await best("quinces gate")).text).toBe("quinces by the gate");
  expect((await best("plums wall")).text).toBe(fruits[2]);
});
