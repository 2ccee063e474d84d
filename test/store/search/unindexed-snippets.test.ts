import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate } from "../../../src/async/keyed-mutex.ts";
import { createRandom } from "../../../src/evaluation/estimates.ts";
import type { SearchScope } from "../../../src/store/contract.ts";
import { type Connection, connect, type Lance } from "../../../src/store/engine/lance.ts";
import { createMaintainedTables, type MaintainedTables } from "../../../src/store/engine/maintained-tables.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import { countFromScore } from "../../../src/store/search/count-terms.ts";
import { createFrequencyCounter } from "../../../src/store/search/frequencies.ts";
import type { LiveIndex, SnippetSegment } from "../../../src/store/search/live-indexes.ts";
import { createIndexOpener, newIndex } from "../../../src/store/search/open-indexes.ts";
import type { StoredSnippet } from "../../../src/store/search/snippet-rows.ts";
import { createSnippetView, type SnippetViewDependencies } from "../../../src/store/search/snippets.ts";
import { createUnindexedSnippets } from "../../../src/store/search/unindexed-snippets.ts";
import type { SegmentCatalog } from "../../../src/store/segments/catalog.ts";
import { createSegmentedTables } from "../../../src/store/segments/open-segments.ts";
import { createRevisionRegister } from "../../../src/store/segments/revisions.ts";
import { createUpkeepHere } from "../../../src/store/upkeep/upkeep-here.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { until } from "../../until.ts";
import { passiveHooks, silentLog } from "../open-temporary-store.ts";

let folder: string;
let lance: Lance;
let connection: Connection;
let tables: MaintainedTables;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-unindexed-"));
  ({ lance, connection } = await connect(folder));
  const opener = await createTableOpener(lance, connection, silentLog);
  tables = createMaintainedTables({
    opener,
    hooks: passiveHooks,
    log: silentLog,
    upkeepGate: createGate(),
    erasures: null,
    work: createUpkeepHere(lance, connection, folder),
  });
});
afterAll(async () => {
  await tables.close();
  connection.close();
  await rm(folder, { recursive: true, force: true });
});

/** With its only segment. */
type OpenIndex = LiveIndex & SnippetSegment;

const openIndex = async (): Promise<OpenIndex> => {
  const model = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1, modelRevision: "" };
  const info = newIndex(model, "active");
  const catalog = { tablesOf: (base: string) => [base], isIncomplete: false } as unknown as SegmentCatalog;
  const opener = {
    names: async () => [],
    drop: async () => undefined,
    withNewest: () => Promise.reject(new Error("none is read")),
  };
  const rows = { full: 250_000, merged: 0 };
  const segmented = await createSegmentedTables({ catalog, tables, opener, rows, log: silentLog });
  const index = await createIndexOpener(lance, tables, segmented)(info);
  return { ...index, ...(index.segments.all()[0] as SnippetSegment) };
};

/** The index with another segment in place of its only one. */
const withSegment = (index: OpenIndex, segment: SnippetSegment): LiveIndex => {
  const count: LiveIndex["segments"]["count"] = (where) => segment.table.count(where);
  const all = [segment];
  return { ...index, segments: { ...index.segments, all: () => all, count } };
};

const words = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const everything: SearchScope = { documentId: null, partitionId: null, metadata: null };
const organizationId = "organization-1";

/** The rows of a new document, one for each text. */
const rowsOf = (texts: readonly string[], partitionId: string | null = null): StoredSnippet[] =>
  sampleSnippets(sampleDocument({ partitionId }), ["x"], texts).map(({ vectors: _, ...snippet }, at) => ({
    ...snippet,
    metadataPairs: [],
    vector: Float32Array.from({ length: 8 }, (_entry, dimension) => (dimension === at % 8 ? 1 : 0)),
  }));

const write = (index: OpenIndex, rows: readonly StoredSnippet[]): Promise<void> =>
  index.table.add(rows[0]?.revision ?? "", rows);

/** After so many commits upkeep waits for one second of silence, and not for ten. */
const untilIndexed = async (index: OpenIndex): Promise<void> => {
  for (let commit = 0; commit < 16; commit++) await index.table.remove("none", "revision", ["none"]);
  await until(() => index.unindexed.of(organizationId)?.length === 0, "upkeep has indexed all");
};

const viewOf = (index: LiveIndex, sees: (revision: string) => boolean = () => true) => {
  const excluded = { excluded: () => [], sees, close: () => undefined };
  const revisions = createRevisionRegister();
  return createSnippetView({
    lance,
    index,
    vectorSet: null,
    snapshot: excluded,
    frequencies: createFrequencyCounter(lance, revisions, { count: async () => 1 }),
    scopes: {
      snippets: async (tenant: { organizationId: string; partitionId: string | null }, scope: SearchScope) =>
        [
          `"organizationId" = '${tenant.organizationId}'`.replaceAll('"', ""),
          ...(scope.partitionId === null ? [] : [`partitionId = '${scope.partitionId}'`]),
          ...(scope.documentId === null ? [] : [`documentId = '${scope.documentId}'`]),
        ]
          .map((condition) => `(${condition})`)
          .join(" AND "),
    },
  } as unknown as SnippetViewDependencies);
};

const find = async (index: LiveIndex, terms: string[], scope: SearchScope = everything): Promise<string[]> => {
  const wanted = terms.map((term) => ({ term, weight: 1 }));
  const hits = await viewOf(index).searchText(tenantOf(), scope, wanted, {
    limit: 100,
    titleWeight: 1,
    headingWeight: 1,
  });
  return hits.map(({ text }) => text).sort();
};

test("what upkeep has not indexed yet is found beside what it has", async () => {
  const index = await openIndex();
  expect(index.unindexed.of(organizationId)).toEqual([]);
  await write(index, rowsOf(["apple one", "pear two"]));
  expect(await find(index, ["apple"])).toEqual(["apple one"]);
  await untilIndexed(index);
  expect(index.unindexed.of(organizationId)).toEqual([]);
  expect(await find(index, ["apple"])).toEqual(["apple one"]);

  const late = rowsOf(["apple three", "plum four"], "north");
  await write(index, late);
  expect(index.unindexed.of(organizationId)?.map(({ record }) => record.text)).toEqual(["apple three", "plum four"]);
  expect(await find(index, ["apple"])).toEqual(["apple one", "apple three"]);
  expect(await find(index, ["plum", "pear"])).toEqual(["pear two", "plum four"]);
  expect(await find(index, ["Chapter"])).toEqual([]);
  expect(await find(index, ["apple"], { ...everything, partitionId: "north" })).toEqual(["apple three"]);
  expect(await find(index, ["apple"], { ...everything, documentId: late[0]?.documentId ?? "" })).toEqual([
    "apple three",
  ]);
  const blind = viewOf(index, (revision) => revision !== late[0]?.revision);
  const weights = { limit: 9, titleWeight: 0, headingWeight: 0 };
  const seen = await blind.searchText(tenantOf(), everything, [{ term: "apple", weight: 1 }], weights);
  expect(seen.map(({ text }) => text)).toEqual(["apple one"]);
  const others = await viewOf(index).searchText(
    tenantOf("organization-2"),
    everything,
    [{ term: "apple", weight: 1 }],
    weights,
  );
  expect(others).toEqual([]);

  await index.table.remove(late[0]?.revision ?? "", "revision", [late[0]?.revision ?? ""]);
  expect(await find(index, ["apple"])).toEqual(["apple one"]);
  expect(index.unindexed.of(organizationId)).toEqual([]);
});

test("what upkeep has not indexed yet is counted beside what it has", async () => {
  const index = await openIndex();
  const counted = async (...terms: string[]): Promise<Record<string, number>> => {
    const { counts, titles } = await viewOf(index).documentFrequencies(tenantOf(), terms);
    return { ...Object.fromEntries(counts), titles: titles.get("apple") ?? 0 };
  };
  const named = (texts: readonly string[]): StoredSnippet[] =>
    rowsOf(texts).map((row) => ({ ...row, titleTerms: "apple" }));
  await write(index, named(["apple apple one", "pear two"]));
  await untilIndexed(index);
  await write(index, [...named(["apple three", "plum apple"]), ...rowsOf(["plum four"])]);
  expect(index.unindexed.of(organizationId)).toHaveLength(3);
  expect(await counted("apple", "plum", "fig")).toEqual({ apple: 3, plum: 2, fig: 0, titles: 4 });
  expect(await counted("pear")).toEqual({ pear: 1, titles: 0 });
});

test("the score of a term's best hit tells how many snippets have it", async () => {
  const index = await openIndex();
  const counts = { apple: 7, pear: 60, plum: 301 };
  const texts = Array.from({ length: 400 }, (_, at) =>
    [
      ...Object.entries(counts).flatMap(([term, count]) => (at < count ? [term] : [])),
      ...words.slice(0, 3 + (at % 9)),
    ].join(" "),
  );
  await write(index, rowsOf(texts));
  await untilIndexed(index);
  const lengths = await index.table.scan(["terms"], {}, (row) => row.string("terms").split(" ").length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  for (const [term, count] of Object.entries(counts)) {
    const query = index.table.lance.query().fullTextSearch(new lance.MatchQuery(term, "terms")).fastSearch();
    const [best] = await index.table.run(query.select(["_score", "terms"]).limit(1), (row) => ({
      score: row.number("_score"),
      terms: row.string("terms").split(" "),
    }));
    if (best === undefined) throw new Error(`${term} is not found`);
    const told = countFromScore(term, best, mean, lengths.length);
    expect([term, Math.abs(told / count - 1) < 0.04]).toEqual([term, true]);
  }
});

test("a count that upkeep may have made wrong is not kept", async () => {
  const index = await openIndex();
  await write(index, rowsOf(["apple one"]));
  await untilIndexed(index);
  await write(index, rowsOf(["apple two"]));
  const onlyAsked = { counts: 100, ofTenant: 1_000 }; // so that terms are counted when they are asked for
  const counter = createFrequencyCounter(lance, createRevisionRegister(), { count: async () => 1 }, onlyAsked);
  const many = { ...index.table, count: async (where?: string) => (where === undefined ? 600_000 : 300_000) };
  type Standing = ReturnType<SnippetSegment["unindexed"]["standing"]>;
  const count = async (...standings: Standing[]): Promise<number | undefined> => {
    const standing = () => standings.shift() ?? null;
    const during = withSegment(index, { ...index, table: many, unindexed: { ...index.unindexed, standing } });
    return (await counter.count(during, tenantOf(), ["apple"])).counts.get("apple");
  };
  const sure = { upkeeps: 1, indexedToo: 3_000 };
  const cases: [Standing, Standing][] = [
    [null, sure],
    [sure, null],
    [sure, { ...sure, upkeeps: 2 }],
    [{ ...sure, indexedToo: 3_001 }, sure],
    [sure, sure],
  ];
  for (const [at, [before, after]] of cases.entries()) {
    expect(await count(before, after)).toBe(at + 2);
    await write(index, rowsOf(["apple again"]));
  }
  expect(await count(sure, sure)).toBe(cases.length + 1); // kept: the counter was told of no change
});

test("while rows are added and removed, and upkeep runs again and again, each search finds all and nothing else", async () => {
  const index = await openIndex();
  const random = createRandom(5);
  const words = Array.from({ length: 12 }, (_, at) => `word${at}`);
  const stored = new Map<string, StoredSnippet[]>();
  let isKept = 0;
  let isCounted = 0;
  for (let round = 0; round < 60; round += 1) {
    if (round > 0 && round % 20 === 0) await Bun.sleep(1_100); // upkeep
    const texts = Array.from({ length: 3 }, () => words.filter(() => random() < 0.3).join(" ")).filter(Boolean);
    const rows = rowsOf(texts);
    if (rows.length > 0) {
      await write(index, rows);
      stored.set(rows[0]?.revision ?? "", rows);
    }
    const [revision] = random() < 0.3 ? stored.keys() : [];
    if (revision !== undefined) {
      await index.table.remove(revision, "revision", [revision]);
      stored.delete(revision);
    }
    if (index.unindexed.of(organizationId) !== null) isKept += 1;
    const asked = words.filter(() => random() < 0.2);
    const expected = [...stored.values()]
      .flat()
      .filter(({ terms }) => asked.some((word) => terms.split(" ").includes(word)))
      .map(({ text }) => text)
      .sort();
    if (asked.length > 0 && expected.length <= 100) expect(await find(index, asked)).toEqual(expected);
    const standing = index.unindexed.standing(organizationId);
    const { counts } = await viewOf(index).documentFrequencies(tenantOf(), words);
    if (standing?.indexedToo !== 0 || index.unindexed.standing(organizationId)?.upkeeps !== standing.upkeeps) continue;
    isCounted += 1;
    for (const word of words) {
      const having = [...stored.values()].flat().filter(({ terms }) => terms.split(" ").includes(word));
      expect([word, counts.get(word)]).toEqual([word, having.length]);
    }
  }
  // Where the machine is busy, upkeep is at work for most of the rounds.
  expect(isKept).toBeGreaterThan(5);
  expect(isCounted).toBeGreaterThan(5);
}, 60_000);

test("all rows that no index holds are kept, or none", async () => {
  const done = async (): Promise<void> => undefined;
  const unindexed = createUnindexedSnippets();
  const tidy = (left: number): void => {
    unindexed.beginUpkeep();
    unindexed.noteUnindexed(left);
    unindexed.endUpkeep();
  };
  const kept = () => unindexed.of(organizationId)?.length ?? null;
  await unindexed.add(rowsOf(["before upkeep"]), done);
  expect(kept()).toBeNull();
  tidy(0);
  expect(kept()).toBe(0);
  tidy(1); // a row that nobody knows of
  expect(kept()).toBeNull();

  unindexed.beginUpkeep();
  await unindexed.add(rowsOf(["during upkeep"]), done);
  unindexed.noteUnindexed(1);
  unindexed.endUpkeep();
  expect(kept()).toBe(1);

  const failed = unindexed.add(rowsOf(["failed"]), () => Promise.reject(new Error("no space")));
  await expect(failed).rejects.toThrow("no space");
  expect(kept()).toBe(1);
  unindexed.beginUpkeep();
  expect(kept()).toBe(1); // until it has ended; if it fails, still
  unindexed.invalidate();
  unindexed.noteUnindexed(0);
  unindexed.endUpkeep();
  expect(kept()).toBeNull();

  tidy(0);
  const many = (count: number, organization: string) =>
    rowsOf(Array.from({ length: count }, () => "many")).map((row) => ({ ...row, organizationId: organization }));
  await unindexed.add(many(2, "organization-2"), done);
  await unindexed.add(many(24_001, organizationId), done);
  expect(kept()).toBeNull();
  expect(unindexed.of("organization-2")).toHaveLength(2);
  expect(unindexed.isComplete()).toBe(false);
  unindexed.beginUpkeep();
  await unindexed.add(many(3, organizationId), done);
  expect(kept()).toBeNull(); // the rows before are not indexed yet
  unindexed.noteUnindexed(3);
  unindexed.endUpkeep();
  expect(kept()).toBe(3);
  expect(unindexed.isComplete()).toBe(true);

  for (const organization of ["a", "b", "c"]) await unindexed.add(many(14_000, organization), done);
  expect(["a", "b", "c"].map((organization) => unindexed.of(organization)?.length ?? null)).toEqual([
    14_000,
    14_000,
    null,
  ]);
});

test("other work has its turn while many rows are kept, and what is removed meanwhile is not among them", async () => {
  const unindexed = createUnindexedSnippets();
  unindexed.noteOpened(0);
  const words = Array.from({ length: 200 }, (_, at) => `word${at}`).join(" ");
  const rows = rowsOf(Array.from({ length: 3_000 }, () => words)).map((row, at) => ({
    ...row,
    revision: at % 2 === 0 ? "even" : "odd",
  }));
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
    if (turns === 2) unindexed.remove(["odd"]);
  }, 1);
  await unindexed.add(rows, async () => undefined);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  expect(unindexed.of(organizationId)?.map(({ record }) => record.revision)).toEqual(Array(1_500).fill("even"));
  expect(unindexed.having(organizationId, ["word7"])).toHaveLength(1_500);
  await unindexed.add([{ ...(rows[1] as StoredSnippet) }], async () => undefined);
  expect(unindexed.of(organizationId)).toHaveLength(1_501); // a later addition is not concerned
});

test("with much that no index holds, what takes in documents waits while questions are asked, until upkeep ends or fails", async () => {
  const done = async (): Promise<void> => undefined;
  const unindexed = createUnindexedSnippets();
  const add = (count: number) => unindexed.add(rowsOf(Array.from({ length: count }, () => "many")), done);
  unindexed.noteOpened(0);
  await add(13_999);
  unindexed.having(organizationId, ["many"]);
  expect(unindexed.isBehind()).toBe(false);
  await add(1);
  expect(unindexed.isBehind()).toBe(true);
  unindexed.beginUpkeep();
  expect(unindexed.isBehind()).toBe(true);
  unindexed.noteUnindexed(20);
  unindexed.endUpkeep();
  expect(unindexed.isBehind()).toBe(false);

  await add(14_000);
  unindexed.beginUpkeep();
  unindexed.failUpkeep();
  expect(unindexed.isBehind()).toBe(false);

  const unasked = createUnindexedSnippets();
  unasked.noteOpened(14_000);
  expect(unasked.isBehind()).toBe(false);
  unasked.of(organizationId);
  expect(unasked.isBehind()).toBe(true);
});
