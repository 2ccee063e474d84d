import { expect, test } from "bun:test";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createStoreTarget } from "../../src/folders/configured-folders.ts";
import { hashBytes, type SmallFile } from "../../src/folders/target.ts";
import { createPipeline } from "../../src/ingest/prepare/pipeline.ts";
import { configuredPrincipal } from "../../src/program/operator.ts";
import { startTestServer, type TestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { eventually, until } from "../until.ts";

const top = await temporaryFolder("configured-folders");

interface Listed {
  id: string;
  name: string;
  status: string;
  error: string | null;
  updatedAt: string;
  metadata: Record<string, unknown>;
}

const list = async (server: TestServer): Promise<Listed[]> =>
  (await (await server.call("/api/document?limit=100")).json()) as Listed[];

const untilListed = async (server: TestServer, isSo: (documents: Listed[]) => boolean): Promise<Listed[]> => {
  let documents: Listed[] = [];
  await until(async () => {
    documents = await list(server);
    return isSo(documents);
  }, isSo.toString());
  return documents;
};

const named = (documents: Listed[], name: string): Listed | undefined => documents.find((one) => one.name === name);

test("a configured folder: processed, failed, changed, moved, gone; nothing again after a restart", async () => {
  const path = join(top, "handbook");
  await mkdir(join(path, "pumps"), { recursive: true });
  await writeFile(join(path, "pumps/primary.md"), "# Pumps\n\nThe primary pump is serviced every 400 hours.\n");
  await writeFile(join(path, "hours.txt"), "The library opens at nine.");
  await writeFile(join(path, "blob.bin"), "\u0000\u0001\u0002\u0000");
  const dataDir = join(top, "data");
  const folders = [{ path, partition: "Manuals", watch: true, exclude: [] }];
  const server = await startTestServer({ folders }, {}, dataDir);
  const first = await untilListed(
    server,
    (documents) => documents.length === 3 && documents.every(({ status }) => ["processed", "failed"].includes(status)),
  );
  expect(named(first, "blob.bin")).toMatchObject({ status: "failed", error: expect.stringMatching(/./) });
  expect(named(first, "pumps/primary.md")).toMatchObject({
    status: "processed",
    metadata: { path: "pumps/primary.md", bytes: 55 },
  });
  expect(JSON.stringify(first)).not.toContain(top);
  const partitions = (await (await server.call("/api/partition")).json()) as { name: string; documents: number }[];
  expect(partitions.map(({ name, documents }) => [name, documents])).toEqual([["Manuals", 3]]);
  await server.stop();

  // While nobody looked: one changed, one moved, one is gone; somebody else's document stays.
  await writeFile(join(path, "hours.txt"), "The library opens at eight now.");
  await rename(join(path, "pumps/primary.md"), join(path, "primary.md"));
  await rm(join(path, "blob.bin"));
  const again = await startTestServer({ folders }, {}, dataDir);
  const own = {
    name: "own",
    text: "Not of the folder.",
    metadata: { folder: first[0]?.metadata.folder, path: "gone.txt" },
  };
  expect((await again.post("/api/ingest", own)).status).toBe(200);
  const second = await untilListed(
    again,
    (documents) =>
      documents.length === 3 &&
      documents.every(({ status }) => status === "processed") &&
      named(documents, "primary.md") !== undefined &&
      named(documents, "hours.txt")?.metadata.sha256 !== named(first, "hours.txt")?.metadata.sha256,
  );
  expect(named(second, "primary.md")?.id).toBe(named(first, "pumps/primary.md")?.id as string);
  expect(named(second, "hours.txt")?.id).toBe(named(first, "hours.txt")?.id as string);
  expect(named(second, "own")).toBeDefined();
  const answer = await again.post("/api/query", { query: "When does the library open?" });
  expect(((await answer.json()) as { answer: string }).answer).toContain("eight");
  const audited = await again.ask("GET", "/api/audit?action=document.deleted");
  expect(audited.body).toMatchObject([{ actor: { kind: "folder" }, targetId: named(first, "blob.bin")?.id }]);
  await again.stop();

  // A file that is new is taken in: with it a pass over the folder has been made.
  await writeFile(join(path, "new.txt"), "The library closes at six.");
  const third = await startTestServer({ folders }, {}, dataDir);
  await untilListed(third, (documents) => named(documents, "new.txt")?.status === "processed");
  const outline = (documents: Listed[]) =>
    documents.map(({ id, updatedAt, metadata }) => ({ id, updatedAt, metadata }));
  const others = (await list(third)).filter(({ name }) => name !== "new.txt");
  expect(outline(others)).toEqual(outline(second));
});

test("a partition that is changed in the configuration takes the documents with it, read once", async () => {
  const path = join(top, "moving");
  await mkdir(path);
  await writeFile(join(path, "a.txt"), "The library opens at nine.");
  const dataDir = join(top, "moving-data");
  const server = await startTestServer(
    { folders: [{ path, partition: null, watch: false, exclude: [] }] },
    {},
    dataDir,
  );
  const [before] = await untilListed(server, (documents) => documents[0]?.status === "processed");
  await server.stop();
  const again = await startTestServer(
    { folders: [{ path, partition: "New", watch: false, exclude: [] }] },
    {},
    dataDir,
  );
  const found = async () => (await (await again.call("/api/partition")).json()) as { documents: number }[];
  await eventually(async () => expect(await found()).toMatchObject([{ documents: 1 }]));
  expect((await list(again)).map(({ id }) => id)).toEqual([before?.id as string]);
});

test("small texts are read and stored together, each with its file; what cannot be read becomes a failed document", async () => {
  const server = await startTestServer();
  const { work, store } = server.program.deps;
  let publications = 0;
  const documents: typeof store.documents = {
    ...work.store.documents,
    publishNew(published) {
      publications += 1;
      return work.store.documents.publishNew(published);
    },
  };
  const folder = join(top, "many-small");
  const pipeline = createPipeline({
    store: { ...work.store, documents },
    fetchUrl: () => Promise.reject(new Error("nothing is fetched")),
    parser: server.program.deps.triedParts.builtinParser,
    embeddingFor: server.program.deps.embedder.modelFor,
    maxDocumentBytes: 1_000_000,
    log: server.program.deps.log,
  });
  const target = createStoreTarget({
    work: { ...work, store: { ...work.store, documents }, pipeline },
    principal: await configuredPrincipal(store),
    folder,
    partition: "Small",
    maxDocumentBytes: 1_000_000,
    readsTexts: true,
  });
  const fileOf = (path: string, text: string): SmallFile => {
    const read = new TextEncoder().encode(text);
    const seen = { bytes: read.length, modifiedAt: new Date(0).toISOString(), changedMs: 0, inode: 1, volume: "" };
    const absolutePath = join(folder, path);
    return { ...seen, absolutePath, path, read, content: new Blob([read]), sha256: hashBytes(read) };
  };
  const files = Array.from({ length: 30 }, (_, at) => fileOf(`${at}.md`, `# File ${at}\n\nThe pump ${at} is blue.`));
  const { signal } = new AbortController();
  const outcomes = (await target.putTogether?.([...files, fileOf("blank.md", " \n ")], signal)) ?? [];
  expect(publications).toBe(1);
  expect(outcomes.slice(0, 30)).toEqual(
    files.map(() => ({ stored: true, documentId: expect.any(String), status: "processed" })),
  );
  const blank = await untilListed(server, (all) => named(all, "blank.md")?.status === "failed");
  expect(blank).toHaveLength(31);
  // Each has its file, and the one that is replaced keeps its id.
  const first = named(blank, "7.md");
  const file = await server.call(`/api/document/${first?.id}/file`);
  expect(await file.text()).toBe("# File 7\n\nThe pump 7 is blue.");
  const [again] = (await target.putTogether?.([fileOf("7.md", "The pump 7 is green.")], signal)) ?? [];
  expect(again).toEqual({ stored: true, documentId: first?.id as string, status: "processed" });
  expect(await (await server.call(`/api/document/${first?.id}/file`)).text()).toBe("The pump 7 is green.");
});
