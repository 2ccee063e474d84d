import { expect, test } from "bun:test";
import type { RowReader } from "../../../src/store/engine/cells.ts";
import {
  createLackingVectors,
  createNewestFirst,
  type LackingVectorsOptions,
} from "../../../src/store/vectors/lacking-vectors.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";

type Row = Record<string, string | number>;

/** A table that is visited once its gate is open. */
const tableOf = (rows: readonly Row[], gate: Promise<void>) => ({
  visit: async (_: unknown, __: unknown, visitor: (row: RowReader) => boolean) => {
    await gate;
    for (const row of rows)
      if (!visitor({ string: (name: string) => row[name], number: (name: string) => row[name] } as RowReader)) return;
  },
});

/** Three documents of two snippets, of which the second has both vectors and the third one, twice. */
const before = ["one", "two", "three"].map((name, createdAt) =>
  sampleDocument({ id: name, revision: `${name}-1`, createdAt }),
);
const [one, two] = before as [(typeof before)[0], (typeof before)[0]];
const { organizationId } = one;

const open = () => {
  const gate = Promise.withResolvers<void>();
  const rows = (positions: readonly [string, number][]) =>
    positions.map(([revision, position]) => ({ revision, position }));
  const both = before.flatMap(({ revision }) => [revision, revision].map((name): [string, number] => [name, 0]));
  const documents = tableOf(
    before.map(({ id, organizationId, revision, createdAt }) => ({ id, organizationId, revision, createdAt })),
    gate.promise,
  );
  const snippets = tableOf(rows([...both, ["stray", 0]]), gate.promise);
  const held = rows([
    ["two-1", 1],
    ["three-1", 1],
    ["two-1", 0],
    ["three-1", 1],
    ["stray", 0],
  ]);
  const sets = { active: null as object | null, building: { segments: tableOf(held, gate.promise) } as object | null };
  const lacking = createLackingVectors({
    documents,
    live: { active: { segments: snippets } },
    sets,
  } as unknown as LackingVectorsOptions);
  return { lacking, sets, release: gate.resolve, fail: gate.reject };
};

const revisionsOf = (found: readonly { revision: string }[]) => found.map(({ revision }) => revision);
const content = (document: typeof one, snippets: number) => ({ document, snippets, vectors: new Map() });
const renewed = (document: typeof one, revision: string) => ({ ...document, revision });

test("documents with fewer vectors than snippets lack some, however often one is there", async () => {
  const { lacking, release } = open();
  lacking.restart();
  release();
  await lacking.ready();
  expect(lacking.take(5)).toEqual([
    { id: "three", organizationId, revision: "three-1", createdAt: 2, snippets: 2, mayHoldSome: true },
    { id: "one", organizationId, revision: "one-1", createdAt: 0, snippets: 2, mayHoldSome: false },
  ]);
  expect(lacking.totals()).toEqual({ documents: 2, snippets: 4, totalDocuments: 3, totalSnippets: 6 });
  expect(["one-1", "two-1", "stray"].map(lacking.isWhole)).toEqual([false, true, false]);
});

test("changes before the count has ended are part of its result, whether it saw them or not", async () => {
  const { lacking, release } = open();
  lacking.restart();
  const late = sampleDocument({ id: "late", organizationId: "another", createdAt: 9 });
  lacking.replaced(null, content(late, 3));
  lacking.replaced(one, content(renewed(one, "one-2"), 5));
  lacking.replaced(two, null);
  lacking.complete("three-1");
  lacking.replaced(null, content(sampleDocument({ id: "empty" }), 0));
  expect(lacking.isKnown()).toBe(false);
  release();
  await lacking.ready();
  expect(revisionsOf(lacking.take(5))).toEqual([late.revision, "one-2"]);
  expect(lacking.totals()).toEqual({ documents: 2, snippets: 8, totalDocuments: 4, totalSnippets: 10 });
  lacking.replaced(renewed(one, "one-2"), null);
  lacking.complete(late.revision);
  expect(lacking.totals()).toEqual({ documents: 0, snippets: 0, totalDocuments: 3, totalSnippets: 5 });
});

test("a count that is overtaken is left, one that failed is repeated, and none goes on after the end", async () => {
  const first = open();
  first.lacking.restart();
  const waiting = first.lacking.ready();
  first.sets.building = null;
  first.lacking.restart(); // there is no set any more
  first.release();
  await waiting;
  expect(first.lacking.isKnown()).toBe(false);

  const second = open();
  second.lacking.restart();
  second.fail(new Error("the disk is gone"));
  await expect(second.lacking.ready()).rejects.toThrow("disk is gone");
  await expect(second.lacking.ready()).rejects.toThrow("disk is gone"); // tried again

  const third = open();
  third.lacking.restart();
  const asking = third.lacking.ready();
  const stopped = third.lacking.stop();
  third.release();
  await expect(asking).rejects.toThrow("closed");
  await stopped;
});

test("entries come newest first whatever their order, and the dead ones are left out", () => {
  const live = new Set<{ id: string; createdAt: number }>();
  const order = createNewestFirst<{ id: string; createdAt: number }>(
    (entry) => live.has(entry),
    () => live.size,
  );
  const expected = () => [...live].sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 6_000; round += 1) {
    const entry = { id: `${round % 97}`, createdAt: random(500) };
    live.add(entry);
    order.add(entry);
    if (round % 3 > 0) for (const dead of [...live].slice(0, 1 + (round % 2))) live.delete(dead);
    if (round % 250 === 0) expect(order.take(20)).toEqual(expected().slice(0, 20));
  }
  expect(order.take(100_000)).toEqual(expected());
  live.clear();
  expect(order.take(10)).toEqual([]);
});
