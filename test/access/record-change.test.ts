import { afterAll, expect, setSystemTime, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { recordChange } from "../../src/access/record-change.ts";
import { pruneOld } from "../../src/audit/notes.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { createLogger } from "../../src/log/log.ts";
import type { Store } from "../../src/store/contract.ts";
import { openStore } from "../../src/store/open.ts";
import { liveFor } from "../store/live-for.ts";
import { openTemporaryStore, silentLog } from "../store/open-temporary-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const opened = await openTemporaryStore();
afterAll(() => opened.dispose());

const maker = {
  principal: { organizationId: "o", partitionId: null, userId: "anna", role: "admin", keyId: null },
  address: "local",
  requestId: "r1",
} as const;
const everything = { limit: 100, skip: 0, sortOrder: "asc" } as const;
const listed = async (store: Store = opened.store, organizationId = "o") =>
  (await store.audit.list(organizationId, { since: 0 }, everything)).items.map(({ targetId, outcome }) => [
    targetId,
    outcome,
  ]);
const change = (targetId: string) => ({ action: "document.deleted", targetId }) as const;
const deps = () => ({ store: opened.store, log: silentLog });

test("the entry is there before the change is, also for whoever opens what a crash left", async () => {
  const folder = await temporaryFolder("audit");
  try {
    await recordChange(deps(), maker, change("crashed"), async () => {
      expect(await listed()).toEqual([["crashed", "done"]]);
      // The files as a kill at this moment leaves them.
      cpSync(opened.dataDir, folder, { recursive: true, filter: (path) => !path.endsWith("lock") });
    });
    const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
    const after = await openStore({ dataDir: folder, index, log: silentLog, syncWrites: false });
    expect(await listed(after)).toEqual([["crashed", "done"]]);
    await after.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a refused change leaves no entry; one that failed, or may be done in part, says so", async () => {
  const before = await listed();
  const refuse = () => Promise.reject(new ApiError("document_not_found", "gone"));
  await expect(recordChange(deps(), maker, change("refused"), refuse)).rejects.toThrow("gone");
  expect(await listed()).toEqual(before);
  const inPart = recordChange(deps(), maker, { ...change("in part"), mayBePartial: true }, refuse);
  await expect(inPart).rejects.toThrow("gone");
  const fail = () => Promise.reject(new Error("the disk broke"));
  await expect(recordChange(deps(), maker, change("failed"), fail)).rejects.toThrow("the disk broke");
  expect((await listed()).slice(before.length)).toEqual([
    ["in part", "failed"],
    ["failed", "failed"],
  ]);
});

test("a full disk keeps nobody from deleting: the entry is logged, and stored once there is room", async () => {
  let isFull = true;
  let logged = "";
  const add = (entry: Parameters<Store["audit"]["add"]>[0]) =>
    isFull ? Promise.reject(new ApiError("storage_unavailable", "full")) : opened.store.audit.add(entry);
  const store = { ...opened.store, audit: { ...opened.store.audit, add } };
  const log = createLogger({ level: "info", format: "json" }, (line) => {
    logged += line;
  });
  await recordChange({ store, log }, maker, change("room"), async () => {
    isFull = false;
  });
  expect(logged).toContain("cannot be stored: the disk is full");
  expect(logged).toContain('"targetId":"room"');
  expect((await listed()).at(-1)).toEqual(["room", "done"]);
  // Any other failure to record keeps the change from happening.
  const broken = { ...opened.store.audit, add: () => Promise.reject(new Error("broken table")) };
  let isDone = false;
  const attempt = recordChange({ store: { ...store, audit: broken }, log }, maker, change("x"), async () => {
    isDone = true;
  });
  await expect(attempt).rejects.toThrow("broken table");
  expect(isDone).toBe(false);
});

test("old entries are removed at the start, however many", async () => {
  const old = Date.now();
  const entry = { id: "", organizationId: "many", createdAt: old, action: "key.revoked", actor: "operator" } as const;
  const rest = {
    keyId: null,
    keyName: null,
    userId: "u",
    details: {},
    outcome: "done",
    address: "local",
    requestId: null,
  } as const;
  await Promise.all(
    Array.from({ length: 1_500 }, (_, at) =>
      opened.store.audit.add({ ...entry, ...rest, id: Bun.randomUUIDv7(), targetId: String(at) }),
    ),
  );
  liveFor(opened.store.ages, 91);
  await opened.store.audit.add({ ...entry, ...rest, id: Bun.randomUUIDv7(), createdAt: Date.now(), targetId: "young" });
  await pruneOld(opened.store, { receiptsMs: 1_000 }, silentLog).close();
  setSystemTime();
  expect(await listed(opened.store, "many")).toEqual([["young", "done"]]);
});
