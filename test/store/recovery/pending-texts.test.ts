import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stagedTextId } from "../../../src/store/documents/pending-texts.ts";
import { connect } from "../../../src/store/engine/lance.ts";
import { openStore } from "../../../src/store/open.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { silentLog } from "../open-temporary-store.ts";

const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
const tenant = tenantOf();
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "carrel-pending-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const open = () => openStore({ dataDir, index, log: silentLog, syncWrites: false });

/** Runs work on the rows of the texts while no store is open; the next start finds that the last did not end cleanly. */
const inTexts = async (work: (texts: Awaited<ReturnType<typeof openTexts>>["texts"]) => Promise<unknown>) => {
  const { connection, texts } = await openTexts();
  await work(texts);
  connection.close();
  await Bun.write(join(dataDir, "lock"), JSON.stringify({ pid: 1, host: "h", startedAt: "2024", address: null }));
};
const openTexts = async () => {
  const { connection } = await connect(join(dataDir, "tables"));
  return { connection, texts: await connection.openTable("texts") };
};
const storedIds = async (): Promise<string[]> => {
  const { connection, texts } = await openTexts();
  const rows = await texts.query().select(["id"]).toArray();
  connection.close();
  return rows.map(({ id }) => String(id)).sort();
};

test("killed while a waiting document gets other names and texts: it has the text of its name", async () => {
  const ids = new Set<string>();
  for (let round = 0; round < 6; round += 1) {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "pending-text-child.ts"), dataDir, `${round}`], {
      stdout: "pipe",
      stderr: "inherit",
    });
    let changes = 0;
    for await (const chunk of child.stdout) {
      for (const id of new TextDecoder().decode(chunk).split("\n")) if (id !== "") ids.add(id);
      changes += 1;
      if (changes < 5) continue;
      await Bun.sleep(round * 4); // somewhere else in the next change
      child.kill("SIGKILL");
    }
    await child.exited;
    const store = await open();
    for (const document of await store.documents.getMany(tenant, [...ids])) {
      expect(document.status).toBe("pending");
      expect(await store.documents.getPendingText(document)).toBe(`text ${document.name}`);
    }
    await store.close();
    expect(await storedIds()).toEqual([...ids].sort());
  }
  expect(ids.size).toBe(6);
});

test("a staged text takes its place where its record was stored, and is removed where not", async () => {
  const store = await open();
  const [indexId] = [store.indexes.active().id];
  const made = (name: string) => sampleDocument({ name, metadata: { b: [1, null], a: "ä" }, originalUrl: null });
  const documents = { stored: made("stored"), notStored: made("not stored"), revised: made("revised") };
  for (const document of [documents.stored, documents.notStored])
    await store.documents.add({ ...document, status: "pending", revision: null }, "former text");
  await store.documents.publish(documents.revised, "text", sampleSnippets(documents.revised, [indexId], ["apple"]));
  await store.documents.patch(tenant, documents.revised.id, { status: "pending" }, "former text");
  const before = await store.documents.getMany(
    tenant,
    Object.values(documents).map(({ id }) => id),
  );
  await store.close();
  const [stored, notStored, revised] = before as [(typeof before)[0], (typeof before)[0], (typeof before)[0]];
  await inTexts(async (texts) => {
    const row = (document: typeof stored, text: string) => ({
      id: stagedTextId(document),
      organizationId: document.organizationId,
      documentId: document.id,
      text,
    });
    const other = { ...notStored, name: "another name" };
    await texts.add([row(stored, "new text"), row(other, "text of another name"), row(revised, "newer text")]);
  });

  const again = await open();
  expect(await again.documents.getPendingText(stored)).toBe("new text");
  expect(await again.documents.getPendingText(notStored)).toBe("former text");
  expect(await again.documents.getPendingText(revised)).toBe("newer text");
  expect(await again.documents.getText(revised)).toBe("text");
  await again.close();
  const left = await storedIds();
  expect(left.filter((id) => id.includes(":"))).toEqual([]);
  expect(left).toContain(`${revised.id}.next`);
});
