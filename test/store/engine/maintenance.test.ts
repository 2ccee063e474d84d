import { expect, jest, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate } from "../../../src/async/keyed-mutex.ts";
import { connect, type LanceTable } from "../../../src/store/engine/lance.ts";
import { createMaintenance, type MaintenanceOptions } from "../../../src/store/engine/maintenance.ts";
import { metaRows } from "../../../src/store/engine/meta-rows.ts";
import type { StoreTable } from "../../../src/store/engine/store-table.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import { maxUntidied } from "../../../src/store/engine/upkeep-due.ts";
import { createUpkeepHere } from "../../../src/store/upkeep/upkeep-here.ts";
import { sampleDocument, tenantOf } from "../../../tools/samples/records.ts";
import { eventually } from "../../until.ts";
import { openTemporaryStore, passiveHooks, silentLog } from "../open-temporary-store.ts";

const filesOf = async (dataDir: string, table: string): Promise<number> =>
  (await readdir(join(dataDir, "tables", `${table}.lance`), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length;

const noWork = {
  tidy: async () => ({
    isNew: false,
    currentSince: 0,
    hasOlder: false,
    vectorIndexRows: null,
    unindexedRows: {},
    failure: null,
  }),
};

const randomText = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes / 2))).toString("hex");

const noOpener = {
  withNewest: () => Promise.reject(new Error("no table is opened")),
};

/** No run waits for a turn or a gate. */
const atOnce: Pick<MaintenanceOptions, "log" | "opener" | "turn" | "upkeepGate"> = {
  log: silentLog,
  opener: noOpener,
  turn: (work) => work(),
  upkeepGate: { shared: (work) => work() },
};

/** Lets runs go on under fake timers. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
};

/** A table that does no work of its own. */
const idleTable = (
  sinceUpkeep: StoreTable<unknown>["sinceUpkeep"],
  onRun: () => void,
  bytes = 0,
): StoreTable<unknown> => {
  return {
    definition: { name: "sample" },
    bytes: async () => bytes,
    beside: async (work: () => Promise<void>) => {
      onRun();
      await work();
    },
    mayHaveStrayFiles: () => false,
    sinceUpkeep,
    noteUpkeep: () => undefined,
    oldestReadVersion: () => new Date(),
    noteVersion: () => undefined,
    sync: async () => undefined,
  } as unknown as StoreTable<unknown>;
};

test("a table is tidied after so many commits or rows, sooner if it is read", async () => {
  let written = { commits: 0, rows: 0, wasRead: false };
  let runs = 0;
  const table = idleTable(
    () => written,
    () => {
      runs += 1;
    },
  );
  const limits = {
    read: { commits: 3, rows: 20 },
    unread: { commits: 5, rows: 100 },
    searchedApart: { commits: 4, rows: 50 },
    quiet: maxUntidied.searched.quiet,
  };
  const runsAfter = async (commits: number, rows: number, wasRead: boolean, apart = false): Promise<number> => {
    const maintenance = createMaintenance(() => table, {
      log: silentLog,
      work: noWork,
      opener: noOpener,
      turn: (work) => work(),
      upkeepGate: createGate(),
      limits,
      upkeep: { searchesAdded: () => apart },
    });
    written = { commits, rows, wasRead };
    runs = 0;
    maintenance.noteCommit();
    maintenance.stop();
    await Bun.sleep(0);
    return runs;
  };
  expect(await runsAfter(2, 19, true)).toBe(0);
  expect(await runsAfter(3, 3, true)).toBe(1);
  expect(await runsAfter(1, 20, true)).toBe(1);
  expect(await runsAfter(3, 49, true, true)).toBe(0);
  expect(await runsAfter(4, 4, true, true)).toBe(1);
  expect(await runsAfter(1, 50, true, true)).toBe(1);
  expect(await runsAfter(4, 99, false)).toBe(0);
  expect(await runsAfter(4, 99, false, true)).toBe(0);
  expect(await runsAfter(5, 5, false)).toBe(1);
  expect(await runsAfter(1, 100, false)).toBe(1);
});

test("what was written is tidied after a silence that is longer the less it is and the larger the table", async () => {
  jest.useFakeTimers();
  try {
    const runsAfterSilence = async (commits: number, rows: number, ms: number, bytes = 0): Promise<number> => {
      let runs = 0;
      const table = idleTable(
        () => ({ commits, rows, wasRead: false }),
        () => {
          runs += 1;
        },
        bytes,
      );
      const maintenance = createMaintenance(() => table, {
        ...atOnce,
        work: noWork,
        limits: maxUntidied.searched,
      });
      maintenance.noteCommit();
      for (let waited = 0; waited < ms; waited += 1_000) {
        jest.advanceTimersByTime(Math.min(1_000, ms - waited));
        await settle();
      }
      maintenance.stop();
      return runs;
    };
    expect(await runsAfterSilence(16, 16, 999)).toBe(0);
    expect(await runsAfterSilence(16, 16, 1_000)).toBe(1);
    expect(await runsAfterSilence(1, 1_000, 1_000)).toBe(1);
    expect(await runsAfterSilence(15, 999, 9_999)).toBe(0);
    expect(await runsAfterSilence(1, 1, 10_000)).toBe(1);
    expect(await runsAfterSilence(0, 0, 10_000)).toBe(1); // the last process may have left files
    expect(await runsAfterSilence(1, 1_000, 3_999, 100_000_000)).toBe(0);
    expect(await runsAfterSilence(1, 1_000, 4_000, 100_000_000)).toBe(1);
    expect(await runsAfterSilence(1, 1, 39_999, 100_000_000)).toBe(0);
    expect(await runsAfterSilence(1, 1, 40_000, 100_000_000)).toBe(1);
    expect(await runsAfterSilence(0, 0, 10_000, 100_000_000)).toBe(1); // removes files, and rewrites none
  } finally {
    jest.useRealTimers();
  }
});

test("files that a run leaves are removed by the next, also where the silence ended during the run", async () => {
  jest.useFakeTimers();
  try {
    let commits = 96;
    let runs = 0;
    const tidied = Promise.withResolvers<void>();
    const table = idleTable(
      () => ({ commits, rows: commits, wasRead: false }),
      () => {
        runs += 1;
      },
    );
    const maintenance = createMaintenance(() => table, {
      ...atOnce,
      work: {
        async tidy() {
          commits = 0;
          await tidied.promise;
          return { ...(await noWork.tidy()), hasOlder: true };
        },
      },
      limits: maxUntidied.other,
    });
    maintenance.noteCommit();
    await settle();
    jest.advanceTimersByTime(1_000);
    expect(runs).toBe(1);
    tidied.resolve();
    await settle();
    jest.advanceTimersByTime(10_000);
    await settle();
    maintenance.stop();
    expect(runs).toBe(2);
  } finally {
    jest.useRealTimers();
  }
});

test("writes are held to remove files of failed ones when nothing else is to be done, or after upkeep that failed twice", async () => {
  jest.useFakeTimers();
  try {
    const runs: string[] = [];
    let commits = 96;
    const runAs = (kind: string) => async (work: () => Promise<void>) => {
      runs.push(kind);
      await work();
    };
    let failure: string | null = null;
    const table = {
      ...idleTable(
        () => ({ commits, rows: commits, wasRead: false }),
        () => undefined,
      ),
      beside: runAs("beside"),
      alone: runAs("alone"),
      mayHaveStrayFiles: () => true,
      noteNoStrayFiles: () => undefined,
    } as unknown as StoreTable<unknown>;
    const maintenance = createMaintenance(() => table, {
      ...atOnce,
      work: { tidy: async () => ({ ...(await noWork.tidy()), failure }) },
      limits: maxUntidied.other,
    });
    const write = async () => {
      maintenance.noteCommit();
      await settle();
    };
    await write();
    failure = "too many concurrent writers";
    await write();
    await write();
    failure = null;
    await write();
    await write();
    expect(runs).toEqual(["beside", "beside", "beside", "alone", "beside"]);
    jest.advanceTimersByTime(1_000);
    await settle();
    commits = 0;
    for (const step of [1_000, 9_000]) {
      jest.advanceTimersByTime(step);
      await settle();
    }
    maintenance.stop();
    expect(runs.slice(5)).toEqual(["beside", "alone"]);
  } finally {
    jest.useRealTimers();
  }
});

test("a table that is closed before its turn has come is left alone", async () => {
  let runs = 0;
  const table = idleTable(
    () => ({ commits: 400, rows: 400, wasRead: true }),
    () => {
      runs += 1;
    },
  );
  const turn = Promise.withResolvers<void>();
  const maintenance = createMaintenance(() => table, {
    log: silentLog,
    work: noWork,
    opener: noOpener,
    turn: (work) => turn.promise.then(work),
    upkeepGate: createGate(),
    limits: maxUntidied.other,
  });
  const run = maintenance.run();
  maintenance.stop();
  turn.resolve();
  await run;
  expect(runs).toBe(0);
});

test("200 writes one after another leave few files, and none of them is lost", async () => {
  const { store, dataDir, dispose } = await openTemporaryStore();
  const tenant = tenantOf();
  const writes = 200;
  let most = 0;
  for (let written = 0; written < writes; written += 1) {
    await store.messages.add({
      id: Bun.randomUUIDv7(),
      organizationId: tenant.organizationId,
      chatId: "chat",
      thread: "t",
      userId: "u",
      isSystem: false,
      message: `${written}`,
      sourceDocuments: [],
      createdAt: written,
    });
    if (written % 50 === 0) most = Math.max(most, await filesOf(dataDir, "messages"));
  }
  expect(most).toBeLessThan(2.7 * writes); // without maintenance there are three of each; a busy machine does it late
  const listed = await store.messages.list(tenant, "chat", { thread: null, limit: writes });
  expect(listed.map(({ message }) => Number(message))).toEqual(Array.from({ length: writes }, (_, index) => index));
  // Tidied when left alone.
  await eventually(async () => expect(await filesOf(dataDir, "messages")).toBeLessThanOrEqual(40));
  await dispose();
});

test("what the last process left of older versions goes after a start, without a write, but for what is read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-left-"));
  const opened = await connect(folder);
  const work = createUpkeepHere(opened.lance, opened.connection, folder);
  const open = async () => {
    const opener = await createTableOpener(opened.lance, opened.connection, silentLog);
    return { opener, table: await opener.open(metaRows, passiveHooks) };
  };
  const bytes = async (): Promise<number> => {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
    return files.reduce((sum, file) => sum + Bun.file(join(file.parentPath, file.name)).size, 0);
  };
  const last = await open();
  for (let id = 0; id < 8; id += 1) await last.table.add("meta", [{ id: String(id), value: randomText(100_000) }]);
  const tidy = { table: "meta", removeBefore: 0, removeUnnamed: false, vectorIndex: null, countUnindexed: false };
  await work.tidy(tidy); // and it ends before the next run
  last.table.close();
  const left = await bytes(); // the rows are there twice

  const { opener, table } = await open();
  const maintenance = createMaintenance(() => table, { ...atOnce, opener, work, limits: maxUntidied.other });
  const older = (await table.lance.listVersions()).length;
  await table.run(
    {
      toArrow: async () => {
        for (let runs = 0; runs < 3; runs += 1) await maintenance.run();
        return { batches: [] };
      },
    },
    () => null,
  );
  expect(older).toBeGreaterThan(1);
  expect((await table.lance.listVersions()).length).toBe(older); // the read began before it was known how old its version is
  await maintenance.run();
  expect(await bytes()).toBeLessThan(left / 2);
  expect(await table.count()).toBe(8);
  table.close();
  opened.connection.close();
  await rm(folder, { recursive: true });
});

test("a version of the same millisecond as the current one goes with the next run", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-moment-"));
  const opened = await connect(folder);
  const opener = await createTableOpener(opened.lance, opened.connection, silentLog);
  const table = await opener.open(metaRows, passiveHooks);
  await table.add("meta", [{ id: "1", value: "one" }]);
  /** The newest versions have the date of the oldest, until one is made after that. */
  let newest: number | null = null;
  const atOneMoment = (found: LanceTable): LanceTable =>
    Object.assign(Object.create(found) as LanceTable, {
      listVersions: async () => {
        const versions = await found.listVersions();
        newest ??= Math.max(...versions.map(({ version }) => version));
        const last = newest;
        const [{ timestamp } = { timestamp: new Date(0) }] = versions;
        return versions.map((one) => (one.version <= last ? { ...one, timestamp } : one));
      },
    });
  const connection = {
    openTable: async (name: string) => atOneMoment(await opened.connection.openTable(name)),
  } as unknown as typeof opened.connection;
  const { tidy } = createUpkeepHere(opened.lance, connection, folder);
  const request = { table: "meta", removeUnnamed: false, vectorIndex: null, countUnindexed: false };

  const first = await tidy({ ...request, removeBefore: 0 });
  const second = await tidy({ ...request, removeBefore: first.currentSince });
  const third = await tidy({ ...request, removeBefore: second.currentSince });

  expect(first).toMatchObject({ hasOlder: true, failure: null });
  expect(second).toMatchObject({ isNew: false, hasOlder: false, failure: null });
  expect(third).toMatchObject({ isNew: false, hasOlder: false, currentSince: second.currentSince });
  expect(await opened.connection.openTable("meta").then((one) => one.listVersions())).toHaveLength(1);
  table.close();
  opened.connection.close();
  await rm(folder, { recursive: true });
});

test("questions during maintenance never meet a file that was removed", async () => {
  const { store, dispose } = await openTemporaryStore();
  const tenant = tenantOf();
  const document = sampleDocument({ status: "pending" });
  await store.documents.add(document, null);
  let running = true;
  const read = async (): Promise<number> => {
    let reads = 0;
    while (running) {
      const page = await store.documents.list(tenant, { status: "pending" }, { limit: 10, skip: 0, sortOrder: "desc" });
      expect(page.total).toBe(1);
      reads += 1;
    }
    return reads;
  };
  const readers = [read(), read()];
  for (let attempts = 1; attempts <= 100; attempts += 1) await store.documents.patch(tenant, document.id, { attempts });
  running = false;
  expect(Math.min(...(await Promise.all(readers)))).toBeGreaterThan(0);
  expect((await store.documents.get(tenant, document.id))?.attempts).toBe(100);
  await dispose();
});
