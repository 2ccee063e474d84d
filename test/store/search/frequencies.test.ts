import { expect, test } from "bun:test";
import type { Tenant } from "../../../src/domain/records.ts";
import { mean } from "../../../src/evaluation/estimates.ts";
import type { RowReader } from "../../../src/store/engine/cells.ts";
import type { Lance } from "../../../src/store/engine/lance.ts";
import { createFrequencyCounter } from "../../../src/store/search/frequencies.ts";
import type { LiveIndex, SnippetSegment } from "../../../src/store/search/live-indexes.ts";
import { byChance } from "../../../src/store/search/mean-lengths.ts";
import { tallyTerms, tallyTotals } from "../../../src/store/search/tally-terms.ts";
import { createRevisionRegister } from "../../../src/store/segments/revisions.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore } from "../open-temporary-store.ts";

/** A table's full-text query, whose hits are counted elsewhere. */
const fullTextOf = () => {
  const query = {
    fullTextSearch: () => query,
    fastSearch: () => query,
    where: () => query,
    select: () => query,
    limit: () => query,
  };
  return { query: () => query };
};

/** Of an index whose rows are all found in the table. */
const noneKept: SnippetSegment["unindexed"] = {
  of: () => null,
  having: () => null,
  standing: () => null,
  isBehind: () => false,
};

/** So that the terms of no tenant are counted all at once. */
const onlyAsked = { counts: 100, ofTenant: 1_000 };

/** An index with one table. */
const indexOf = (table: object): LiveIndex => {
  const only = [{ table, unindexed: noneKept }];
  return { info: { id: "i" }, segments: { ...table, all: () => only } } as unknown as LiveIndex;
};

test("counts stay right while documents are added, changed, moved and removed", async () => {
  const { store, dispose } = await openTemporaryStore();
  const indexId = store.indexes.active().id;
  const words = ["apple", "pear", "C++", "東京", "rare"];
  const names = ["apple 東京", "pear pear", "handbook"];
  const tenants: Tenant[] = [
    tenantOf(),
    tenantOf("organization-1", "p1"),
    tenantOf("organization-1", "p2"),
    tenantOf("other"),
  ];
  const documents = new Map<string, ReturnType<typeof sampleDocument>>();
  const contents = new Map<string, string[]>();
  let random = 1;
  const choose = (limit: number): number => {
    random = (random * 48_271) % 2_147_483_647;
    return random % limit;
  };
  const contentOf = () =>
    Array.from({ length: 1 + choose(3) }, () => words.filter(() => choose(2) === 0).join(" ") || "none");
  const expected = (tenant: Tenant, term: string | null): number => {
    let count = 0;
    for (const document of documents.values()) {
      if (document.organizationId !== tenant.organizationId) continue;
      if (tenant.partitionId !== null && document.partitionId !== tenant.partitionId) continue;
      count += (contents.get(document.id) ?? []).filter(
        (text) => term === null || text.split(" ").includes(term),
      ).length;
    }
    return count;
  };
  const whole = { documentId: null, partitionId: null, metadata: null };
  const expectedDocuments = ({ organizationId, partitionId }: Tenant): number =>
    [...documents.values()].filter(
      (document) =>
        document.organizationId === organizationId && (partitionId === null || document.partitionId === partitionId),
    ).length;
  const expectedTitles = (tenant: Tenant, term: string): number => {
    let count = 0;
    for (const document of documents.values()) {
      if (document.organizationId !== tenant.organizationId) continue;
      if (tenant.partitionId !== null && document.partitionId !== tenant.partitionId) continue;
      if (document.name.split(" ").includes(term)) count += contents.get(document.id)?.length ?? 0;
    }
    return count;
  };
  /** Of the snippets' terms, and of "chapter", their heading. */
  const expectedLengths = ({ organizationId, partitionId }: Tenant) => {
    const texts = [...documents.values()]
      .filter((document) => document.organizationId === organizationId)
      .filter((document) => partitionId === null || document.partitionId === partitionId)
      .flatMap(({ id }) => contents.get(id) ?? []);
    return {
      characters: mean(texts.map((text) => text.length + "chapter".length)),
      terms: mean(texts.map((text) => text.split(" ").length + 1)),
    };
  };
  const publish = async (document: ReturnType<typeof sampleDocument>) => {
    const texts = contentOf();
    const next = { ...document, revision: Bun.randomUUIDv7() };
    await store.documents.publish(next, texts.join(" "), sampleSnippets(next, [indexId], texts));
    documents.set(next.id, next);
    contents.set(next.id, texts);
  };
  for (let step = 0; step < 60; step += 1) {
    const any = [...documents.values()][choose(documents.size || 1)];
    const action = choose(4);
    if (any === undefined || action < 2) {
      const organizationId = choose(5) === 0 ? "other" : "organization-1";
      await publish(
        action === 0 || any === undefined
          ? sampleDocument({ organizationId, partitionId: "p1", name: names[choose(3)] ?? "" })
          : any,
      );
    } else if (action === 2) {
      const partitionId = choose(2) === 0 ? "p2" : null;
      const name = names[choose(3)] ?? "";
      const moved = await store.documents.relabel(tenantOf(any.organizationId), any.id, {
        partitionId,
        name: { name, titleTerms: name },
      });
      documents.set(any.id, { ...any, partitionId, name, revision: moved?.revision ?? "" });
    } else {
      await store.documents.remove(tenantOf(any.organizationId), any.id);
      documents.delete(any.id);
    }
    const view = store.openSnippets();
    for (const tenant of tenants) {
      const { snippets, counts, titles, lengths } = await view.documentFrequencies(tenant, words);
      expect(snippets).toBe(expected(tenant, null));
      expect(lengths).toEqual(expectedLengths(tenant));
      expect(await view.count(tenant, whole)).toEqual({ snippets, documents: expectedDocuments(tenant) });
      for (const word of words) {
        expect([word, counts.get(word)]).toEqual([word, expected(tenant, word)]);
        expect([word, titles.get(word)]).toEqual([word, expectedTitles(tenant, word)]);
      }
    }
    view.close();
  }
  await dispose();
});

test("a large document counts as its snippets do, from its first revision to its removal", async () => {
  const { store, dispose } = await openTemporaryStore();
  const indexId = store.indexes.active().id;
  const document = sampleDocument({ partitionId: null, name: "large" });
  const publish = async (count: number, word: string, isNew: boolean): Promise<void> => {
    const texts = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? `${word} ${word}` : `other ${word}`));
    const next = { ...document, revision: Bun.randomUUIDv7() };
    const snippets = sampleSnippets(next, [indexId], texts);
    if (isNew) await store.documents.publishNew([{ document: next, text: texts.join(" "), snippets }]);
    else await store.documents.publish(next, texts.join(" "), snippets);
  };
  const counted = async (): Promise<Record<string, number>> => {
    const view = store.openSnippets();
    const { snippets, counts, titles, lengths } = await view.documentFrequencies(tenantOf(), [
      "apple",
      "pear",
      "other",
      "large",
    ]);
    view.close();
    return { snippets, ...Object.fromEntries(counts), titles: titles.get("large") ?? 0, length: lengths.characters };
  };
  try {
    expect(await counted()).toEqual({ snippets: 0, apple: 0, pear: 0, other: 0, large: 0, titles: 0, length: 0 });
    await publish(600, "apple", true);
    expect(await counted()).toEqual({
      snippets: 600,
      apple: 600,
      pear: 0,
      other: 300,
      large: 0,
      titles: 600,
      length: 18,
    });
    await publish(400, "pear", false);
    expect(await counted()).toEqual({
      snippets: 400,
      apple: 0,
      pear: 400,
      other: 200,
      large: 0,
      titles: 400,
      length: 16.5,
    });
    await store.documents.remove(tenantOf(), document.id);
    expect(await counted()).toEqual({ snippets: 0, apple: 0, pear: 0, other: 0, large: 0, titles: 0, length: 0 });
  } finally {
    await dispose();
  }
});

/** A tenant whose terms are all counted, so far none. */
const countedTenant = async () => {
  const limits = { counts: 3_000, ofTenant: 1_000 };
  const counter = createFrequencyCounter({} as Lance, createRevisionRegister(), { count: async () => 1 }, limits);
  const table = { count: async () => 1, visit: async () => {}, scan: async () => [] };
  const index = indexOf(table);
  await counter.count(index, tenantOf(), []);
  await Bun.sleep(1);
  const { organizationId } = tenantOf();
  const change = (terms: number, from: number, sign: 1 | -1) =>
    counter.change(
      ["i"],
      { organizationId, partitionId: null },
      new Map(Array.from({ length: terms }, (_, at) => [`term${from + at}`, 1])),
      sign,
    );
  return { counter, index, organizationId, change };
};

test("counts added by documents are limited too", async () => {
  const { counter, organizationId, change } = await countedTenant();
  change(2_000, 0, 1);
  expect(counter.keeps(organizationId)).toBe("terms");
  change(2_000, 2_000, 1);
  expect(counter.keeps(organizationId)).toBe("nothing");
});

test("terms are counted with each document only once one was asked for; totals before", async () => {
  const lance = { MatchQuery: class {} } as unknown as Lance;
  const counter = createFrequencyCounter(lance, createRevisionRegister(), { count: async () => 3 }, onlyAsked);
  // Each term is in two snippets.
  const table = {
    count: async (where?: string) => (where === undefined ? 600_000 : 300_000),
    countHits: async () => 2,
    scan: async () => [],
    lance: fullTextOf(),
  };
  const index = indexOf(table);
  const { organizationId } = tenantOf();
  const owner = { organizationId, partitionId: null };
  expect(counter.keeps(organizationId)).toBe("nothing");
  expect(await counter.totals(index, tenantOf())).toEqual({ snippets: 300_000, documents: 3 });
  expect(counter.keeps(organizationId)).toBe("totals");
  counter.change(["i"], owner, tallyTotals(2), 1);
  expect(await counter.totals(index, tenantOf())).toEqual({ snippets: 300_002, documents: 4 });
  expect((await counter.count(index, tenantOf(), ["apple"])).counts).toEqual(new Map([["apple", 2]]));
  expect(counter.keeps(organizationId)).toBe("terms");
  counter.change(["i"], owner, tallyTerms([{ terms: "apple", headingTerms: "", titleTerms: "" }]), 1);
  expect((await counter.count(index, tenantOf(), ["apple"])).counts).toEqual(new Map([["apple", 3]]));
  expect(await counter.totals(index, tenantOf())).toEqual({ snippets: 300_003, documents: 5 });
});

test("terms of documents that are gone take no memory once all terms are counted", async () => {
  const { counter, index, organizationId, change } = await countedTenant();
  for (let round = 0; round < 5; round += 1) {
    change(1_000, round * 1_000, 1);
    change(1_000, round * 1_000, -1);
  }
  expect(counter.keeps(organizationId)).toBe("terms");
  const { counts } = await counter.count(index, tenantOf(), ["term1"]);
  expect(counts.get("term1")).toBe(0);
});

test("counts of a tenant are kept while documents of others change, and not while its own do", async () => {
  const counter = createFrequencyCounter({} as Lance, createRevisionRegister(), { count: async () => 1 }, onlyAsked);
  let counted = 0;
  const table = {
    count: async () => {
      counted += 1;
      counter.change(["i"], { organizationId: changing, partitionId: null }, new Map([["", 1]]), 1);
      return 300_000;
    },
    visit: async () => {},
    scan: async () => [],
  };
  const index = indexOf(table);
  let changing = "other";
  await counter.count(index, tenantOf("other"), []);
  counted = 0;
  const ask = async () => (await counter.count(index, tenantOf(), [])).snippets;
  expect([await ask(), await ask(), counted]).toEqual([300_000, 300_000, 1]);

  counter.forget(tenantOf().organizationId);
  changing = tenantOf().organizationId;
  expect([await ask(), await ask(), counted]).toEqual([300_000, 300_000, 3]);
});

test("documents that change while all terms are counted are counted as they are after", async () => {
  const revisions = createRevisionRegister();
  const counter = createFrequencyCounter({} as Lance, revisions, { count: async () => 2 });
  const { organizationId } = tenantOf();
  const owner = { organizationId, partitionId: null };
  const fieldsOf = (terms: string) => ({ terms, headingTerms: "", titleTerms: "" });
  const rowOf = (revision: string, terms: string) => {
    const cells: Readonly<Record<string, string>> = { revision, ...fieldsOf(terms) };
    return { string: (column: string) => cells[column] ?? "" } as RowReader;
  };
  const isAtHalf = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const table = {
    count: async () => 2,
    scan: async () => [],
    async visit(_columns: readonly string[], _where: string, visitor: (row: RowReader) => boolean) {
      visitor(rowOf("old", "apple pear"));
      isAtHalf.resolve();
      await goesOn.promise;
      visitor(rowOf("new", "apple fig"));
      visitor(rowOf("other", "apple"));
    },
  };
  const all = counter.ofAllTerms(indexOf(table), tenantOf());
  await isAtHalf.promise;
  expect(counter.keeps(organizationId)).toBe("terms");
  revisions.begin("new");
  revisions.commit("new", "old");
  counter.change(["i"], owner, tallyTerms([fieldsOf("apple pear")]), -1);
  counter.change(["i"], owner, tallyTerms([fieldsOf("apple fig")]), 1);
  goesOn.resolve();
  const counts = await all;
  expect(["", "apple", "pear", "fig"].map((term) => counts?.get(term) ?? 0)).toEqual([2, 2, 0, 1]);
});

test("the terms of any number of snippets are counted at once, and no names are searched for a term that none has", async () => {
  const revisions = createRevisionRegister();
  const lance = { MatchQuery: class {} } as unknown as Lance;
  const counter = createFrequencyCounter(lance, revisions, { count: async () => 1 });
  let visits = 0;
  const isCounted = Promise.withResolvers<void>();
  const table = {
    count: async () => 3_000_000,
    countHits: async () => 1,
    run: async () => [],
    scan: async () => [],
    lance: fullTextOf(),
    async visit(_columns: readonly string[], _where: string, visitor: (row: RowReader) => boolean) {
      visits += 1;
      const cells: Readonly<Record<string, string>> = { terms: "apple pear", titleTerms: "handbook" };
      visitor({ string: (column: string) => cells[column] ?? "" } as RowReader);
      isCounted.resolve();
    },
  };
  const index = indexOf(table);
  expect(counter.mayBeInName(index, tenantOf())("fig")).toBe(true); // nothing is known yet
  await counter.count(index, tenantOf(), ["apple"]);
  await isCounted.promise;
  await Bun.sleep(1);
  const counts = await counter.ofAllTerms(index, tenantOf());
  expect(["apple", "pear", " handbook"].map((term) => counts?.get(term))).toEqual([1, 1, 1]);
  expect(["apple", "handbook"].map(counter.mayBeInName(index, tenantOf()))).toEqual([false, true]);
  await counter.count(index, tenantOf(), ["other"]);
  expect(visits).toBe(1);
});

test("of more terms than there is room for none are counted but those of questions, and it is tried once", async () => {
  const limits = { counts: 1_000, ofTenant: 10 };
  const counter = createFrequencyCounter({} as Lance, createRevisionRegister(), { count: async () => 1 }, limits);
  let rows = 0;
  const table = {
    count: async () => 20,
    scan: async () => [],
    async visit(_columns: readonly string[], _where: string, visitor: (row: RowReader) => boolean) {
      for (let isWanted = true; isWanted; rows += 1) {
        const terms = `term${rows}`;
        isWanted = visitor({ string: (column) => (column === "terms" ? terms : "") } as RowReader);
      }
    },
  };
  const index = indexOf(table);
  expect(await counter.ofAllTerms(index, tenantOf())).toBeNull();
  expect(await counter.ofAllTerms(index, tenantOf())).toBeNull();
  expect(rows).toBe(11);
});

test("of many snippets a sample tells how long they are, until a tenth of them has changed", async () => {
  const counter = createFrequencyCounter({} as Lance, createRevisionRegister(), { count: async () => 1 }, onlyAsked);
  let samples = 0;
  const conditions: string[] = [];
  const table = {
    count: async () => 30_000,
    async scan(_columns: readonly string[], { where }: { where: string }, read: (row: RowReader) => void) {
      samples += 1;
      conditions.push(where);
      const rows = ["two words", "three more words"].map((terms) => ({ terms, headingTerms: "", titleTerms: "" }));
      return rows.map((row) => read({ string: (column: keyof typeof row) => row[column] } as RowReader));
    },
  };
  const index = indexOf(table);
  const ask = async () => (await counter.count(index, tenantOf(), [])).lengths;
  const change = (snippets: number) =>
    counter.change(["i"], { organizationId: tenantOf().organizationId, partitionId: null }, tallyTotals(snippets), 1);
  expect(await ask()).toEqual({ characters: 12.5, terms: 2.5 });
  expect(conditions[0]).toContain(byChance(1_000, 30_000) ?? "nothing");
  change(3_000);
  expect(await ask()).toEqual({ characters: 12.5, terms: 2.5 });
  expect(samples).toBe(1);
  change(600);
  await ask();
  expect(samples).toBe(2);
});
