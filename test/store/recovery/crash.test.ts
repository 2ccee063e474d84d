import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../../../src/store/contract.ts";
import { openStore } from "../../../src/store/open.ts";
import { tenantOf } from "../../../tools/samples/records.ts";
import { silentLog } from "../open-temporary-store.ts";
import { storedRows } from "../vectors/made-vectors.ts";

const tenant = tenantOf();
const scope = { documentId: null, partitionId: null, metadata: null };
const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "carrel-crash-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** A document's revision; "pending" where it has none yet, "none" where there is no such document. */
type State = string;
/** What each document may be: what the child was told is done, and what it was about to do. */
const allowed = new Map<string, State[]>();

const killAfter = async (round: number, lines: number): Promise<void> => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "crash-child.ts"), dataDir, `${round}`], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let seen = 0;
  let rest = "";
  for await (const chunk of child.stdout) {
    const parts = (rest + new TextDecoder().decode(chunk)).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      const [event, id = "", revision = ""] = line.split(" ");
      const before = allowed.get(id) ?? ["none"];
      if (event === "adding") allowed.set(id, [...before, "pending"]);
      if (event === "added") allowed.set(id, ["pending"]);
      if (event === "publishing") allowed.set(id, [...before, revision]);
      if (event === "published") allowed.set(id, [revision]);
      if (event === "removing") allowed.set(id, [...before, "none"]);
      if (event === "removed") allowed.set(id, ["none"]);
      seen += 1;
    }
    if (seen >= lines) child.kill("SIGKILL");
  }
  await child.exited;
};

/** @returns the current revisions, and whether each has its vectors */
const check = async (store: Store): Promise<Map<string, boolean>> => {
  const { items, total } = await store.documents.list(tenant, {}, { limit: 10_000, skip: 0, sortOrder: "asc" });
  expect(items).toHaveLength(total);
  const byId = new Map(items.map((document) => [document.id, document]));
  for (const [id, states] of allowed) {
    const document = byId.get(id);
    const state: State = document === undefined ? "none" : (document.revision ?? "pending");
    expect(states).toContain(state);
    allowed.set(id, [state]); // it stays that from now on
  }
  expect(items.filter(({ id }) => !allowed.has(id))).toEqual([]);
  const view = store.openSnippets();
  const hits = await view.searchText(tenant, scope, [{ term: "apple", weight: 1 }], {
    limit: 10_000,
    titleWeight: 0,
    headingWeight: 0,
  });
  view.close();
  const found = Map.groupBy(hits, (hit) => hit.documentId);
  const texts = await store.documents.getTexts(items);
  for (const document of items) {
    expect(["processed", "pending"]).toContain(document.status);
    const revision = document.revision;
    expect((found.get(document.id) ?? []).map((hit) => hit.revision)).toEqual(
      revision === null ? [] : [revision, revision],
    );
    expect(texts.get(document.id)).toBe(revision === null ? "apple pending" : `apple ${revision}`);
    expect(await store.blobs.read(document.blobHash ?? "")).not.toBeNull();
    found.delete(document.id);
  }
  expect([...found.keys()]).toEqual([]); // no snippet without its document
  const files = (await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  expect(files).toHaveLength(items.length);
  const current = items.filter(({ revision }) => revision !== null);
  const haveVectors = await store.vectors.haveVectors(current);
  return new Map(current.map(({ revision }, index) => [revision ?? "", haveVectors[index] === true]));
};

test("killed again and again: no acknowledged write is lost, none is left half done", async () => {
  for (let round = 0; round < 4; round += 1) {
    await killAfter(round, 6 + round * 7);
    const store = await openStore({
      dataDir,
      index,
      log: silentLog,
      syncWrites: false,
      segmentRows: { full: 10, merged: 60 },
    });
    const haveVectors = await check(store);
    await store.close();
    // The vectors of a revision are there wholly or not at all, and none of another.
    const whole = [...haveVectors].filter(([, has]) => has).map(([revision]) => revision);
    expect(await storedRows(dataDir)).toEqual(whole.flatMap((revision) => [`${revision} 0`, `${revision} 1`]).sort());
    if (round === 3) expect(whole.length).toBeGreaterThan(0);
  }
  expect(allowed.size).toBeGreaterThan(8);
  const tables = await readdir(join(dataDir, "tables"));
  for (const kind of ["snippets_", "vectors_"])
    expect(tables.filter((name) => name.startsWith(kind)).length).toBeGreaterThan(1);
});
