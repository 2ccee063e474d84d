import { expect, jest, test } from "bun:test";
import type { SegmentCatalog } from "../../../src/store/segments/catalog.ts";
import { createMerging, tablesToMerge } from "../../../src/store/segments/merging.ts";
import { openSegments, type Segment, type Segments } from "../../../src/store/segments/segments.ts";
import { silentLog } from "../open-temporary-store.ts";

const sizes = (...rows: number[]) => rows.map((count, at) => ({ table: `t${at}`, rows: count }));
const merged = (rows: number[], isQuiet = false): number[] =>
  tablesToMerge(sizes(...rows), { merged: 250 }, isQuiet).map((one) => one.rows);

test("four full tables are merged while rows are added, two in a silence, and never the one that rows are added to", () => {
  expect(merged([32, 32, 32, 5])).toEqual([]);
  expect(merged([32, 33, 34, 35, 5])).toEqual([32, 33, 34, 35]);
  expect(merged([32, 5], true)).toEqual([]);
  expect(merged([32, 33, 5], true)).toEqual([32, 33]);
  expect(merged([], true)).toEqual([]);
});

test("the smallest tables are merged, as many as fit into one", () => {
  expect(merged([128, 32, 32, 32, 5])).toEqual([32, 32, 32, 128]);
  expect(merged([240, 32, 32, 32, 5])).toEqual([]);
  expect(merged([240, 32, 32, 32, 5], true)).toEqual([32, 32, 32]);
  expect(merged([240, 240, 240, 240, 5], true)).toEqual([]);
});

/** Rows of a table, in memory, as far as lists of tables ask for them. */
const fakeSegment = (name: string, rows: string[] = []): Segment<string> & { rows: string[] } => {
  const table = {
    definition: { name, indexes: {} },
    add: async (_: unknown, added: readonly string[]) => void rows.push(...added),
    count: async (where?: string) =>
      where === undefined ? rows.length : rows.filter((row) => where.includes(`'${row}'`)).length,
    remove: async (_: unknown, __: string, values: readonly string[]) => {
      rows.splice(0, rows.length, ...rows.filter((row) => !values.includes(row)));
    },
    visit: async (_: unknown, __: string, visitor: (row: unknown) => boolean) => {
      for (const row of [...rows]) if (!visitor(row)) return;
    },
  };
  return { table, rows } as unknown as Segment<string> & { rows: string[] };
};

const openFakes = async () => {
  const named = { tables: ["t"] as readonly string[] };
  const fakes = new Map([["t", fakeSegment("t")]]);
  const dropped: string[] = [];
  const catalog = {
    tablesOf: () => named.tables,
    set: async (_: string, tables: readonly string[]) => {
      named.tables = tables;
    },
  } as unknown as SegmentCatalog;
  const segments: Segments<string> = await openSegments({
    catalog,
    base: "t",
    maxRows: 2,
    open: async (name) => {
      const fake = fakes.get(name) ?? fakeSegment(name);
      fakes.set(name, fake);
      return fake;
    },
    drop: async (name) => void dropped.push(name),
    onAdd: () => undefined,
    log: silentLog,
  });
  const add = (...rows: string[]) => segments.append((newest) => newest.add(rows, rows));
  const rowsOf = (...tables: string[]) => tables.flatMap((name) => fakes.get(name)?.rows ?? []);
  /** Makes the table of what the others have when it is called. */
  const copy = async (output: string, inputs: string[]) =>
    void fakes.set(output, fakeSegment(output, rowsOf(...inputs)));
  return { segments, named, dropped, add, rowsOf, copy };
};

test("what is removed while tables are merged is gone from the new one too", async () => {
  const { segments, named, dropped, add, rowsOf, copy } = await openFakes();
  for (const pair of [["a", "b"], ["c", "d"], ["e"]]) await add(...pair);
  await segments.replace(
    ["t", "t_2"],
    async (output) => {
      await copy(output, ["t", "t_2"]);
      await segments.remove("b", "revision", ["b"]);
      await segments.remove("d", "revision", ["d"]);
      await segments.remove("e", "revision", ["e"]);
    },
    async () => undefined,
  );
  expect(named.tables).toEqual(["t_4", "t_3"]);
  expect(rowsOf(...named.tables)).toEqual(["a", "c"]);
  expect(dropped).toEqual(["t", "t_2"]);
  await add("f");
  expect(rowsOf("t_3")).toEqual(["f"]); // rows go to the newest as before
});

test("a removal that is under way when a merge begins is done before its tables are read", async () => {
  const { segments, named, add, rowsOf, copy } = await openFakes();
  for (const pair of [["a", "b"], ["c"]]) await add(...pair);
  const [oldest] = segments.all();
  const { remove } = oldest?.table ?? {};
  Object.assign(oldest?.table ?? {}, {
    remove: async (...removal: Parameters<NonNullable<typeof remove>>) => {
      await Bun.sleep(5);
      await remove?.(...removal);
    },
  });
  const removing = segments.remove("b", "revision", ["b"]);
  await segments.replace(
    ["t"],
    (output) => copy(output, ["t"]),
    async () => undefined,
  );
  await removing;
  expect(rowsOf(...named.tables)).toEqual(["a", "c"]);
});

test("a merge begins when rows are no longer added to its tables, and what reads them keeps them", async () => {
  const { segments, dropped, add, rowsOf, copy } = await openFakes();
  const isAdded = Promise.withResolvers<void>();
  const long = segments.append(async (newest) => {
    await newest.add(["a"], ["a", "b"]);
    await isAdded.promise;
    await newest.add(["a"], ["c"]);
  });
  await Bun.sleep(0);
  await add("d");
  const isRead = Promise.withResolvers<void>();
  const reading = segments.read(() => isRead.promise);
  const replacing = segments.replace(
    ["t"],
    (output) => copy(output, ["t"]),
    async () => undefined,
  );
  await Bun.sleep(5);
  isAdded.resolve();
  await long;
  await Bun.sleep(5);
  expect(rowsOf("t_3")).toEqual(["a", "b", "c"]);
  expect(segments.all().map(({ table }) => table.definition.name)).toEqual(["t_3", "t_2"]);
  expect(dropped).toEqual([]);
  isRead.resolve();
  await Promise.all([reading, replacing]);
  expect(dropped).toEqual(["t"]);
});

test("a merge that fails leaves all as it was", async () => {
  const { segments, named, dropped, add } = await openFakes();
  for (const pair of [["a", "b"], ["c", "d"], ["e"]]) await add(...pair);
  const before = named.tables;
  const replacing = segments.replace(
    ["t", "t_2"],
    () => Promise.reject(new Error("a file is missing")),
    async () => undefined,
  );
  expect(await replacing.catch(String)).toBe("Error: a file is missing");
  expect([named.tables, dropped]).toEqual([before, []]);
});

test("a look at the tables, and a merge, have ended when merging is stopped", async () => {
  jest.useFakeTimers();
  try {
    const order: string[] = [];
    const looked = Promise.withResolvers<void>();
    const merging = createMerging({ full: 32, merged: 250 }, silentLog);
    merging.watch({
      sizes: async () => {
        await looked.promise;
        order.push("looked");
        return sizes(32, 33, 5);
      },
      replace: async () => void order.push("merged"),
    });
    merging.start({ merge: async () => undefined, viewsClosed: async () => undefined });
    jest.advanceTimersByTime(5_000);
    const stopping = merging.stop().then(() => void order.push("stopped"));
    looked.resolve();
    await stopping;
    expect(order).toEqual(["looked", "stopped"]);
  } finally {
    jest.useRealTimers();
  }
});
