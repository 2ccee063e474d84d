import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import type { Store } from "../../../src/store/contract.ts";
import { textIsLost } from "../../../src/store/engine/damage.ts";
import { connect } from "../../../src/store/engine/lance.ts";
import { openStore } from "../../../src/store/open.ts";
import { StoreDamagedError } from "../../../src/store/recovery/check-table.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";

const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
const scope = { documentId: null, partitionId: null, metadata: null };
let dataDir: string;
let lines: { level: number; table?: string; msg: string }[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "carrel-damage-"));
  lines = [];
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const log = pino({ level: "warn" }, { write: (line: string) => lines.push(JSON.parse(line)) });
const open = (): Promise<Store> =>
  openStore({ dataDir, index, log, syncWrites: false, segmentRows: { full: 3, merged: 0 } });
/** What the start is refused with; empty where it is not. */
const refusal = (): Promise<string> =>
  open().then(
    (store) => store.close().then(() => ""),
    (error: unknown) => (error instanceof StoreDamagedError ? error.message : String(error)),
  );
const tablePath = (name: string, ...path: string[]): string => join(dataDir, "tables", `${name}.lance`, ...path);
const manifestsOf = async (name: string): Promise<string[]> =>
  (await readdir(tablePath(name, "_versions"))).filter((file) => file.endsWith(".manifest")).sort();
const warned = (table: string): string[] => lines.filter((line) => line.table === table).map(({ msg }) => msg);
const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const damageFiles = async (folder: string, damage: (path: string) => Promise<void>): Promise<void> => {
  for (const name of await filesIn(folder)) await damage(join(folder, name));
};
const listed = async (store: Store) =>
  (await store.documents.list(tenantOf(), {}, { limit: 10, skip: 0, sortOrder: "asc" })).items;
const found = async (store: Store, term: string): Promise<string[]> => {
  const view = store.openSnippets();
  const options = { limit: 10, titleWeight: 0, headingWeight: 0 };
  const hits = await view.searchText(tenantOf(), scope, [{ term, weight: 1 }], options);
  view.close();
  return hits.map(({ text }) => text).sort();
};

/**
 * One document of each kind, in a store that was closed in an orderly way. Its tables are not sealed, as after a crash: with
 * a seal, more is mended (flipped-bytes.test.ts).
 * @returns the name of the snippets table
 */
const fill = async (): Promise<string> => {
  const store = await open();
  const { id } = await store.organizations.upsert("first");
  await store.organizations.upsert("second");
  const tenant = { organizationId: id, partitionId: null };
  await store.partitions.upsert(tenant, "shelf");
  const key = { userId: "u", name: "n", role: "admin" as const, partitionId: null, createdAt: 1, expiresAt: null };
  await store.keys.add({ ...key, id: "k", organizationId: id, hash: "hash" });
  const { hash } = await store.blobs.put(new TextEncoder().encode("apple file"), 100);
  const documents = [
    sampleDocument({ name: "text", createdAt: 1, textHash: "t" }),
    sampleDocument({ name: "file", createdAt: 2, textHash: "f", sourceKind: "file", blobHash: hash }),
    sampleDocument({
      name: "page",
      createdAt: 3,
      textHash: "p",
      sourceKind: "website",
      originalUrl: "https://a.test/",
    }),
  ];
  const indexId = store.indexes.active().id;
  for (const document of documents) {
    const snippets = sampleSnippets(document, [indexId], [`apple ${document.name}`]);
    await store.documents.publish(document, `apple ${document.name}`, snippets);
  }
  await store.close();
  for (const name of await readdir(join(dataDir, "tables"))) await rm(join(dataDir, "tables", name, "_seal.json"));
  return `snippets_${indexId}`;
};

const manifestDamages: [string, (path: string) => Promise<void>][] = [
  ["empty", (path) => truncate(path, 0)],
  ["cut off", (path) => truncate(path, 100)],
  ["zeros", async (path) => writeFile(path, new Uint8Array((await readFile(path)).length))],
  [
    "zeros with the right end",
    async (path) => {
      const bytes = await readFile(path);
      await writeFile(path, bytes.fill(0, 0, bytes.length - 4));
    },
  ],
];

test.each(manifestDamages)(
  "newest manifest %s: an older version is used, and the table as it was is kept",
  async (_, damage) => {
    await fill();
    const before = await filesIn(tablePath("documents"));
    const [newest = ""] = await manifestsOf("documents");
    await damage(tablePath("documents", "_versions", newest));
    const store = await open();
    expect((await listed(store)).map(({ name }) => name)).toEqual(["text", "file"]);
    expect(await found(store, "apple")).toEqual(["apple file", "apple text"]);
    await store.close();
    expect(warned("documents")).toEqual([expect.stringContaining("set aside in the quarantine; an older one is used")]);
    const [start = ""] = await readdir(join(dataDir, "quarantine"));
    const kept = await filesIn(join(dataDir, "quarantine", start));
    for (const file of before) expect(kept).toContain(`tables/documents.lance/${file}`);
    expect(kept.filter((file) => file.startsWith("with-documents/tables/texts.lance/data/"))).toHaveLength(3);
    expect(kept.filter((file) => file.startsWith("with-documents/files/"))).toHaveLength(1);
  },
);

test("documents without their files: the start is refused, changes nothing, and succeeds when they are restored", async () => {
  await fill();
  const copy = join(dataDir, "copy");
  await cp(tablePath("documents"), copy, { recursive: true });
  await damageFiles(tablePath("documents", "data"), (path) => truncate(path, 0));
  const before = await filesIn(dataDir);
  const message = await refusal();
  expect(message).toStartWith(
    `The data in ${dataDir} cannot be opened: tables/documents.lance (the list of documents) is `,
  );
  expect(message).toContain("restore it from the last backup, or start with an empty store in another dataDir");
  expect(await filesIn(dataDir)).toEqual(before);
  await rm(tablePath("documents"), { recursive: true });
  expect(await refusal()).toContain("tables/documents.lance (the list of documents) is missing");
  await rename(copy, tablePath("documents"));
  const store = await open();
  expect((await listed(store)).map(({ status }) => status)).toEqual(["processed", "processed", "processed"]);
  await store.close();
  expect(lines).toEqual([]);
});

test.each(["organizations", "partitions", "keys", "chats", "messages"])(
  "%s without an intact version, or missing: refused until the operator decides",
  async (name) => {
    await fill();
    for (const manifest of await manifestsOf(name)) await truncate(tablePath(name, "_versions", manifest), 0);
    expect(await refusal()).toContain(`tables/${name}.lance`);
    await rm(tablePath(name), { recursive: true });
    expect(await refusal()).toContain("is missing: restore it from the last backup, or ");
    await mkdir(join(dataDir, "quarantine", `${name}.lance`), { recursive: true });
    if (name === "organizations") {
      expect(await refusal()).toContain("start with an empty store in another dataDir");
      return;
    }
    const store = await open();
    expect(store.keys.isEmpty()).toBe(name === "keys");
    expect((await listed(store)).length).toBe(3);
    await store.close();
    expect(warned(name)).toEqual([expect.stringContaining("the operator set it aside")]);
    await rm(tablePath(name), { recursive: true });
    expect(await refusal()).toContain("is missing"); // it counts for one start
  },
);

test.each(["missing", "broken"])(
  "texts %s: documents with a source are read again, others stay found with a warning",
  async (how) => {
    await fill();
    if (how === "missing") await rm(tablePath("texts"), { recursive: true });
    else await damageFiles(tablePath("texts", "data"), (path) => rm(path));
    for (let start = 0; start < 2; start++) {
      const store = await open();
      const documents = await listed(store);
      expect(documents.map(({ status, warnings, textHash }) => [status, warnings, textHash])).toEqual([
        ["processed", [textIsLost], null],
        ["pending", [], null],
        ["pending", [], null],
      ]);
      expect(await found(store, "apple")).toEqual(["apple file", "apple page", "apple text"]);
      expect([...(await store.documents.getTexts(documents))]).toEqual([]);
      await store.close();
      await writeFile(join(dataDir, "lock"), JSON.stringify({ pid: 1, host: "h", startedAt: "2024", address: null }));
    }
    const meaning = "documents from files and addresses are read again";
    expect(warned("texts")).toEqual([expect.stringContaining(meaning)]);
    const kept = await readdir(join(dataDir, "quarantine")).catch(() => []);
    expect(kept).toHaveLength(how === "missing" ? 0 : 1);

    // No text is made up where a document without one gets another name.
    const store = await open();
    const [lost] = await listed(store);
    const name = { name: "renamed", titleTerms: "renamed" };
    const renamed = await store.documents.relabel(tenantOf(), lost?.id ?? "", { name });
    await expect(store.documents.getText(renamed ?? sampleDocument())).rejects.toMatchObject({ code: "data_damaged" });
    expect(await found(store, "apple")).toHaveLength(3);
    await store.close();
  },
);

test.each(["missing", "broken"])(
  "the search index %s: it is marked for a rebuild, and no document loses its text",
  async (how) => {
    const snippets = await fill();
    if (how === "missing") await rm(tablePath(snippets), { recursive: true });
    else await damageFiles(tablePath(snippets, "data"), (path) => truncate(path, 10));
    const store = await open();
    expect(store.indexes.active().analysisVersion).not.toBe(index.analysisVersion);
    const documents = await listed(store);
    // Only the file can tell its pages.
    expect(documents.map(({ status }) => status)).toEqual(["processed", "pending", "processed"]);
    expect([...(await store.documents.getTexts(documents)).values()]).toEqual([
      "apple text",
      "apple file",
      "apple page",
    ]);
    await store.indexes.begin(index);
    expect((await store.indexes.missing(10)).documents.map(({ name }) => name)).toEqual(["text", "file", "page"]);
    await store.close();
    expect(warned(snippets).at(-1)).toContain("it is rebuilt from the texts");
    if (how === "broken") {
      const [start = ""] = await readdir(join(dataDir, "quarantine"));
      expect(await readdir(join(dataDir, "quarantine", start, "tables"))).toEqual([`${snippets}.lance`]);
    }
  },
);

test.each(["missing", "broken"])(
  "the row that names the search index %s: its snippets are found, and it is rebuilt",
  async (how) => {
    const snippets = await fill();
    if (how === "missing") await rm(tablePath("indexes"), { recursive: true });
    else
      for (const manifest of await manifestsOf("indexes"))
        await truncate(tablePath("indexes", "_versions", manifest), 5);
    for (let start = 0; start < 2; start++) {
      const store = await open();
      expect(`snippets_${store.indexes.active().id}`).toBe(snippets);
      expect(store.indexes.active()).toMatchObject({ provider: "unknown", dimensions: 8, analysisVersion: 0 });
      expect(await found(store, "apple")).toEqual(["apple file", "apple page", "apple text"]);
      expect((await listed(store)).map(({ status }) => status)).toEqual(["processed", "processed", "processed"]);
      await store.close();
    }
  },
);

test("snippets at an older version: documents without snippets are processed again", async () => {
  const snippets = await fill();
  const { connection } = await connect(join(dataDir, "tables"));
  const newest = await (await connection.openTable(snippets)).version();
  connection.close();
  const name = (await manifestsOf(snippets)).find(
    (file) => BigInt(file.split(".")[0] ?? 0) === 2n ** 64n - 1n - BigInt(newest),
  );
  await truncate(tablePath(snippets, "_versions", name ?? ""), 0);
  const store = await open();
  const documents = await listed(store);
  expect(documents.map(({ status }) => status)).toEqual(["processed", "processed", "pending"]);
  expect(await store.documents.getText(documents[2] ?? sampleDocument())).toBe("apple page");
  await store.close();
});

test("replaceable tables that are broken or missing start empty, and are named", async () => {
  await fill();
  for (const manifest of await manifestsOf("deliveries"))
    await truncate(tablePath("deliveries", "_versions", manifest), 0);
  await rm(tablePath("site_pages"), { recursive: true });
  await rm(tablePath("meta"), { recursive: true });
  const store = await open();
  expect((await listed(store)).map(({ status }) => status)).toEqual(["processed", "processed", "processed"]);
  await store.close();
  expect(warned("deliveries")).toEqual([expect.stringContaining("webhooks that were not sent yet are lost")]);
  expect(warned("site_pages")).toEqual([expect.stringContaining("fetched again")]);
  expect(warned("meta")).toEqual([expect.stringContaining("migrations from older schemas")]);
});

test.each(["missing", "empty"])("column indexes whose files are %s are rebuilt", async (how) => {
  const first = await open();
  const ids = [first.indexes.active().id];
  for (let count = 0; count < 4; count++) {
    const document = sampleDocument({ name: `n${count}`, createdAt: count });
    await first.documents.publish(document, "apple", sampleSnippets(document, ids, ["apple"]));
  }
  await first.close();
  const snippets = `snippets_${ids[0]}`;
  const { connection } = await connect(join(dataDir, "tables"));
  for (const name of [snippets, "documents"]) await (await connection.openTable(name)).optimize();
  connection.close();
  for (const name of [snippets, "documents"]) {
    await damageFiles(tablePath(name, "_indices"), (path) => (how === "missing" ? rm(path) : truncate(path, 0)));
  }
  const store = await open();
  const [document] = await listed(store);
  expect(await found(store, "apple")).toHaveLength(4);
  const view = store.openSnippets();
  expect(await view.neighbors(tenantOf(), document?.id ?? "", 0, 1)).toHaveLength(1);
  expect(await view.count(tenantOf(), scope)).toEqual({ snippets: 4, documents: 4 });
  view.close();
  await store.close();
  expect(new Set(warned(snippets))).toEqual(new Set(["an index is broken: it is rebuilt"]));
  lines = [];
  await (await open()).close();
  expect(lines).toEqual([]);
});

test("a directory with ingested files but no tables is not a new store", async () => {
  await fill();
  const copy = join(dataDir, "copy");
  await rename(join(dataDir, "tables"), copy);
  expect(await refusal()).toContain("tables/ is missing or empty, while files/ holds ingested files");
  await rename(copy, join(dataDir, "tables"));
  const store = await open();
  expect((await listed(store)).map(({ status }) => status)).toEqual(["processed", "processed", "processed"]);
  await store.close();
});

test.skipIf(process.getuid?.() === 0)("a file that may not be read does not count as broken", async () => {
  await fill();
  const [name = ""] = await readdir(tablePath("documents", "data"));
  const path = tablePath("documents", "data", name);
  await chmod(path, 0o000);
  const before = await filesIn(dataDir);
  expect(await refusal()).toBe(`${path} cannot be read (EACCES): make it readable for the user that Carrel runs as.`);
  expect(await filesIn(dataDir)).toEqual(before);
  await chmod(path, 0o600);
  expect(await refusal()).toBe("");
  expect(lines).toEqual([]);
});

test("a start that is refused after it set something aside leaves the mark to check again", async () => {
  await fill();
  const [newest = ""] = await manifestsOf("texts");
  await truncate(tablePath("texts", "_versions", newest), 0);
  const keys = join(dataDir, "keys");
  await rename(tablePath("keys"), keys);
  expect(await refusal()).toContain("tables/keys.lance (the API keys) is missing");
  await rename(keys, tablePath("keys"));
  const store = await open();
  expect((await listed(store)).map(({ status }) => status)).toEqual(["processed", "processed", "pending"]);
  await store.close();
});
